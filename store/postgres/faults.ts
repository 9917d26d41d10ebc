import { StoreUnavailableError } from '../contract/errors.ts';
import { codeOf } from '../disk/faults.ts';

/** SQLSTATEs of a transaction that was undone for another one's sake: the same transaction may succeed now. */
const UNDONE = /^(?:40001|40P01|55P03)$/;
/** SQLSTATEs of a server that starts, stops or has no connection left, and of a lost connection. */
const AWAY = /^(?:57P0[1-5]|53300|53400|08\w{3}|25P0[34])$/;
const NETWORK =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENOTFOUND|EAI_AGAIN|ENOENT|EADDRNOTAVAIL)$/;
/** What the client library says without a code when a connection ends or nobody answers in time. */
const LOST =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout expired|timeout exceeded)/;

/** Whether the server has undone the transaction so that it may be repeated at once. */
export function isUndone(error: unknown): boolean {
  return UNDONE.test(codeOf(error));
}

/** Whether the server cannot be reached, or the connection was lost, so that it is not known what became of a commit. */
export function isAway(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true;
  const code = codeOf(error);
  if (AWAY.test(code) || NETWORK.test(code)) return true;
  return code === '' && error instanceof Error && LOST.test(error.message);
}

/** SQLSTATEs of a server that knows no such user, password or database, or does not let the user make tables. */
const REFUSED = /^(?:28\w{3}|3D000|42501)$/;

/** Whether the server does not take this program in. */
export function isRefused(error: unknown): boolean {
  return REFUSED.test(codeOf(error));
}

export function unavailable(place: string, error: unknown): StoreUnavailableError {
  if (error instanceof StoreUnavailableError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreUnavailableError(place, reason, { cause: error });
}
