import { ApiError } from '@steadyhand/contracts';
import type { KeyLimits, LimitedKind } from '../auth/client-key.ts';
import { TokenBucket } from './token-bucket.ts';

/** Requests of one lane do not use up another's: counting tokens is free beside asking for replies. */
export type Lane = 'messages' | 'count_tokens' | 'batches';

export type Buckets = Readonly<Partial<Record<LimitedKind, TokenBucket>>>;

/** What a request was counted for. It is corrected by what the request turns out to use. */
export interface Charge {
  /** The lane's state as the headers tell it. */
  readonly buckets: Buckets;
  /** The tokens that the model read, in the place of the estimate. */
  setInput(tokens: number): void;
  /** The tokens that the model has written so far. */
  setOutput(tokens: number): void;
  /** Ends the charge. An estimate that was never corrected is given back. Further calls do nothing. */
  close(): void;
}

export interface Demand {
  readonly lane: Lane;
  /** The model that the error's text names. */
  readonly model?: string | undefined;
  /** Estimates the input. It is called only where the key has a limit of input tokens, because counting takes time. */
  readonly estimateInput?: () => number;
  readonly streamed?: boolean;
}

const NAMES = { requests: 'requests', inputTokens: 'input tokens', outputTokens: 'output tokens' } as const;
const REFERENCE = 'For details, refer to: https://docs.claude.com/en/api/rate-limits.';
/** Nobody knows when a stream will end; this only keeps clients from asking in a tight loop. */
const STREAM_RETRY_MS = 1000;

/** The limits of one key. It holds a few numbers, however many requests there are. */
export class RateLimiter {
  readonly #lanes: Readonly<Record<Lane, Buckets>>;
  readonly #limits: KeyLimits;
  readonly #organization: string;
  #streams = 0;

  constructor(limits: KeyLimits, organization: string, now: () => number = Date.now) {
    const buckets = (...kinds: readonly LimitedKind[]): Buckets => {
      const limited = kinds.flatMap((kind) =>
        limits[kind] === undefined ? [] : [[kind, limits[kind]] as const],
      );
      return Object.fromEntries(limited.map(([kind, limit]) => [kind, new TokenBucket(limit, now)]));
    };
    this.#limits = limits;
    this.#organization = organization;
    this.#lanes = {
      messages: buckets('requests', 'inputTokens', 'outputTokens'),
      count_tokens: buckets('requests'),
      batches: buckets('requests'),
    };
  }

  /** The state that the headers of a lane's answers tell. */
  buckets(lane: Lane): Buckets {
    return this.#lanes[lane];
  }

  /** Streamed replies under way, and how many there may be. */
  get streams(): { readonly open: number; readonly limit: number | undefined } {
    return { open: this.#streams, limit: this.#limits.streams };
  }

  /**
   * Counts a request, or refuses it.
   * @throws {ApiError} `rate_limit_error` with the time until it would be let in
   */
  admit(demand: Demand): Charge {
    const buckets = this.#lanes[demand.lane];
    const { requests, inputTokens, outputTokens } = buckets;
    const { streams } = this.#limits;
    if (demand.streamed === true && streams !== undefined && this.#streams >= streams) {
      throw new ApiError(
        'rate_limit_error',
        'Number of concurrent connections has exceeded your rate limit. Please try again later.',
        { retryAfterMs: STREAM_RETRY_MS },
      );
    }
    const input = inputTokens === undefined ? 0 : (demand.estimateInput?.() ?? 0);
    if (requests?.allows(1) === false) throw this.#exceeded('requests', requests, 1, demand);
    if (inputTokens?.allows(input) === false) throw this.#exceeded('inputTokens', inputTokens, input, demand);
    if (outputTokens?.allows(1) === false) throw this.#exceeded('outputTokens', outputTokens, 1, demand);
    requests?.take(1);
    inputTokens?.take(input);
    if (demand.streamed === true) this.#streams++;
    return this.#charge(buckets, input, demand.streamed === true);
  }

  #charge(buckets: Buckets, estimate: number, streamed: boolean): Charge {
    let input = estimate;
    let output = 0;
    let isKnown = false;
    let isOpen = true;
    return {
      buckets,
      setInput: (tokens) => {
        buckets.inputTokens?.take(tokens - input);
        input = tokens;
        isKnown = true;
      },
      setOutput: (tokens) => {
        buckets.outputTokens?.take(tokens - output);
        output = tokens;
      },
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        if (streamed) this.#streams--;
        if (!isKnown) buckets.inputTokens?.take(-input);
      },
    };
  }

  #exceeded(kind: LimitedKind, bucket: TokenBucket, amount: number, { model }: Demand): ApiError {
    const limit = `${bucket.limit.toLocaleString('en-US')} ${NAMES[kind]} per minute`;
    const whose = `(org: ${this.#organization}${model === undefined ? '' : `, model: ${model}`})`;
    const advice = `You can see the response headers for current usage. Please reduce the prompt length or the maximum tokens requested, or try again later.`;
    return new ApiError(
      'rate_limit_error',
      `This request would exceed your organization's rate limit of ${limit} ${whose}. ${REFERENCE} ${advice}`,
      // The hint is at least a millisecond, because with a hint of nothing clients would ask again at once.
      { retryAfterMs: Math.max(1, bucket.msUntil(amount)) },
    );
  }
}
