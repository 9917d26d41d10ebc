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
 * The same activity with its errors as failures. Activities throw errors as they find them and are registered through this or
 * through `withRetryLimit`.
 */
export function withFailures<Arguments extends readonly unknown[], Outcome>(
  activity: (...args: Arguments) => Promise<Outcome>,
): (...args: Arguments) => Promise<Outcome> {
  return async (...args) => {
    try {
      return await activity(...args);
    } catch (error) {
      throw toFailure(error);
    }
  };
}

/**
 * Decides by an error's type whether the step is tried again. An error that no attempt would change becomes a non-retryable
 * failure with the error's own name; any other error stays as it is and is retried with back-off.
 */
export function toFailure(error: unknown): unknown {
  if (isStoreError(error)) return final(error.name, error);
  if (error instanceof SandboxError && isFinal(error)) return final(`sandbox_${error.code}`, error);
  if (error instanceof ApiError && !error.retryable) return final(error.type, error);
  return error;
}

/**
 * The store's refusals that no attempt would change. A full disk is among them: the next message may find room again, while
 * this turn has to say why it stopped.
 */
export function isStoreError(error: unknown): error is Error {
  return [StorageFullError, EventTooLargeError, StaleEpochError, NotStoredError, CorruptError].some(
    (kind) => error instanceof kind,
  );
}

function isFinal({ code, sandbox }: SandboxError): boolean {
  // An error without a sandbox says that this machine cannot have sandboxes at all.
  if (code === 'unavailable') return sandbox === null;
  return ['invalid_request', 'key_reused', 'unsupported', 'damaged', 'lost', 'no_place'].includes(code);
}

/** A failure that ends the step for good. */
export function final(type: string, cause: Error): ApplicationFailure {
  return ApplicationFailure.create({ message: cause.message, type, nonRetryable: true, cause });
}
