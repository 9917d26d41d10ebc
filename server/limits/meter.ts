import type { Response } from 'express';
import {
  countInputTokens,
  defined,
  type Message,
  type ModelRequest,
  type ReplyOptions,
  type StreamEvent,
} from '@steadyhand/messages';
import { noteForLog } from '../http/log-fields.ts';
import { limiterOf } from './limited.ts';
import type { Buckets, Charge, Demand, Lane } from './rate-limiter.ts';
import type { TokenBucket } from './token-bucket.ts';

/** How many characters of a streamed delta count as a token until the upstream tells the true count. */
const CHARACTERS_PER_TOKEN = 4;

/** Counts what a request uses, for its key's limits and for its line in the log. Ends with the answer. */
export interface Meter {
  /** The events of a streamed reply, counted as they pass. */
  counted(events: AsyncIterable<StreamEvent>): AsyncIterable<StreamEvent>;
  /** Counts a whole reply. */
  reply(message: Message): void;
  /** The provider is given this function, to tell its name and the upstream's id of the request. */
  readonly trace: NonNullable<ReplyOptions['trace']>;
}

/**
 * Lets a request for a reply in, and puts the key's rate-limit headers into its answer.
 * @throws {ApiError} `rate_limit_error` when the key has no room for it; the headers are set then too
 */
export async function openMeter(
  res: Response,
  request: ModelRequest & { readonly stream?: boolean },
): Promise<Meter> {
  const started = performance.now();
  const { model, stream: streamed = false } = request;
  noteForLog(res, { model, streamed });
  const charge = await admit(res, {
    lane: 'messages',
    model,
    streamed,
    estimateInput: () => countInputTokens(request),
  });
  let characters = 0;
  let isFirst = true;

  const count = (event: StreamEvent): void => {
    if (isFirst) noteForLog(res, { first_byte_ms: Math.round(performance.now() - started) });
    isFirst = false;
    switch (event.type) {
      case 'message_start':
        noteInput(res, charge, event.message.usage);
        break;
      case 'content_block_delta':
        characters += charactersOf(event.delta);
        charge.setOutput(Math.floor(characters / CHARACTERS_PER_TOKEN));
        break;
      case 'message_delta':
        // A later count of the input replaces the first: some upstreams know it only at the end.
        if ((event.usage.input_tokens ?? 0) > 0) noteInput(res, charge, event.usage);
        noteOutput(res, charge, event.usage.output_tokens, event.delta.stop_reason);
        break;
      default:
        break;
    }
  };

  return {
    async *counted(events) {
      for await (const event of events) {
        count(event);
        yield event;
      }
    },
    reply({ usage, stop_reason: stopReason }) {
      noteInput(res, charge, usage);
      noteOutput(res, charge, usage.output_tokens, stopReason);
      // The headers are set again, because the answer has not begun and they can tell what the reply has used.
      setHeaders(res, charge.buckets);
    },
    trace({ provider, upstreamRequestId }) {
      noteForLog(res, {
        ...defined({ provider, upstream_request_id: upstreamRequestId }),
      });
    },
  };
}

/** Lets in a request of another lane, which uses no tokens of the key. */
export async function admitRequest(
  res: Response,
  lane: Exclude<Lane, 'messages'>,
  model?: string,
): Promise<void> {
  if (model !== undefined) noteForLog(res, { model });
  await admit(res, { lane, model });
}

async function admit(res: Response, demand: Demand): Promise<Charge> {
  const limiter = limiterOf(res);
  try {
    const charge = await limiter.admit(demand);
    // A client that left while its request was read has closed its answer already.
    if (res.closed) charge.close();
    else res.once('close', () => charge.close());
    return charge;
  } finally {
    setHeaders(res, limiter.buckets(demand.lane));
  }
}

function setHeaders(res: Response, buckets: Charge['buckets']): void {
  for (const [name, value] of Object.entries(rateLimitHeaders(buckets))) res.setHeader(name, value);
}

interface InputUsage {
  readonly input_tokens: number | null;
  readonly cache_creation_input_tokens?: number | null;
}

/** What is read from a cache does not count, what is written to it does. */
function noteInput(res: Response, charge: Charge, usage: InputUsage): void {
  const tokens = (usage.input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  charge.setInput(tokens);
  noteForLog(res, { input_tokens: usage.input_tokens ?? 0 });
}

function noteOutput(res: Response, charge: Charge, tokens: number, stopReason: string | null): void {
  charge.setOutput(tokens);
  noteForLog(res, { output_tokens: tokens, stop_reason: stopReason });
}

function charactersOf(delta: Extract<StreamEvent, { type: 'content_block_delta' }>['delta']): number {
  switch (delta.type) {
    case 'text_delta':
      return delta.text.length;
    case 'input_json_delta':
      return delta.partial_json.length;
    case 'thinking_delta':
      return delta.thinking.length;
    default:
      return 0;
  }
}

/**
 * `anthropic-ratelimit-{requests,tokens,input-tokens,output-tokens}-{limit,remaining,reset}` for what has a limit. `tokens` is
 * input and output together, told where both have one. A reset is the time when the whole limit is there again.
 */
function rateLimitHeaders(buckets: Buckets): Record<string, string> {
  const { requests, inputTokens, outputTokens } = buckets;
  return {
    ...headersOf('requests', requests),
    ...headersOf('input-tokens', inputTokens),
    ...headersOf('output-tokens', outputTokens),
    ...(inputTokens === undefined || outputTokens === undefined
      ? {}
      : headersOf('tokens', {
          limit: inputTokens.limit + outputTokens.limit,
          remaining: inputTokens.remaining + outputTokens.remaining,
          fullAt: Math.max(inputTokens.fullAt, outputTokens.fullAt),
        })),
  };
}

function headersOf(
  name: string,
  state: Pick<TokenBucket, 'limit' | 'remaining' | 'fullAt'> | undefined,
): Record<string, string> {
  if (state === undefined) return {};
  const prefix = `anthropic-ratelimit-${name}`;
  return {
    [`${prefix}-limit`]: String(state.limit),
    [`${prefix}-remaining`]: String(state.remaining),
    [`${prefix}-reset`]: rfc3339(state.fullAt),
  };
}

/** The time in whole seconds, rounded up, so that the limit is there again at the time that is told. */
function rfc3339(ms: number): string {
  return new Date(Math.ceil(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}
