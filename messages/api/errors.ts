import { ApiError, type ApiErrorOptions } from '@steadyhand/contracts';

/** No provider serves the model; the text is the API's `model: <name>`, and why where that helps. */
export class ModelNotFoundError extends ApiError {
  override readonly name = 'ModelNotFoundError';
  readonly model: string;
  constructor(model: string, reason?: string) {
    super('not_found_error', reason === undefined ? `model: ${model}` : `model: ${model} (${reason})`);
    this.model = model;
  }
}

/** The provider asks to slow down; `retryAfterMs` when it said for how long. A durable wait, not a failure. */
export class ProviderRateLimitedError extends ApiError {
  override readonly name = 'ProviderRateLimitedError';
  constructor(message: string, options: ApiErrorOptions = {}) {
    super('rate_limit_error', message, options);
  }
}

/** The provider has no capacity now. A durable wait, not a failure. */
export class ProviderOverloadedError extends ApiError {
  override readonly name = 'ProviderOverloadedError';
  constructor(message: string, options: ApiErrorOptions = {}) {
    super('overloaded_error', message, options);
  }
}

/** The provider could not be reached, broke off, or answered something that is not a message. */
export class ProviderUnavailableError extends ApiError {
  override readonly name = 'ProviderUnavailableError';
  constructor(message: string, options: ApiErrorOptions = {}) {
    super('api_error', message, options);
  }
}

/** The provider sends more than any reply has. Asking again would bring the same, and be paid for again. */
export class ReplyTooLargeError extends ApiError {
  override readonly name = 'ReplyTooLargeError';
  constructor(what: string, limit: number) {
    super('api_error', `${what} is larger than ${limit / (1024 * 1024)} MiB and was cut off`, {
      retryable: false,
    });
  }
}

/** The provider did not answer within the time given to it. */
export class ProviderTimedOutError extends ApiError {
  override readonly name = 'ProviderTimedOutError';
  constructor(message: string, options: ApiErrorOptions = {}) {
    super('timeout_error', message, options);
  }
}

/** The provider says that this request will never succeed: its own error type, status and text. */
export class ProviderRefusedError extends ApiError {
  override readonly name = 'ProviderRefusedError';
  constructor(type: string, message: string, options: Omit<ApiErrorOptions, 'retryable'> = {}) {
    super(type, message, { ...options, retryable: false });
  }
}

/**
 * The text of a refusal, saying whose key it is about: a client that reads of an invalid key would look at its own.
 * @param status of the upstream's answer
 */
export function aboutOwnKey(status: number, message: string): string {
  return status === 401 || status === 403
    ? `the upstream refused the provider's own key: ${message}`
    : message;
}
