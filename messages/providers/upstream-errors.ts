import { ProviderTimedOutError, ProviderUnavailableError } from '../api/errors.ts';
import { isRecord } from '../api/is-record.ts';

/** The longest wait that is respected; after it an upstream that asked for more is asked again. */
const LONGEST_WAIT_MS = 60 * 60 * 1000;

/**
 * Reads how many milliseconds the upstream asks to wait: `retry-after-ms`, else `retry-after` in seconds or as a date,
 * an hour at most. The result is undefined where there is no readable hint.
 */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  const asked = askedWait(headers, now);
  return asked === undefined ? undefined : Math.min(Math.max(0, Math.ceil(asked)), LONGEST_WAIT_MS);
}

function askedWait(headers: Headers | undefined, now: number): number | undefined {
  const exact = headers?.get('retry-after-ms') ?? '';
  if (exact !== '' && Number(exact) >= 0) return Number(exact);
  const hint = headers?.get('retry-after') ?? '';
  if (hint === '') return undefined;
  if (Number(hint) >= 0) return Number(hint) * 1000;
  const date = Date.parse(hint);
  return Number.isNaN(date) ? undefined : date - now;
}

/** The upstream gave no answer, or no whole one, within its time. */
export function timedOut(cause?: unknown): ProviderTimedOutError {
  return new ProviderTimedOutError('the upstream did not answer in time', { cause });
}

export function unreachable(error: unknown): ProviderUnavailableError {
  return new ProviderUnavailableError(`the upstream cannot be reached: ${rootMessage(error)}`, {
    cause: error,
  });
}

export function unreadableAnswer(error: unknown): ProviderUnavailableError {
  return new ProviderUnavailableError(`the upstream's answer cannot be read: ${rootMessage(error)}`, {
    cause: error,
  });
}

/** The message of the innermost cause: `connect ECONNREFUSED 127.0.0.1:8080` says more than `fetch failed`. */
function rootMessage(error: unknown): string {
  let root = error;
  while (isRecord(root) && isRecord(root['cause'])) root = root['cause'];
  return isRecord(root) && typeof root['message'] === 'string' ? root['message'] : String(root);
}
