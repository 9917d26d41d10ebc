import { randomBytes } from 'node:crypto';
import { OpenAI } from 'openai';
import { ProviderUnavailableError } from '../../api/errors.ts';
import type { ModelDirectory } from '../../models/upstream-model.ts';
import type { ModelRequest } from '../../api/request.ts';
import type { StreamEvent } from '../../api/api-types.ts';
import { boundedFetch } from '../bounded-fetch.ts';
import type { ModelProvider, ModelReply, ReplyOptions } from '../provider.ts';
import { refuseUnsupported } from '../refuse-unsupported.ts';
import { timedOut } from '../upstream-errors.ts';
import { readChat } from './chat-delta.ts';
import { chatRequest } from './chat-request.ts';
import { type ChatTools, chatTools } from './chat-tools.ts';
import { Deadline } from '../deadline.ts';
import { modelDirectory } from './model-directory.ts';
import { DEFAULT_TIMEOUT_MS, type OpenAiProviderOptions, type RequestStyle, styleOf } from './options.ts';
import { ReplyBuilder } from './reply-builder.ts';
import { errorOf, eventData } from './sse.ts';
import { fromErrorObject, fromUpstream, UpstreamAnswerError } from './openai-errors.ts';

/** The mark at the end of a stream. */
const DONE = Symbol('done');
/** How long a stream may go on after its reply is whole. */
const LINGER_MS = 500;

/** More of an error's body is not kept. */
const ERROR_BODY = 64 * 1024;

/** The SDK keeps only an `error` object of a refusal; other servers say what is wrong in other fields. */
const fetchOrRefusal: typeof fetch = async (input, init) => {
  const response = await boundedFetch(input, init);
  if (response.ok) return response;
  const body = await response.text().catch(() => '');
  throw new UpstreamAnswerError(response.status, response.headers, body.slice(0, ERROR_BODY));
};

class OpenAiProvider implements ModelProvider {
  readonly name = 'openai-compatible';
  readonly lacksContextEdits = true;
  readonly models: ModelDirectory;
  readonly #client: OpenAI;
  readonly #style: RequestStyle;
  readonly #timeoutMs: number;
  readonly #secrets: readonly string[];

  constructor(options: OpenAiProviderOptions) {
    const { baseURL, apiKey, headers = {}, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    this.#style = styleOf(options);
    this.#timeoutMs = timeoutMs;
    this.#secrets = [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers)];
    this.#client = new OpenAI({
      baseURL,
      // Nothing comes from the environment: a key that is there for another server must not go to this one.
      apiKey: apiKey ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      defaultHeaders: { ...(apiKey === undefined ? { authorization: null } : {}), ...headers },
      // Who calls decides when to try again: a workflow waits durably, an HTTP client has retries of its own.
      maxRetries: 0,
      // Ours ends first, with a text of its own.
      timeout: timeoutMs * 2,
      fetch: fetchOrRefusal,
      // Requests carry the key and the conversation; neither belongs in a log.
      logLevel: 'off',
    });
    this.models = modelDirectory(this.#client);
  }

