/** The first of the waits that the provider says nothing of, in ms. */
export const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** What the provider asked for, else doubling from one second to a minute, spread by a fifth. */
export function providerWait(retryAfterMs: number | undefined, waits: number): number {
  if (retryAfterMs !== undefined) return Math.max(0, Math.ceil(retryAfterMs));
  const ms = Math.min(FIRST_WAIT_MS * 2 ** waits, LONGEST_WAIT_MS);
  return Math.round(ms * (0.9 + Math.random() * 0.2));
}
