import type { APIConnectionError, APIConnectionTimeoutError } from 'openai';
import {
  ProviderOverloadedError,
  ProviderRateLimitedError,
  ProviderRefusedError,
  ProviderTimedOutError,
  ProviderUnavailableError,
} from '../../api/errors.ts';
import { ApiError } from '@steadyhand/contracts';
import { isRecord } from '../../api/is-record.ts';
import { retryAfterMs, timedOut, unreachable, unreadableAnswer } from '../upstream-errors.ts';
import { errorOf } from './sse.ts';

/** The upstream's answer is not 2xx. The error holds the beginning of its body. */
export class UpstreamAnswerError extends Error {
  override readonly name = 'UpstreamAnswerError';
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  constructor(status: number, headers: Headers, body: string) {
    super(`status ${status}`);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** The content of an error object. `code` may be a status or a word. */
interface ErrorObject {
  readonly message: string;
  readonly code: string;
  readonly type: string;
}

const LONGEST = 1000;

function words(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function errorObject(error: unknown): ErrorObject {
  if (typeof error === 'string') return { message: error.slice(0, LONGEST), code: '', type: '' };
  if (!isRecord(error)) return { message: '', code: '', type: '' };
  // FastAPI's own errors have `detail`: a text, or a list of what is wrong.
  const { message, code, type, detail } = error;
  const text = words(message) || words(detail) || (detail === undefined ? '' : JSON.stringify(detail));
  return { message: text.slice(0, LONGEST), code: words(code), type: words(type) };
}

function bodyError(body: string): ErrorObject {
  try {
    const value = JSON.parse(body) as unknown;
    return errorObject(errorOf(value) ?? value);
  } catch {
    return { message: '', code: '', type: '' };
  }
}

const CONTEXT_CODES = ['context_length_exceeded', 'exceed_context_size_error', 'context_exceeded'];
const CONTEXT_TEXT =
  /context (length|window|size)|(maximum|available) context|context.{0,20}exceed|exceed.{0,40}context|prompt is too long/i;

function isContext({ message, code, type }: ErrorObject): boolean {
  return CONTEXT_CODES.includes(code) || CONTEXT_CODES.includes(type) || CONTEXT_TEXT.test(message);
}

/** A fault of the upstream, with its status or the one that an error object in a stream names. */
interface Fault {
  readonly status: number;
  readonly error: ErrorObject;
  readonly headers: Headers | undefined;
  readonly model: string;
  readonly now: number;
  readonly cause: unknown;
}

/** Whether a model is missing, although the status says something else. */
function isModelMissing({ message, code }: ErrorObject): boolean {
  return (
    code === 'model_not_found' ||
    /\bmodel\b.{0,120}\b(does not exist|not found)\b|\binvalid model\b/i.test(message)
  );
}

function notFound({ error: { message, code, type }, model, cause }: Fault): ApiError {
  if (code === 'model_not_found' || /model/i.test(message) || /model/i.test(type)) {
    return new ProviderRefusedError('not_found_error', `model: ${model} (the upstream: ${message || code})`, {
      cause,
    });
  }
  return new ProviderRefusedError(
    'api_error',
    'the upstream has no chat completions at the configured base URL (404); it usually ends in /v1',
    { cause },
  );
}

function fromFault(fault: Fault): ApiError {
  const { status, error, headers, now, cause } = fault;
  const hint = retryAfterMs(headers, now);
  const options = { cause, ...(hint === undefined ? {} : { retryAfterMs: hint }) };
  const text = error.message === '' ? `the upstream answered with status ${status}` : error.message;
  // Some servers answer 500 to a conversation that is too long; asking again would not help.
  if (status !== 429 && isContext(error)) {
    return new ProviderRefusedError('invalid_request_error', `prompt is too long: ${text}`, { cause });
  }
  if ((status === 400 || status === 422) && isModelMissing(error)) return notFound(fault);
  switch (status) {
    case 400:
    case 422:
      return new ProviderRefusedError('invalid_request_error', `the upstream refused the request: ${text}`, {
        cause,
      });
    case 401:
      // The upstream's text may quote the key.
      return new ProviderRefusedError(
        'api_error',
        'the upstream of this model does not accept the key that this server is configured with (401); the key of ' +
          'this request is not in question',
        { cause: undefined },
      );
    case 402:
      return new ProviderRefusedError('billing_error', `the upstream: ${text}`, { cause });
    case 403:
      return new ProviderRefusedError(
        'api_error',
        'the upstream of this model forbids this server the request (403); the key of this request is not in ' +
          `question. The upstream: ${text}`,
        { cause },
      );
    case 404:
      return notFound(fault);
    case 408:
    case 504:
      return new ProviderTimedOutError(text, options);
    case 413:
      return new ProviderRefusedError('request_too_large', `the upstream: ${text}`, { cause });
    case 429:
      // Waiting does not help an account without credit.
      return error.code === 'insufficient_quota' || error.type === 'insufficient_quota'
        ? new ProviderRefusedError('billing_error', `the upstream: ${text}`, { cause })
        : new ProviderRateLimitedError(text, options);
    case 503:
    case 529:
      return new ProviderOverloadedError(text, options);
    default:
      return status >= 500 || status === 409 || status === 425
        ? new ProviderUnavailableError(text, options)
        : new ProviderRefusedError(
            'invalid_request_error',
            `the upstream refused the request (${status}): ${text}`,
            {
              cause,
            },
          );
  }
}

interface FaultContext {
  /** The name of the model in the request. */
  readonly model: string;
  readonly now: number;
  /** Keys, which are removed from every error text. */
  readonly secrets: readonly string[];
}

/** The status for the type of an error object without a status. */
const STATUS_OF: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['insufficient_quota', 429],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['not_found_error', 404],
  ['overloaded_error', 503],
  ['unavailable_error', 503],
]);

function statusOf({ code, type }: ErrorObject): number {
  const number = Number(code);
  if (Number.isInteger(number) && number >= 400 && number < 600) return number;
  return STATUS_OF.get(code) ?? STATUS_OF.get(type) ?? 500;
}

/** Translates an error object that came instead of a reply or within one. */
export function fromErrorObject(error: unknown, { model, now, secrets }: FaultContext): ApiError {
  const said = errorObject(error);
  const fault = { status: statusOf(said), error: said, headers: undefined, model, now, cause: undefined };
  return withoutSecrets(fromFault(fault), secrets);
}

/** The classes by which the SDK's errors are told apart. */
interface SdkErrors {
  readonly APIConnectionError: typeof APIConnectionError;
  readonly APIConnectionTimeoutError: typeof APIConnectionTimeoutError;
}

/** Translates an error of the SDK or of its fetch. */
export function fromUpstream(error: unknown, context: FaultContext, sdk: SdkErrors): ApiError {
  return withoutSecrets(translated(error, context, sdk), context.secrets);
}

function translated(error: unknown, { model, now }: FaultContext, sdk: SdkErrors): ApiError {
  if (error instanceof ApiError) return error;
  const answer = answerIn(error);
  if (answer !== undefined) {
    const { status, headers, body } = answer;
    return fromFault({ status, error: bodyError(body), headers, model, now, cause: undefined });
  }
  if (error instanceof sdk.APIConnectionTimeoutError) return timedOut();
  return error instanceof sdk.APIConnectionError ? unreachable(error) : unreadableAnswer(error);
}

/** Finds the answer among the causes, since the client wraps the errors of its fetch. */
function answerIn(error: unknown): UpstreamAnswerError | undefined {
  for (let at = error; isRecord(at); at = at['cause']) {
    if (at instanceof UpstreamAnswerError) return at;
  }
  return undefined;
}

/** Some upstreams quote the key that they refuse. */
function withoutSecrets(error: ApiError, secrets: readonly string[]): ApiError {
  const found = secrets.filter((secret) => secret.length > 3 && error.message.includes(secret));
  for (const secret of found) error.message = error.message.replaceAll(secret, '***');
  return error;
}
