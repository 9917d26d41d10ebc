import { InferenceError } from '../../common/errors.ts';
import type { PlainError } from './messages.ts';

/** An error as it travels between threads. */
export function plainError(error: unknown): PlainError {
  if (error instanceof InferenceError) {
    return { code: error.code, message: error.message, field: error.field };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: null, message, field: undefined };
}

/** The error on the other side. */
export function revived({ code, message, field }: PlainError): Error {
  return code === null
    ? new Error(message)
    : new InferenceError(code, message, field === undefined ? {} : { field });
}
