/** Bounds and waits. Times are in ms, sizes in bytes. */
export interface Limits {
  readonly pollWaitMs: number;
  readonly historyWaitMs: number;
  readonly updateWaitMs: number;
  /** How long before the caller's deadline a long poll is answered empty. */
  readonly deadlineMarginMs: number;
  readonly shortestPollDeadlineMs: number;
  readonly historyPageEvents: number;
  readonly blobBytes: number;
  readonly memoBytes: number;
  readonly idLength: number;
  readonly suggestContinueAsNewEvents: number;
  readonly suggestContinueAsNewBytes: number;
  readonly defaultTaskTimeoutMs: number;
  readonly maximumTaskTimeoutMs: number;
  /** How far apart runs of one workflow id start at least, when one continues another. */
  readonly continueAsNewSpacingMs: number;
  readonly inFlightUpdates: number;
  /** The time from the end of one removal of closed runs to the next. */
  readonly retentionSweepMs: number;
  /** How many runs are kept in memory. */
  readonly cachedRuns: number;
}

/** The real server's defaults. */
export const DEFAULT_LIMITS: Limits = {
  pollWaitMs: 60_000,
  historyWaitMs: 20_000,
  updateWaitMs: 20_000,
  deadlineMarginMs: 1_000,
  shortestPollDeadlineMs: 2_000,
  historyPageEvents: 256,
  blobBytes: 2 * 1024 * 1024,
  memoBytes: 2 * 1024 * 1024,
  idLength: 1000,
  suggestContinueAsNewEvents: 4096,
  suggestContinueAsNewBytes: 4 * 1024 * 1024,
  defaultTaskTimeoutMs: 10_000,
  maximumTaskTimeoutMs: 120_000,
  continueAsNewSpacingMs: 1_000,
  inFlightUpdates: 10,
  retentionSweepMs: 300_000,
  cachedRuns: 512,
};
