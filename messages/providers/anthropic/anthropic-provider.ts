import { Anthropic } from '@anthropic-ai/sdk';
import { z } from 'zod';
import { ProviderUnavailable } from '../../errors.ts';
import type { ModelRequest } from '../../request.ts';
import { clientSystem } from '../../system-prompt.ts';
import type { ModelProvider, ModelReply, ReplyOptions } from '../provider.ts';
import { fromUpstream, timedOut } from './upstream-errors.ts';

/** Node's fetch waits 300 s for the first byte of an answer and no longer; this ends first, with a plain text. */
const DEFAULT_TIMEOUT_MS = 290_000;

export interface AnthropicProviderOptions {
  /** The upstream's key; never that of our own clients. */
  readonly apiKey: string;
  /** Default: the API itself. */
  readonly baseURL?: string;
  /** Until a reply must be whole; default 290 s. */
  readonly timeoutMs?: number;
}

/** As much of a reply as must be right for anything to be done with it. */
const replyShape = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string(),
  usage: z.looseObject({ input_tokens: z.number(), output_tokens: z.number() }),
});

type UpstreamParams = Anthropic.Beta.Messages.MessageCreateParamsNonStreaming;

/** The upstream generates the computer-use prompt itself, so it is sent the client's own texts alone. */
function toUpstream(request: ModelRequest): UpstreamParams {
  const { betas, messages, tools, system: _system, system_prompt: _prompt, ...rest } = request;
  const system = clientSystem(request);
  return {
    ...rest,
    messages: [...messages],
    ...(tools.length === 0 ? {} : { tools: [...tools] }),
    ...(system === undefined ? {} : { system }),
    ...(betas.length === 0 ? {} : { betas: [...betas] }),
    stream: false,
  };
}

class AnthropicProvider implements ModelProvider {
  readonly name = 'anthropic';
  readonly #client: Anthropic;
  readonly #timeoutMs: number;

  constructor({ apiKey, baseURL, timeoutMs = DEFAULT_TIMEOUT_MS }: AnthropicProviderOptions) {
    this.#timeoutMs = timeoutMs;
    this.#client = new Anthropic({
      apiKey,
      ...(baseURL === undefined ? {} : { baseURL }),
      // Who calls decides when to try again: a workflow waits durably, an HTTP client has retries of its own.
      maxRetries: 0,
      // Requests carry the key and the conversation; neither belongs in a log.
      logLevel: 'off',
    });
  }

  async reply(request: ModelRequest, { signal, now = Date.now }: ReplyOptions): Promise<ModelReply> {
    signal.throwIfAborted();
    const reply = await this.#ask(request, signal, now);
    const shape = replyShape.safeParse(reply);
    if (shape.success) return reply as ModelReply;
    const [issue] = shape.error.issues;
    throw new ProviderUnavailable(
      `the upstream's answer is not a message: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
    );
  }

  /** The SDK's own timeout ends with the answer's first byte, so a body that stalls needs a deadline of ours. */
  async #ask(request: ModelRequest, signal: AbortSignal, now: () => number): Promise<unknown> {
    const controller = new AbortController();
    const giveUp = (): void => controller.abort();
    const timer = setTimeout(giveUp, this.#timeoutMs);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await this.#client.beta.messages.create(toUpstream(request), {
        signal: controller.signal,
        // Longer than ours; given at all, it keeps the SDK from insisting on streaming for a large `max_tokens`.
        timeout: this.#timeoutMs * 2,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (controller.signal.aborted) throw timedOut(error);
      throw fromUpstream(error, now());
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }
}

/** The Messages API of Anthropic, or of whoever speaks it at `baseURL`, through the official SDK. */
export function createAnthropicProvider(options: AnthropicProviderOptions): ModelProvider {
  return new AnthropicProvider(options);
}
