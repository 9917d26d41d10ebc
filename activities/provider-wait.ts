/** The first of the waits that the provider says nothing of, in ms. */
export const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** The longest that a provider is waited for at its word. */
const LONGEST_ASKED_MS = 60 * 60 * 1000;

/**
 * What the provider asked for, else doubling from one second to a minute. Waits that nobody asked for, and those of an hour,
 * which is the longest, are spread by a fifth, so that sessions do not come back all at once.
 */
export function providerWait(retryAfterMs: number | undefined, waits: number): number {
  if (retryAfterMs !== undefined && retryAfterMs < LONGEST_ASKED_MS)
    return Math.max(0, Math.ceil(retryAfterMs));
  const ms =
    retryAfterMs === undefined ? Math.min(FIRST_WAIT_MS * 2 ** waits, LONGEST_WAIT_MS) : LONGEST_ASKED_MS;
  return Math.round(ms * (0.9 + Math.random() * 0.2));
}
