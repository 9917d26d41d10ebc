/** What a request to an image model can fail with. Routes and docs take their tables of errors from this one. */
export const INFERENCE_ERRORS = {
  image_unreadable: { status: 400, retryable: false, meaning: 'The bytes are no image that can be decoded' },
  tensor_invalid: { status: 400, retryable: false, meaning: 'A tensor does not fit what the model takes' },
  model_not_found: { status: 404, retryable: false, meaning: 'No model has this name' },
  image_too_large: { status: 413, retryable: false, meaning: 'The image has more pixels than allowed' },
  format_not_supported: {
    status: 415,
    retryable: false,
    meaning: 'An image format outside the allowed ones',
  },
  image_unsuitable: {
    status: 422,
    retryable: false,
    meaning: 'The image or a filter does not fit the model, e.g. in its number of channels',
  },
  inference_failed: { status: 500, retryable: false, meaning: 'The runtime refused to run the model' },
  queue_full: { status: 503, retryable: true, meaning: 'As many requests wait as may wait' },
  deadline_exceeded: { status: 503, retryable: true, meaning: 'The answer did not come in time' },
  model_unavailable: {
    status: 503,
    retryable: true,
    meaning: 'The model is still loading, was refused at load, or its worker ended',
  },
} as const satisfies Record<string, { status: number; retryable: boolean; meaning: string }>;

export type InferenceErrorCode = keyof typeof INFERENCE_ERRORS;

/**
 * A request to an image model failed, for a reason that its sender may know.
 * `field` names the part of the request at fault, such as `file`, `model` or `inputs[0].shape`.
 */
export class InferenceError extends Error {
  override readonly name = 'InferenceError';
  readonly code: InferenceErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly field: string | undefined;
  /** Seconds after which asking again makes sense. */
  readonly retryAfterS: number | undefined;

  constructor(
    code: InferenceErrorCode,
    message: string,
    options: { readonly field?: string; readonly retryAfterS?: number; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const { status, retryable } = INFERENCE_ERRORS[code];
    this.code = code;
    this.status = status;
    this.retryable = retryable;
    this.field = options.field;
    this.retryAfterS = retryable ? (options.retryAfterS ?? 1) : undefined;
  }
}

/** A model file cannot be served. A load rejects with it, and the model's status keeps its message as `reason`. */
export class ModelRefusedError extends Error {
  override readonly name = 'ModelRefusedError';
}

/**
 * Answers an error's message on one line, of at most so many characters. Errors of native code are of no class of this
 * module.
 */
export function oneLine(error: unknown, most: number): string {
  const message = String((error as { readonly message?: unknown } | null)?.message ?? error);
  return message.replace(/\s*\n\s*/g, '; ').slice(0, most);
}

/** Makes the error of a load that the end of the service has ended. */
export const serviceClosed = (): Error => new Error('the service was closed');
