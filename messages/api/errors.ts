import { ApiError, type ApiErrorOptions } from '@steadyhand/contracts';

/** No provider serves the model. The message is the API's `model: <name>`, with a reason where one is known. */
export class ModelNotFoundError extends ApiError {
  override readonly name = 'ModelNotFoundError';
  readonly model: string;
  constructor(model: string, reason?: string) {
    super('not_found_error', reason === undefined ? `model: ${model}` : `model: ${model} (${reason})`);
    this.model = model;
  }
}

/** The provider asks to slow down, for `retryAfterMs` where it says how long. Workflows wait durably and ask again. */
export class ProviderRateLimitedError extends ApiError {
  override readonly name = 'ProviderRateLimitedError';
  constructor(message: string, options: ApiErrorOptions = {}) {
    super('rate_limit_error', message, options);
  }
}

/** The provider has no capacity now. Workflows wait durably and ask again. */
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

/** The provider sends more than any reply holds. Asking again would have the same result and cost money again. */
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

/** The provider says that this request will never succeed, with an error type, a status and a text of its own. */
export class ProviderRefusedError extends ApiError {
  override readonly name = 'ProviderRefusedError';
  constructor(type: string, message: string, options: Omit<ApiErrorOptions, 'retryable'> = {}) {
    super(type, message, { ...options, retryable: false });
  }
}

/**
 * Makes clear whose key a refusal is about; a client that reads of an invalid key would look at its own.
 * @param status of the upstream's answer
 */
export function aboutOwnKey(status: number, message: string): string {
  return status === 401 || status === 403
    ? `the upstream refused the provider's own key: ${message}`
    : message;
}
