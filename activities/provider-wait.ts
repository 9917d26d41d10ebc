/** The first and the longest wait where the provider asks for none. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** The longest wait that a provider can ask for. */
const LONGEST_ASKED_MS = 60 * 60 * 1000;

/**
 * How long to wait for the provider: as long as it asked for, else a time that doubles from one second to a minute. Times that
 * it did not ask for, and the longest one, vary by a fifth, so that sessions do not come back all at once.
 */
export function providerWait(retryAfterMs: number | undefined, waits: number): number {
  if (retryAfterMs !== undefined && retryAfterMs < LONGEST_ASKED_MS)
    return Math.max(0, Math.ceil(retryAfterMs));
  const ms =
    retryAfterMs === undefined ? Math.min(FIRST_WAIT_MS * 2 ** waits, LONGEST_WAIT_MS) : LONGEST_ASKED_MS;
  return Math.round(ms * (0.9 + Math.random() * 0.2));
}
