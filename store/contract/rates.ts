/** An amount for each thing that is limited by the minute. */
export interface RateAmounts {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface RateRequest {
  /** Whose levels: every process that names it so shares them. */
  readonly key: string;
  /** How much is refilled a minute, which is also the most that is held. What is absent has no limit. */
  readonly limits: Partial<RateAmounts>;
  /** Taken in any case, because it was used already. What is negative is given back. */
  readonly used: RateAmounts;
  /** `take` is taken if at least `need` is there of everything, and a stream more is allowed. */
  readonly ask?:
    | { readonly need: RateAmounts; readonly take: RateAmounts; readonly stream: boolean }
    | undefined;
  /** Streams of this process that are open, without the one that is asked for, and how many all processes may have. */
  readonly streams: { readonly open: number; readonly limit?: number | undefined };
}

export interface RateState {
  /** Whether what was asked for was taken. */
  readonly admitted: boolean;
  /** What is left. It may be below zero. */
  readonly levels: RateAmounts;
  /** Open streams of all other processes. */
  readonly elsewhere: number;
}

/**
 * Levels that all processes with the store share. A process that dies with open streams is forgotten after `STREAM_LEASE_MS`; one that lives
 * has to ask again before that, if only with nothing used.
 */
export interface Rates {
  take(request: RateRequest): Promise<RateState>;
}

export const STREAM_LEASE_MS = 30_000;
