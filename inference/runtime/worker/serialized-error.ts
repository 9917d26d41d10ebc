import { InferenceError } from '../../common/errors.ts';
import type { SerializedError } from './messages.ts';

/** Makes an error that can be sent to another thread. */
export function serializeError(error: unknown): SerializedError {
  if (error instanceof InferenceError) {
    return { code: error.code, message: error.message, field: error.field };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: null, message, field: undefined };
}

/** Makes the error in the thread that received it. */
export function deserializeError({ code, message, field }: SerializedError): Error {
  return code === null
    ? new Error(message)
    : new InferenceError(code, message, field === undefined ? {} : { field });
}
