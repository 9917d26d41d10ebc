import { ApiError } from '@steadyhand/contracts';
import { InferenceError } from '@steadyhand/inference';
import { RequestRefusedError } from '../body/request-refused.ts';
import { MethodNotAllowedError, toApiError } from '../http/errors.ts';

/** One fault of a request, as FastAPI lists them: `loc` begins with `query`, `path` or `body`. */
export interface Issue {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: object;
}

/** The request breaks the route's rules: a 422 that names every fault. */
export class RequestInvalidError extends Error {
  override readonly name = 'RequestInvalidError';
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super(issues.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; '));
    this.issues = issues;
  }
}

/** What a client is told, before it takes the shape of one of the APIs. */
export interface Failure {
  readonly status: number;
  readonly detail: string | readonly Issue[];
  readonly headers: Readonly<Record<string, string>>;
}

/** What the inference API answers to anything that was thrown. The details of faults of this server go into the log alone. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof RequestInvalidError) return { status: 422, detail: thrown.issues, headers: {} };
  if (thrown instanceof RequestRefusedError) {
    return { status: thrown.status, detail: thrown.message, headers: thrown.headers };
  }
  if (thrown instanceof InferenceError) return fromInference(thrown);
  if (thrown instanceof MethodNotAllowedError) {
    return { status: 405, detail: 'Method Not Allowed', headers: { allow: thrown.allow } };
  }
  const error = toApiError(thrown);
  if (error.status >= 500 && !(thrown instanceof ApiError)) {
    return { status: 500, detail: 'Internal Server Error', headers: {} };
  }
  return {
    status: error.status,
    detail: error.message,
    headers: {
      ...(error.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(error.retryAfterMs === undefined
        ? {}
        : { 'retry-after': String(Math.ceil(error.retryAfterMs / 1000)) }),
    },
  };
}

function fromInference(error: InferenceError): Failure {
  const headers: Record<string, string> =
    error.retryAfterS === undefined ? {} : { 'retry-after': String(Math.ceil(error.retryAfterS)) };
  // FastAPI's clients read a 422 as a list.
  if (error.status !== 422) return { status: error.status, detail: error.message, headers };
  return {
    status: 422,
    detail: [{ type: error.code, loc: placeOf(error.field), msg: error.message, input: null }],
    headers,
  };
}

function placeOf(field: string | undefined): readonly string[] {
  if (field === undefined || field === 'file') return ['body', 'file'];
  return ['query', field];
}

/** FastAPI's shape. */
export function detailBody({ detail }: Failure): object {
  return { detail };
}

/** The Open Inference Protocol's shape. */
export function protocolBody({ detail }: Failure): object {
  if (typeof detail === 'string') return { error: detail };
  return { error: detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ') };
}
