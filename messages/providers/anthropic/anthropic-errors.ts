import type { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk';
import {
  aboutOwnKey,
  ProviderOverloadedError,
  ProviderRateLimitedError,
  ProviderRefusedError,
  ProviderTimedOutError,
  ProviderUnavailableError,
} from '../../api/errors.ts';
import { API_ERRORS, ApiError, isApiErrorType } from '@steadyhand/contracts';
import { isRecord } from '../../api/is-record.ts';
import { retryAfterMs, timedOut, unreachable, unreadableAnswer } from '../upstream-errors.ts';

/** Finds the API's error type for a status, for answers without an error body, such as a proxy's. */
function typeOfStatus(status: number): string {
  const match = Object.entries(API_ERRORS).find(([, kind]) => kind.status === status);
  return match?.[0] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}

type Answer = APIError<number, Headers | undefined, object>;

/** The classes by which the SDK's errors are told apart. */
interface SdkErrors {
  readonly APIConnectionError: typeof APIConnectionError;
  readonly APIConnectionTimeoutError: typeof APIConnectionTimeoutError;
  readonly APIError: typeof APIError;
}

function isAnswer(error: unknown, sdk: SdkErrors): error is Answer {
  return error instanceof sdk.APIError && typeof error.status === 'number';
}

/** Reads the message of the API's error body, of Bedrock's `{message}`, or of Google's body, which may be a list. */
function messageOf(error: Answer): string | undefined {
  const body: unknown = Array.isArray(error.error) ? error.error[0] : error.error;
  if (!isRecord(body)) return undefined;
  const inner = isRecord(body['error']) ? body['error'] : body;
  const message = inner['message'] ?? inner['Message'];
  return typeof message === 'string' && message !== '' ? message : undefined;
}

function fromStatus(error: Answer, now: number): ApiError {
  const { status } = error;
  const type = typeof error.type === 'string' ? error.type : typeOfStatus(status);
  const message = aboutOwnKey(status, messageOf(error) ?? `the upstream answered with status ${status}`);
  const hint = retryAfterMs(error.headers, now);
  const shouldRetry = error.headers?.get('x-should-retry');
  const options = {
    cause: error,
    ...(error.details == null ? {} : { details: error.details }),
    ...(hint === undefined ? {} : { retryAfterMs: hint }),
    ...(shouldRetry === 'false' ? { retryable: false } : {}),
  };
  if (status === 429) return new ProviderRateLimitedError(message, options);
  if (status === 529 || type === 'overloaded_error') return new ProviderOverloadedError(message, options);
  if (status === 408 || status === 504) return new ProviderTimedOutError(message, options);
  // Bedrock answers 424 when a model failed.
  if (status >= 500 || ((status === 409 || status === 424) && shouldRetry !== 'false'))
    return new ProviderUnavailableError(message, options);
  // Known types have a status of their own; an unknown type keeps the upstream's status.
  return new ProviderRefusedError(type, message, isApiErrorType(type) ? options : { ...options, status });
}

/** Translates an `error` event of a stream. The data is parsed where it is JSON. */
export function fromErrorEvent(data: unknown): ApiError {
  const error = isRecord(data) && isRecord(data['error']) ? data['error'] : {};
  const type = typeof error['type'] === 'string' ? error['type'] : 'api_error';
  const message =
    typeof error['message'] === 'string' && error['message'] !== ''
      ? error['message']
      : 'the upstream failed in the middle of its reply';
  const options = isRecord(error['details']) ? { details: error['details'] } : {};
  switch (type) {
    case 'rate_limit_error':
      return new ProviderRateLimitedError(message, options);
    case 'overloaded_error':
      return new ProviderOverloadedError(message, options);
    case 'timeout_error':
      return new ProviderTimedOutError(message, options);
    default:
      return isApiErrorType(type) && !API_ERRORS[type].retryable
        ? new ProviderRefusedError(type, message, options)
        : new ProviderUnavailableError(message, options);
  }
}

/** Translates an error of the SDK. */
export function fromUpstream(error: unknown, now: number, sdk: SdkErrors): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof sdk.APIConnectionTimeoutError) return timedOut(error);
  if (error instanceof sdk.APIConnectionError) return unreachable(error);
  if (isAnswer(error, sdk)) return fromStatus(error, now);
  return unreadableAnswer(error);
}