  async reply(request: ModelRequest, options: ReplyOptions): Promise<ModelReply> {
    const { tools, builder } = this.#begin(request, options);
    const body = chatRequest(request, tools, this.#style);
    const deadline = new Deadline(options.signal, { totalMs: this.#timeoutMs });
    try {
      const response = await this.#client.chat.completions
        .create(body, { signal: deadline.signal })
        .asResponse();
      trace(response, options);
      const answer = readJson(await response.text());
      this.#take(builder, answer, request, options);
      if (!builder.isFinished)
        throw new ProviderUnavailableError("the upstream's answer does not say how it ended");
      // The events go nowhere; what they say is in the message.
      Array.from(builder.end());
      return builder.message();
    } catch (error) {
      throw this.#fault(error, deadline, request, options);
    } finally {
      deadline.abort();
    }
  }

  async *stream(request: ModelRequest, options: ReplyOptions): AsyncGenerator<StreamEvent> {
    const { tools, builder } = this.#begin(request, options);
    const body = {
      ...chatRequest(request, tools, this.#style),
      stream: true as const,
      ...(this.#style.streamUsage ? { stream_options: { include_usage: true } } : {}),
    };
    const deadline = new Deadline(options.signal, { idleMs: this.#timeoutMs });
    let rest: AsyncIterator<unknown> | undefined;
    try {
      const asked = deadline.waitFor(
        this.#client.chat.completions.create(body, { signal: deadline.signal }).asResponse(),
      );
      // The tokens of the request are counted while the upstream is at work.
      asked.catch(() => undefined);
      const start = builder.start();
      const response = await asked;
      trace(response, options);
      yield start;
      const answers = answersOf(response, deadline);
      // What follows the counts is only the end mark, and not every server closes the connection after it.
      while (!builder.isFinished || !builder.isCounted) {
        const next = await answers.next();
        if (next.done === true || next.value === DONE) break;
        yield* this.#take(builder, next.value, request, options);
      }
      if (!builder.isFinished)
        throw new ProviderUnavailableError('the upstream broke off in the middle of the reply');
      yield* builder.end();
      rest = answers;
    } catch (error) {
      throw this.#fault(error, deadline, request, options);
    } finally {
      if (rest === undefined) deadline.abort();
      else void readOut(rest, deadline);
    }
  }

  #begin(request: ModelRequest, { signal, id }: ReplyOptions): { tools: ChatTools; builder: ReplyBuilder } {
    signal.throwIfAborted();
    refuseUnsupported(request, this.name, ['output_config.format', 'output_format']);
    const tools = chatTools(request.tools);
    const builder = new ReplyBuilder({
      request,
      tools,
      id: id ?? `msg_${randomBytes(12).toString('hex')}`,
      thinks: thinks(request, this.#style),
    });
    return { tools, builder };
  }

  #take(builder: ReplyBuilder, answer: unknown, request: ModelRequest, options: ReplyOptions): StreamEvent[] {
    const error = errorOf(answer);
    if (error !== undefined) throw fromErrorObject(error, this.#context(request, options));
    return [...builder.take(readChat(answer))];
  }

  #fault(error: unknown, deadline: Deadline, request: ModelRequest, options: ReplyOptions): unknown {
    if (options.signal.aborted) return options.signal.reason;
    return deadline.isLate ? timedOut() : fromUpstream(error, this.#context(request, options));
  }

  #context(
    { model }: ModelRequest,
    { now = Date.now }: ReplyOptions,
  ): { model: string; now: number; secrets: readonly string[] } {
    return { model, now: now(), secrets: this.#secrets };
  }
}

/** Reasoning is shown to who asked for it, as in the API. */
function thinks({ thinking }: ModelRequest, { reasoning }: RequestStyle): boolean {
  if (reasoning !== 'asked') return reasoning === 'always';
  if (thinking === undefined || thinking.type === 'disabled') return false;
  return !('display' in thinking) || thinking.display !== 'omitted';
}

function trace(response: Response, options: ReplyOptions): void {
  const upstreamRequestId = response.headers.get('x-request-id');
  if (upstreamRequestId !== null) options.trace?.({ upstreamRequestId });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ProviderUnavailableError("the upstream's answer is no JSON");
  }
}

/** The chunks of a stream; the one completion of a server that does not stream. */
async function* answersOf(response: Response, deadline: Deadline): AsyncGenerator<unknown, void, undefined> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null) return;
  if (!/event-stream/i.test(type)) {
    yield readJson(await deadline.waitFor(response.text()));
    return;
  }
  for await (const data of eventData(chunksOf(response.body, deadline))) {
    if (data.trim() !== '') yield data.startsWith('[DONE]') ? DONE : readJson(data);
  }
}

/** The bytes as they come. Each chunk, that of a comment too, is waited for anew. */
async function* chunksOf(
  body: AsyncIterable<Uint8Array>,
  deadline: Deadline,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = body[Symbol.asyncIterator]();
  for (;;) {
    const next = await deadline.waitFor(chunks.next());
    if (next.done === true) return;
    yield next.value;
  }
}

/** A connection whose answer has been read to its end serves the next request; one that stays open is closed. */
async function readOut(answers: AsyncIterator<unknown>, deadline: Deadline): Promise<void> {
  const timer = setTimeout(() => deadline.abort(), LINGER_MS);
  timer.unref();
  try {
    while ((await answers.next()).done !== true);
  } catch {
    // The reply is whole; nobody waits for this.
  } finally {
    clearTimeout(timer);
    deadline.abort();
  }
}

/**
 * Chat completions of OpenAI, or of whoever speaks them at `baseURL`: llama.cpp's server, vLLM, Ollama, LM Studio.
 * Through the official SDK. docs/providers.md says what is mapped and what is lost.
 */
export function createOpenAiProvider(options: OpenAiProviderOptions): ModelProvider {
  return new OpenAiProvider(options);
}
