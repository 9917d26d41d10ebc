/** The real server's defaults of bounds and waits. Times are in ms, sizes in bytes. */
export const DEFAULT_LIMITS = {
  pollWaitMs: 60_000,
  historyWaitMs: 20_000,
  updateWaitMs: 20_000,
  /** How long a worker may have a query before it is sent again; each further wait is twice as long. */
  queryResendMs: 10_000,
  /** How long before the caller's deadline a long poll is answered empty. */
  deadlineMarginMs: 1_000,
  shortestPollDeadlineMs: 2_000,
  historyPageEvents: 256,
  blobBytes: 2 * 1024 * 1024,
  memoBytes: 2 * 1024 * 1024,
  suggestContinueAsNewEvents: 4096,
  suggestContinueAsNewBytes: 4 * 1024 * 1024,
  defaultTaskTimeoutMs: 10_000,
  maximumTaskTimeoutMs: 120_000,
  /** How far apart runs of one workflow id start at least, when one continues another. */
  continueAsNewSpacingMs: 1_000,
  inFlightUpdates: 10,
  /** The time from the end of one removal of closed runs to the next. */
  retentionSweepMs: 300_000,
  /** How many runs are kept in memory. */
  cachedRuns: 512,
};

export type Limits = Readonly<typeof DEFAULT_LIMITS>;
