import { ApplicationFailure, TemporalFailure, TimeoutFailure } from '@temporalio/workflow';
import { decodeData } from '../core/data.ts';
import { MACHINE_ERROR } from '../core/machine-error.ts';

/**
 * What `onError` of an actor gets, as the actor threw it: an Error with its name, message, code, own fields and cause, where
 * the worker runs activities by `activityErrors`; without that its name and message, and `details` where there are some.
 *
 * A timeout is an Error with the name `TimeoutFailure` and a `timeoutType`.
 */
export function toActorError(error: unknown): unknown {
  const cause = rootOf(error);
  if (cause instanceof ApplicationFailure) {
    const details = cause.details ?? [];
    const [thrown] = details;
    if (isEncoded(thrown) || (cause.type === MACHINE_ERROR && thrown !== undefined))
      return decodeData(thrown);
    return named(cause.type ?? 'Error', cause.message, details.length === 0 ? {} : { details });
  }
  if (cause instanceof TimeoutFailure) {
    return named('TimeoutFailure', cause.message, { timeoutType: cause.timeoutType });
  }
  if (cause instanceof Error) return named(cause.name, cause.message, {});
  return cause;
}

function named(name: string, message: string, fields: Readonly<Record<string, unknown>>): Error {
  const error = new Error(message);
  Object.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
  return Object.assign(error, fields);
}

/** The failure below those of Temporal that only say where it happened. */
function rootOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof TemporalFailure && cause.cause !== undefined && !isRoot(cause)) cause = cause.cause;
  return cause;
}

const isRoot = (failure: TemporalFailure): boolean =>
  failure instanceof ApplicationFailure || failure instanceof TimeoutFailure;

const isEncoded = (detail: unknown): boolean =>
  typeof detail === 'object' && detail !== null && '$type' in detail && detail.$type === 'Error';
