import { InferenceError } from '../../common/errors.ts';
import type { SerializedError } from './messages.ts';

/** An error as it travels between threads. */
export function serializeError(error: unknown): SerializedError {
  if (error instanceof InferenceError) {
    return { code: error.code, message: error.message, field: error.field };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: null, message, field: undefined };
}

/** The error on the other side. */
export function deserializeError({ code, message, field }: SerializedError): Error {
  return code === null
    ? new Error(message)
    : new InferenceError(code, message, field === undefined ? {} : { field });
}
