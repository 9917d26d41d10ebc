import { randomBytes } from 'node:crypto';
import type { ClientOptions, OpenAI } from 'openai';
import { ProviderUnavailableError } from '../../api/errors.ts';
import type { ModelDirectory } from '../../models/upstream-model.ts';
import type { ModelRequest } from '../../api/request.ts';
import type { StreamEvent } from '../../api/api-types.ts';
import { boundedFetch } from '../bounded-fetch.ts';
import type { ModelProvider, ModelReply, ReplyOptions } from '../provider.ts';
import { traceHeader } from '../trace-header.ts';
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

/** Stands for the `[DONE]` at the end of a stream. */
const DONE = Symbol('done');
/** The time that a stream may go on after its reply is complete. */
const LINGER_MS = 500;

/** The number of characters of an error's body that are kept. */
const ERROR_BODY = 64 * 1024;

/** Throws refusals itself: the SDK keeps only an `error` object, but some servers explain an error in other fields. */
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
  /** The SDK is loaded for the first provider that needs it; it takes a fortieth of a start. */
  readonly #sdk = import('openai');
  readonly #client: Promise<OpenAI>;
  readonly #style: RequestStyle;
  readonly #timeoutMs: number;
  readonly #secrets: readonly string[];

  constructor(options: OpenAiProviderOptions) {
    const { baseURL, apiKey, headers = {}, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    this.#style = styleOf(options);
    this.#timeoutMs = timeoutMs;
    this.#secrets = [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers)];
    const settings: ClientOptions = {
      baseURL,
      // A key in the environment may be for another server and must not be sent to this one.
      apiKey: apiKey ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      defaultHeaders: { ...(apiKey === undefined ? { authorization: null } : {}), ...headers },
      // The caller decides about retries: workflows wait durably, and HTTP clients have retries of their own.
      maxRetries: 0,
      // The provider's own deadline comes first, with a clear error.
      timeout: timeoutMs * 2,
      fetch: fetchOrRefusal,
      // Requests hold the key and the conversation, which must not be logged.
      logLevel: 'off',
    };
    this.#client = this.#sdk.then(({ OpenAI: Client }) => new Client(settings));
    // A failure shows at the first request.
    this.#client.catch(() => undefined);
    this.models = modelDirectory(this.#client);
  }

  async reply(request: ModelRequest, options: ReplyOptions): Promise<ModelReply> {
    const { tools, builder } = this.#begin(request, options);
    const body = chatRequest(request, tools, this.#style);
    const deadline = new Deadline(options.signal, { totalMs: this.#timeoutMs });
    try {
      const client = await this.#client;
      const response = await client.chat.completions
        .create(body, { signal: deadline.signal, ...traceHeader(options) })
        .asResponse();
      trace(response, options);
      const answer = readJson(await response.text());
      this.#take(builder, answer, request, options);
      if (!builder.isFinished)
        throw new ProviderUnavailableError("the upstream's answer does not say how it ended");
      // Only the message is needed here, not its last events.
      Array.from(builder.end());
      return builder.message();
    } catch (error) {
      throw await this.#fault(error, deadline, request, options);
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
        this.#client.then((client) =>
          client.chat.completions
            .create(body, { signal: deadline.signal, ...traceHeader(options) })
            .asResponse(),
        ),
      );
      // The tokens of the request are counted while the upstream is at work.
      asked.catch(() => undefined);
      const start = builder.start();
      const response = await asked;
      trace(response, options);
      yield start;
      const answers = answersOf(response, deadline);
      // Only the end mark follows the counts, and not every server closes the connection after it.
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
      throw await this.#fault(error, deadline, request, options);
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

  async #fault(
    error: unknown,
    deadline: Deadline,
    request: ModelRequest,
    options: ReplyOptions,
  ): Promise<unknown> {
    if (options.signal.aborted) return options.signal.reason;
    return deadline.isLate
      ? timedOut()
      : fromUpstream(error, this.#context(request, options), await this.#sdk);
  }

  #context(
    { model }: ModelRequest,
    { now = Date.now }: ReplyOptions,
  ): { model: string; now: number; secrets: readonly string[] } {
    return { model, now: now(), secrets: this.#secrets };
  }
}

/** As in the API, a client sees the reasoning if it asks for it. */
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

/** Reads the chunks of a stream, or the completion of a server that does not stream. */
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

/** Reads the bytes. The idle time begins anew with each chunk, also with a comment. */
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

/** Reads an answer to its end, so that its connection can be used again, and closes one that stays open. */
async function readOut(answers: AsyncIterator<unknown>, deadline: Deadline): Promise<void> {
  const timer = setTimeout(() => deadline.abort(), LINGER_MS);
  timer.unref();
  try {
    while ((await answers.next()).done !== true);
  } catch {
    // The reply is complete, so a fault does not matter.
  } finally {
    clearTimeout(timer);
    deadline.abort();
  }
}

/**
 * A provider that asks for chat completions of OpenAI, or of a server that speaks them at `baseURL`, such as
 * llama.cpp's server, vLLM, Ollama or LM Studio, through the official SDK. docs/chat-completions.md tells what is translated
 * and what is lost.
 */
export function createOpenAiProvider(options: OpenAiProviderOptions): ModelProvider {
  return new OpenAiProvider(options);
}
