import { ApplicationFailure } from '@temporalio/activity';
import { ApiError, SandboxError } from '@steadyhand/contracts';
import {
  CorruptError,
  EventTooLargeError,
  NotStoredError,
  StaleEpochError,
  StorageFullError,
} from '@steadyhand/store';

/**
 * Decides by an error's type whether the step is tried again. What will never succeed becomes a non-retryable failure
 * that bears the error's own name; anything else stays as it is and is retried with back-off.
 */
export function toFailure(error: unknown): unknown {
  // A disk that was freed takes the next message; this turn has to say why it stopped.
  if (error instanceof StorageFullError || error instanceof EventTooLargeError)
    return final(error.name, error);
  if (error instanceof StaleEpochError || error instanceof NotStoredError || error instanceof CorruptError)
    return final(error.name, error);
  if (error instanceof SandboxError && isFinal(error)) return final(`sandbox_${error.code}`, error);
  if (error instanceof ApiError && !error.retryable) return final(error.type, error);
  return error;
}

function isFinal({ code, sandbox }: SandboxError): boolean {
  // Without a sandbox it is this machine that cannot have sandboxes at all.
  if (code === 'unavailable') return sandbox === null;
  return ['invalid_request', 'key_reused', 'unsupported', 'damaged'].includes(code);
}

/** A failure that ends the step for good. */
export function final(type: string, cause: Error): ApplicationFailure {
  return ApplicationFailure.create({ message: cause.message, type, nonRetryable: true, cause });
}
