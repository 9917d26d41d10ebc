import {
  ApplicationFailure,
  CancelledFailure,
  CompleteAsyncError,
  TemporalFailure,
} from '@temporalio/common';
import { DataError, encodeData } from '../core/data.ts';

/** As the worker's `ActivityInterceptors`, as far as it is used here. */
interface ActivityErrorsInterceptors {
  readonly inbound: {
    execute<TInput>(input: TInput, next: (input: TInput) => Promise<unknown>): Promise<unknown>;
  };
}

/**
 * Lets what an activity throws reach `event.error` of the machine as it was thrown: an Error with its name, message, code, own
 * fields and cause. Type, non-retryability, retry delay and category of an ApplicationFailure stay what they are, and so do its
 * details where it has some.
 *
 * @example
 * await Worker.create({ ..., interceptors: { activity: [activityErrors] } });
 */
export function activityErrors(): ActivityErrorsInterceptors {
  return {
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          throw withThrown(error);
        }
      },
    },
  };
}

/** A failure whose first detail is the error that was thrown; what concerns Temporal alone stays as it is. */
function withThrown(thrown: unknown): unknown {
  if (thrown instanceof CancelledFailure || thrown instanceof CompleteAsyncError) return thrown;
  if (thrown instanceof Error && isAbort(thrown)) return thrown;
  if (thrown instanceof ApplicationFailure) {
    const { message, type, nonRetryable, category, details, cause } = thrown;
    // The type of a duration is another package's.
    const nextRetryDelay = thrown.nextRetryDelay as number | undefined | null;
    // What its author gives as details is read by somebody.
    if (details !== undefined && details !== null && details.length > 0) return thrown;
    const plain = new Error(message, cause === undefined ? {} : { cause });
    Object.defineProperty(plain, 'name', { value: type ?? 'Error' });
    return failure(thrown, plain, {
      ...(type === undefined || type === null ? {} : { type }),
      nonRetryable: nonRetryable ?? false,
      ...(nextRetryDelay === undefined || nextRetryDelay === null ? {} : { nextRetryDelay }),
      ...(category === undefined || category === null ? {} : { category }),
    });
  }
  if (thrown instanceof TemporalFailure) return thrown;
  if (thrown instanceof Error) return failure(thrown, thrown, { type: thrown.name });
  // What is no error becomes one.
  const made = new Error(textOf(thrown), thrown === undefined ? {} : { cause: thrown });
  return failure(made, made, { type: 'Error' });
}

function failure(
  origin: Error,
  thrown: Error,
  options: Parameters<typeof ApplicationFailure.create>[0],
): ApplicationFailure {
  const made = ApplicationFailure.create({
    message: origin.message,
    ...options,
    details: [encoded(thrown)],
    ...(origin.cause instanceof Error ? { cause: origin.cause } : {}),
  });
  if (origin.stack !== undefined) made.stack = origin.stack;
  return made;
}

/** An error's fields may hold what cannot be kept, such as a socket: it goes without those. */
function encoded(thrown: Error): unknown {
  try {
    return encodeData(thrown, 'error');
  } catch (reason) {
    if (!(reason instanceof DataError)) throw reason;
    return encodeData(keepable(thrown), 'error');
  }
}

function keepable(error: Error): Error {
  const plain = new Error(error.message);
  const hidden = { writable: true, enumerable: false, configurable: true };
  Object.defineProperty(plain, 'name', { ...hidden, value: error.name });
  if (error.stack !== undefined) Object.defineProperty(plain, 'stack', { ...hidden, value: error.stack });
  for (const [key, field] of Object.entries(error)) {
    if (canBeKept(field)) Reflect.set(plain, key, field);
  }
  const { cause } = error;
  if (cause instanceof Error) plain.cause = canBeKept(cause) ? cause : keepable(cause);
  else if (cause !== undefined && canBeKept(cause)) plain.cause = cause;
  return plain;
}

function canBeKept(value: unknown): boolean {
  try {
    encodeData(value, 'field');
    return true;
  } catch {
    return false;
  }
}

const isAbort = (error: Error): boolean => error.name === 'AbortError';

const textOf = (thrown: unknown): string =>
  typeof thrown === 'string' ? thrown : `${JSON.stringify(thrown)}`;
