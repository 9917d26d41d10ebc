import { ApiError } from '@steadyhand/contracts';

/** A file of a sandbox's own is damaged: asking again does not help, and it can only be deleted. */
export function sandboxDamaged(message: string, cause?: Error): ApiError {
  const details = { error_code: 'sandbox_damaged' };
  return new ApiError('api_error', message, {
    status: 500,
    retryable: false,
    details,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A sandbox's machine is gone: asking again does not help, and it can only be deleted. */
export function sandboxLost(message: string, cause?: Error): ApiError {
  return new ApiError('api_error', message, {
    status: 410,
    retryable: false,
    details: { error_code: 'sandbox_lost' },
    ...(cause === undefined ? {} : { cause }),
  });
}
