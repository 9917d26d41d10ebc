import { ApiError } from '@steadyhand/contracts';
import { ProviderOverloadedError, ProviderRateLimitedError, ReplyTooLargeError } from '../api/errors.ts';

/** How the newest exchange with a provider ended. */
export interface Contact {
  /** `limited`: it asks for less or later; `failing`: it is not reached, breaks off, or refuses its key. */
  readonly state: 'ok' | 'limited' | 'failing';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Until when it asks to be left alone, where it says so. */
  readonly until: number | null;
  /** What it said; null where all is well. */
  readonly reason: string | null;
}

/** What an error tells of the provider that it came from. @param at milliseconds since the epoch */
export function contactOf(error: unknown, at: number): Contact {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof ProviderRateLimitedError || error instanceof ProviderOverloadedError) {
    const { retryAfterMs } = error;
    return { state: 'limited', at, until: retryAfterMs === undefined ? null : at + retryAfterMs, reason };
  }
  // The request was at fault and not the provider, unless it is the provider's own key that is refused.
  const reached =
    error instanceof ReplyTooLargeError ||
    (error instanceof ApiError && error.status < 500 && error.status !== 401 && error.status !== 403);
  return reached
    ? { state: 'ok', at, until: null, reason: null }
    : { state: 'failing', at, until: null, reason };
}
