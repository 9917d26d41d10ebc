import { isGrpcServiceError } from '@temporalio/client';
import { ApiError, InvalidRequestError } from '@steadyhand/contracts';

/** The numbers of gRPC's statuses. */
const CANCELLED = 1;
const INVALID_ARGUMENT = 3;
const DEADLINE_EXCEEDED = 4;
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const FAILED_PRECONDITION = 9;
const UNIMPLEMENTED = 12;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

/** How the server says that a run has closed, under the status of one that does not exist. */
const CLOSED = /already completed|is not running|already closed/i;

/**
 * What a client is told of an error of the Temporal service, in the service's own words.
 *
 * @param what that was asked for, for a 404
 */
export function apiErrorOf(error: unknown, what: string): unknown {
  if (!isGrpcServiceError(error)) return error;
  const text = error.details === '' ? error.message : error.details;
  const cause = { cause: error };
  switch (error.code as number) {
    case INVALID_ARGUMENT:
      return new InvalidRequestError(text);
    case NOT_FOUND:
      return CLOSED.test(text)
        ? new ApiError('conflict_error', `${what}: ${text}`, cause)
        : new ApiError('not_found_error', `${what} not found: ${text}`, cause);
    case ALREADY_EXISTS:
    case FAILED_PRECONDITION:
      return new ApiError('conflict_error', text, cause);
    case PERMISSION_DENIED:
      return new ApiError('permission_error', `The Temporal service refuses: ${text}`, cause);
    case RESOURCE_EXHAUSTED:
      return new ApiError('rate_limit_error', `The Temporal service has no room: ${text}`, cause);
    case UNIMPLEMENTED:
      return new ApiError('unsupported_error', `The Temporal service cannot do this: ${text}`, cause);
    case DEADLINE_EXCEEDED:
      return new ApiError('timeout_error', `The Temporal service did not answer in time: ${text}`, cause);
    case UNAVAILABLE:
    case UNAUTHENTICATED:
      return new ApiError('api_error', `The Temporal service cannot be reached: ${text}`, cause);
    default:
      return new ApiError('api_error', `The Temporal service failed: ${text}`, cause);
  }
}

const hasCode = (error: unknown, code: number): boolean =>
  isGrpcServiceError(error) && (error.code as number) === code;

export const isUnimplemented = (error: unknown): boolean => hasCode(error, UNIMPLEMENTED);
export const isInvalid = (error: unknown): boolean => hasCode(error, INVALID_ARGUMENT);
export const isTimeout = (error: unknown): boolean => hasCode(error, DEADLINE_EXCEEDED);
export const isCancelled = (error: unknown): boolean => hasCode(error, CANCELLED);
