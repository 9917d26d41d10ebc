import { ApplicationFailure } from '@temporalio/activity';
import { ApiError } from '../messages/index.ts';
import {
  SandboxDamagedError,
  SandboxKeyReusedError,
  SandboxOutdatedError,
  SandboxRequestError,
  SandboxUnavailableError,
} from '../sandbox/client/errors.ts';
import { Corrupt, EventTooLarge, NotStored, StaleEpoch, StorageFull } from '../store/index.ts';

/**
 * Decides by an error's type whether the step is tried again. What will never succeed becomes a non-retryable failure
 * that bears the error's own name; anything else stays as it is and is retried with back-off.
 */
export function toFailure(error: unknown): unknown {
  // A disk that was freed takes the next message; this turn has to say why it stopped.
  if (error instanceof StorageFull || error instanceof EventTooLarge) return final(error.name, error);
  if (error instanceof StaleEpoch || error instanceof NotStored || error instanceof Corrupt)
    return final(error.name, error);
  if (error instanceof SandboxRequestError || error instanceof SandboxKeyReusedError)
    return final(error.name, error);
  if (error instanceof SandboxOutdatedError || error instanceof SandboxDamagedError)
    return final(error.name, error);
  // Without an id it is this machine that cannot have sandboxes at all.
  if (error instanceof SandboxUnavailableError && error.id === null) return final(error.name, error);
  if (error instanceof ApiError && !error.retryable) return final(error.type, error);
  return error;
}

/** A failure that ends the step for good. */
export function final(type: string, cause: Error): ApplicationFailure {
  return ApplicationFailure.create({ message: cause.message, type, nonRetryable: true, cause });
}
