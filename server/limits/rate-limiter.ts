import { ApiError } from '@steadyhand/contracts';
import type { Rates } from '@steadyhand/store';
import type { KeyLimits, LimitedKind } from '../auth/client-key.ts';
import { SharedLane } from './shared-lane.ts';
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

interface RateLimiterOptions {
  /** How errors name the client's organization. */
  readonly organization: string;
  /** Milliseconds since 1970; default Date.now. */
  readonly now?: (() => number) | undefined;
  /** Where the levels are that all servers share, and the name of the key there; without it each process counts for itself. */
  readonly shared?: { readonly rates: Rates; readonly key: string } | undefined;
  /** Told when the shared levels cannot be asked for; this process counts for itself meanwhile. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/** The limits of one key. It holds a few numbers, however many requests there are. */
export class RateLimiter {
  readonly #lanes: Readonly<Record<Lane, Buckets>>;
  readonly #shared: Readonly<Partial<Record<Lane, SharedLane>>>;
  readonly #limits: KeyLimits;
  readonly #options: RateLimiterOptions;
  #streams = 0;

  constructor(limits: KeyLimits, options: RateLimiterOptions) {
    const { now = Date.now, shared } = options;
    const buckets = (...kinds: readonly LimitedKind[]): Buckets => {
      const limited = kinds.flatMap((kind) =>
        limits[kind] === undefined ? [] : [[kind, limits[kind]] as const],
      );
      return Object.fromEntries(limited.map(([kind, limit]) => [kind, new TokenBucket(limit, now)]));
    };
    this.#limits = limits;
    this.#options = options;
    this.#lanes = {
      messages: buckets('requests', 'inputTokens', 'outputTokens'),
      count_tokens: buckets('requests'),
      batches: buckets('requests'),
    };
    const sharedLanes = Object.entries(this.#lanes).flatMap(([lane, held]) => {
      const streams = lane === 'messages' ? limits.streams : undefined;
      if (shared === undefined || (Object.keys(held).length === 0 && streams === undefined)) return [];
      const ofLane = { ...limitsOf(held), ...(streams === undefined ? {} : { streams }) };
      const key = `${shared.key}/${lane}`;
      return [[lane, new SharedLane({ key, limits: ofLane, buckets: held, rates: shared.rates })] as const];
    });
    this.#shared = Object.fromEntries(sharedLanes);
  }

  /** The state that the headers of a lane's answers tell. */
  buckets(lane: Lane): Buckets {
    return this.#lanes[lane];
  }

  /** Streamed replies under way, and how many there may be. */
  get streams(): { readonly open: number; readonly limit: number | undefined } {
    return { open: this.#shared.messages?.streams ?? this.#streams, limit: this.#limits.streams };
  }

  /** Learns what other servers have let in, so that `buckets` and `streams` tell it. */
  async refresh(): Promise<void> {
    const lanes = Object.values(this.#shared).map((lane) => lane.refresh());
    await Promise.all(lanes).catch((error: unknown) => this.#options.onFault?.(error));
  }

  /**
   * Counts a request, or refuses it.
   * @throws {ApiError} `rate_limit_error` with the time until it would be let in
   */
  async admit(demand: Demand): Promise<Charge> {
    const buckets = this.#lanes[demand.lane];
    const streamed = demand.streamed === true;
    const input = buckets.inputTokens === undefined ? 0 : (demand.estimateInput?.() ?? 0);
    const shared = this.#shared[demand.lane];
    if (shared !== undefined && (await this.#admitted(shared, demand, input))) {
      return this.#charge(buckets, input, streamed, shared);
    }
    const refusal = this.#refusal(demand, input);
    if (refusal !== undefined) throw refusal;
    buckets.requests?.take(1);
    buckets.inputTokens?.take(input);
    shared?.use('requests', 1);
    shared?.use('inputTokens', input);
    if (streamed) this.#openStream(shared);
    return this.#charge(buckets, input, streamed, shared);
  }

  /**
   * Whether all servers together have room for a request, which is counted then. False when that cannot be learned.
   * @throws {ApiError} where they have none
   */
  async #admitted(shared: SharedLane, demand: Demand, inputTokens: number): Promise<boolean> {
    const take = { requests: 1, inputTokens, outputTokens: 0 };
    try {
      while (!(await shared.ask({ ...take, outputTokens: 1 }, take, demand.streamed === true))) {
        const refusal = this.#refusal(demand, inputTokens);
        if (refusal !== undefined) throw refusal;
        // Since the levels were told there was time for what had been missing.
      }
      return true;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      this.#options.onFault?.(error);
      return false;
    }
  }

  /** Why a request is refused by what this process knows; undefined where it is not. */
  #refusal(demand: Demand, input: number): ApiError | undefined {
    const { requests, inputTokens, outputTokens } = this.#lanes[demand.lane];
    const { open, limit } = this.streams;
    if (demand.streamed === true && limit !== undefined && open >= limit) {
      return new ApiError(
        'rate_limit_error',
        'Number of concurrent connections has exceeded your rate limit. Please try again later.',
        { retryAfterMs: STREAM_RETRY_MS },
      );
    }
    if (requests?.allows(1) === false) return this.#exceeded('requests', requests, 1, demand);
    if (inputTokens?.allows(input) === false)
      return this.#exceeded('inputTokens', inputTokens, input, demand);
    if (outputTokens?.allows(1) === false) return this.#exceeded('outputTokens', outputTokens, 1, demand);
    return undefined;
  }

  #openStream(shared: SharedLane | undefined): void {
    if (shared === undefined) this.#streams++;
    else shared.openStream();
  }

  #charge(buckets: Buckets, estimate: number, streamed: boolean, shared: SharedLane | undefined): Charge {
    let input = estimate;
    let output = 0;
    let isKnown = false;
    let isOpen = true;
    const use = (kind: LimitedKind, amount: number): void => {
      if (buckets[kind] === undefined) return;
      buckets[kind].take(amount);
      shared?.use(kind, amount);
    };
    return {
      buckets,
      setInput: (tokens) => {
        use('inputTokens', tokens - input);
        input = tokens;
        isKnown = true;
      },
      setOutput: (tokens) => {
        use('outputTokens', tokens - output);
        output = tokens;
      },
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        if (streamed && shared === undefined) this.#streams--;
        else if (streamed) shared?.closeStream();
        if (!isKnown) use('inputTokens', -input);
      },
    };
  }

  #exceeded(kind: LimitedKind, bucket: TokenBucket, amount: number, { model }: Demand): ApiError {
    const limit = `${bucket.limit.toLocaleString('en-US')} ${NAMES[kind]} per minute`;
    const whose = `(org: ${this.#options.organization}${model === undefined ? '' : `, model: ${model}`})`;
    const advice = `You can see the response headers for current usage. Please reduce the prompt length or the maximum tokens requested, or try again later.`;
    return new ApiError(
      'rate_limit_error',
      `This request would exceed your organization's rate limit of ${limit} ${whose}. ${REFERENCE} ${advice}`,
      // The hint is at least a millisecond, because with a hint of nothing clients would ask again at once.
      { retryAfterMs: Math.max(1, bucket.msUntil(amount)) },
    );
  }
}

function limitsOf(buckets: Buckets): KeyLimits {
  return Object.fromEntries(Object.entries(buckets).map(([kind, { limit }]) => [kind, limit]));
}
