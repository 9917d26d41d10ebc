/**
 * The one table of API errors. The server answers by it, the providers throw by it, and the activities decide by it
 * whether to retry.
 */

interface ApiErrorKind {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Whether the same request may succeed later without a change. */
  readonly retryable: boolean;
  readonly when: string;
}

export const API_ERRORS = {
  invalid_request_error: {
    status: 400,
    retryable: false,
    when: 'The request breaks a rule of the API; the message begins with the path of the field.',
  },
  authentication_error: { status: 401, retryable: false, when: 'The API key is missing or wrong.' },
  billing_error: { status: 402, retryable: false, when: 'The upstream account cannot pay.' },
  permission_error: { status: 403, retryable: false, when: 'The key may not use this resource.' },
  not_found_error: { status: 404, retryable: false, when: 'No such route, resource or model.' },
  conflict_error: { status: 409, retryable: false, when: 'The resource is in a state that forbids this.' },
  request_too_large: { status: 413, retryable: false, when: 'The body is larger than the API takes.' },
  rate_limit_error: {
    status: 429,
    retryable: true,
    when: 'Too many requests; `retry-after` says when to return.',
  },
  api_error: { status: 500, retryable: true, when: 'A fault on this side or upstream.' },
  unsupported_error: {
    status: 501,
    retryable: false,
    when: 'This server, or the Temporal service behind it, cannot do this.',
  },
  timeout_error: { status: 504, retryable: true, when: 'The model did not answer in time.' },
  overloaded_error: { status: 529, retryable: true, when: 'The model provider is overloaded.' },
} as const satisfies Record<string, ApiErrorKind>;

export type ApiErrorType = keyof typeof API_ERRORS;

export function isApiErrorType(type: string): type is ApiErrorType {
  return Object.hasOwn(API_ERRORS, type);
}

/** The body of an error answer, without the request id that the server adds. */
export interface ApiErrorBody {
  readonly type: 'error';
  readonly error: { readonly type: string; readonly message: string; readonly details?: object };
}

export interface ApiErrorOptions {
  /** Given only where it differs from the table, as an upstream's own status may. */
  readonly status?: number;
  readonly retryable?: boolean;
  /** Milliseconds until a retry makes sense, as the upstream said. */
  readonly retryAfterMs?: number;
  /** The upstream's machine-readable detail, `{error_code}`, for clients that branch on it. */
  readonly details?: object;
  readonly cause?: unknown;
}

/**
 * An error that has an answer in the API: a type, an HTTP status and a text for the client.
 *
 * @example
 * throw new ApiError('not_found_error', `File not found: ${id}`);
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly type: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly details: object | undefined;

  /** `type` may be one that the table lacks when an upstream coined it; it then counts as `api_error`. */
  constructor(type: string, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const kind = isApiErrorType(type) ? API_ERRORS[type] : API_ERRORS.api_error;
    this.type = type;
    this.status = options.status ?? kind.status;
    this.retryable = options.retryable ?? kind.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.details = options.details;
  }

  body(): ApiErrorBody {
    const { type, message, details } = this;
    return { type: 'error', error: { type, message, ...(details === undefined ? {} : { details }) } };
  }
}

/** The request breaks a rule of the API. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
  constructor(message: string, details?: object) {
    super('invalid_request_error', message, details === undefined ? {} : { details });
  }
}
