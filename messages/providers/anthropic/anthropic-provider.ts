import type { Anthropic, ClientOptions } from '@anthropic-ai/sdk';
import { z } from 'zod';
import { ProviderUnavailableError } from '../../api/errors.ts';
import type { ModelDirectory } from '../../models/upstream-model.ts';
import type { ModelRequest } from '../../api/request.ts';
import { collectMessage } from '../../stream/collect-message.ts';
import type { StreamEvent } from '../../api/api-types.ts';
import { boundedFetch } from '../bounded-fetch.ts';
import type { ModelProvider, ModelReply, ReplyOptions } from '../provider.ts';
import { traceHeader } from '../trace-header.ts';
import { Deadline } from '../deadline.ts';
import { modelDirectory } from './model-directory.ts';
import { platformOf, post, type Platform, type PlatformOptions, type Post } from './platform.ts';
import { replyStream } from './reply-stream.ts';
import { toCount, toUpstream } from './to-upstream.ts';
import { timedOut } from '../upstream-errors.ts';
import { fromUpstream } from './anthropic-errors.ts';

/** Node's fetch gives up after 300 s without an answer. This ends earlier, with a clear error. */
const DEFAULT_TIMEOUT_MS = 290_000;
/** An active stream sends a ping several times a minute. */
const DEFAULT_IDLE_TIMEOUT_MS = 120_000;
const DEFAULT_STREAM_TIMEOUT_MS = 3_600_000;
const COUNT_TIMEOUT_MS = 60_000;
/** A model can write this many tokens within the time for a reply that is not streamed. */
const SHORT_REPLY = 8192;

export interface AnthropicProviderOptions extends PlatformOptions {
  /** The upstream's key; never that of our own clients. */
  readonly apiKey: string;
  /** Default: the API itself, or the platform's address in its region. */
  readonly baseURL?: string;
  /**
   * The time for a whole reply that is not streamed and for the beginning of a stream; default 290 s. A reply that may
   * have more than 8192 tokens is always streamed from the upstream and has a stream's time limits.
   */
  readonly timeoutMs?: number;
  /** The longest time without an event or a ping in a stream; default 120 s. */
  readonly idleTimeoutMs?: number;
  /** The time for a whole streamed reply; default one hour. */
  readonly streamTimeoutMs?: number;
}

/** The fields of a reply that must be valid for any use of it. */
const replyShape = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string(),
  usage: z.looseObject({ input_tokens: z.number(), output_tokens: z.number() }),
});

const countShape = z.looseObject({ input_tokens: z.int().min(0) });

class AnthropicProvider implements ModelProvider {
  readonly name = 'anthropic';
  /** The SDK is loaded for the first provider that needs it; it takes a fortieth of a start. */
  readonly #sdk = import('@anthropic-ai/sdk');
  readonly #client: Promise<Anthropic>;
  readonly #platform: Platform;
  readonly #timeoutMs: number;
  readonly #idleTimeoutMs: number;
  readonly #streamTimeoutMs: number;
  declare readonly countTokens?: NonNullable<ModelProvider['countTokens']>;
  readonly models?: ModelDirectory;

  constructor(options: AnthropicProviderOptions) {
    this.#platform = platformOf(options);
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#idleTimeoutMs = options.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS;
    this.#streamTimeoutMs = options.streamTimeoutMs ?? DEFAULT_STREAM_TIMEOUT_MS;
    const baseURL = options.baseURL ?? this.#platform.baseURL;
    const settings: ClientOptions = {
      apiKey: options.apiKey,
      // Tokens in the environment may belong to something else.
      authToken: null,
      ...(baseURL === undefined ? {} : { baseURL }),
      // The caller decides about retries: workflows wait durably, and HTTP clients have retries of their own.
      maxRetries: 0,
      fetch: boundedFetch,
      // Requests hold the key and the conversation, which must not be logged.
      logLevel: 'off',
    };
    this.#client = this.#sdk.then(({ Anthropic: Client }) => new Client(settings));
    // A failure shows at the first request.
    this.#client.catch(() => undefined);
    if ((options.style ?? 'api') === 'api') this.models = modelDirectory(this.#sdk, this.#client);
    const { countTokens } = this.#platform;
    if (countTokens) {
      this.countTokens = (request, asked) => this.#count(countTokens(toCount(request)), asked);
    }
  }

  async reply(request: ModelRequest, options: ReplyOptions): Promise<ModelReply> {
    if (request.max_tokens > SHORT_REPLY) return await collectMessage(this.stream(request, options));
    const asked = this.#platform.message(toUpstream(request), false);
    const reply = await this.#json(asked, this.#timeoutMs, options);
    const shape = replyShape.safeParse(reply);
    if (shape.success) return reply as ModelReply;
    throw invalidAnswer('a message', shape.error);
  }

  async *stream(request: ModelRequest, options: ReplyOptions): AsyncGenerator<StreamEvent> {
    const { signal, now = Date.now } = options;
    signal.throwIfAborted();
    const deadline = new Deadline(signal, {
      totalMs: this.#streamTimeoutMs,
      idleMs: this.#idleTimeoutMs,
    });
    let isComplete = false;
    try {
      const asked = this.#platform.message(toUpstream(request), true);
      for await (const event of replyStream(
        await this.#post(asked, { timeout: this.#timeoutMs, stream: true }, deadline, options),
        deadline,
      )) {
        isComplete = event.type === 'message_stop';
        yield event;
      }
    } catch (error) {
      throw await this.#fault(error, deadline, options, now);
    } finally {
      // A reader that leaves early does not want the rest. A complete stream closes itself.
      if (!isComplete) deadline.abort();
    }
  }

  async #count(asked: Post, options: ReplyOptions): Promise<number> {
    const shape = countShape.safeParse(await this.#json(asked, COUNT_TIMEOUT_MS, options));
    if (shape.success) return shape.data.input_tokens;
    throw invalidAnswer('a count of tokens', shape.error);
  }

  /** The SDK's own timeout covers only the time to the first byte, so a stalled body needs this deadline. */
  async #json(asked: Post, timeoutMs: number, options: ReplyOptions): Promise<unknown> {
    const { signal, now = Date.now } = options;
    signal.throwIfAborted();
    const deadline = new Deadline(signal, { totalMs: timeoutMs });
    try {
      const response = await this.#post(asked, { timeout: timeoutMs * 2, stream: false }, deadline, options);
      return (await response.json()) as unknown;
    } catch (error) {
      throw await this.#fault(error, deadline, options, now);
    } finally {
      deadline.clear();
    }
  }

  async #post(
    asked: Post,
    how: { readonly timeout: number; readonly stream: boolean },
    { signal }: Deadline,
    options: ReplyOptions,
  ): Promise<Response> {
    const { trace } = options;
    const traced = { ...asked, headers: { ...asked.headers, ...traceHeader(options).headers } };
    const response = await post(await this.#client, traced, { signal, ...how });
    traceRequestId(trace, response.headers);
    return response;
  }

  async #fault(
    error: unknown,
    deadline: Deadline,
    { signal, trace }: ReplyOptions,
    now: () => number,
  ): Promise<unknown> {
    if (signal.aborted) return signal.reason;
    const sdk = await this.#sdk;
    if (error instanceof sdk.APIError) traceRequestId(trace, error.headers as Headers | undefined);
    return deadline.isLate ? timedOut(error) : fromUpstream(error, now(), sdk);
  }
}

function traceRequestId(trace: ReplyOptions['trace'], headers: Headers | undefined): void {
  const id = headers?.get('request-id') ?? headers?.get('x-amzn-requestid');
  if (id != null) trace?.({ upstreamRequestId: id });
}

function invalidAnswer(what: string, { issues: [issue] }: z.ZodError): ProviderUnavailableError {
  return new ProviderUnavailableError(
    `the upstream's answer is not ${what}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  );
}

/**
 * A provider that asks the Messages API, or a server that speaks it at `baseURL`, through the official SDK.
 *
 * @example createAnthropicProvider({ apiKey });
 */
export function createAnthropicProvider(options: AnthropicProviderOptions): ModelProvider {
  return new AnthropicProvider(options);
}
