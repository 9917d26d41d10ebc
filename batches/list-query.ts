import { InvalidRequestError } from '@steadyhand/contracts';
import type { BatchListRequest, BatchOutcome, RequestListRequest } from '@steadyhand/store';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

const KNOWN = ['after_id', 'before_id', 'limit', 'beta'];

/** The query of a list: `limit`, and `after_id` or `before_id`. Throws InvalidRequestError. */
export function listQuery(query: URLSearchParams): BatchListRequest {
  for (const name of query.keys()) {
    if (!KNOWN.includes(name)) throw new InvalidRequestError(`${name}: Extra inputs are not permitted`);
  }
  const afterId = idOf(query, 'after_id');
  const beforeId = idOf(query, 'before_id');
  if (afterId !== undefined && beforeId !== undefined) {
    throw new InvalidRequestError('after_id: cannot be given together with before_id');
  }
  return {
    limit: limitOf(only(query, 'limit')),
    ...(afterId === undefined ? {} : { afterId }),
    ...(beforeId === undefined ? {} : { beforeId }),
  };
}

/** What a request of a batch may be. */
export const OUTCOMES = [
  'processing',
  'succeeded',
  'errored',
  'canceled',
  'expired',
] as const satisfies readonly BatchOutcome[];

/** The query of a list of a batch's requests: `after`, `limit`, `status`. Throws InvalidRequestError. */
export function requestListQuery(query: URLSearchParams): RequestListRequest {
  for (const name of query.keys()) {
    if (!['after', 'limit', 'status', 'beta'].includes(name))
      throw new InvalidRequestError(`${name}: Extra inputs are not permitted`);
  }
  const after = only(query, 'after');
  if (after !== undefined && !/^\d{1,9}$/.test(after))
    throw new InvalidRequestError('after: expected the position of a request, a whole number from 0');
  const given = only(query, 'status');
  const status = OUTCOMES.find((outcome) => outcome === given);
  if (given !== undefined && status === undefined)
    throw new InvalidRequestError(`status: expected one of ${OUTCOMES.join(', ')}`);
  return {
    after: after === undefined ? -1 : Number(after),
    limit: limitOf(only(query, 'limit')),
    ...(status === undefined ? {} : { status }),
  };
}

function idOf(query: URLSearchParams, name: string): string | undefined {
  const id = only(query, name);
  if (id === undefined || /^msgbatch_[1-9A-Za-z]+$/.test(id)) return id;
  throw new InvalidRequestError(`${name}: expected the id of a message batch, msgbatch_...`);
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  if (!/^-?\d{1,15}$/.test(text)) {
    throw new InvalidRequestError(
      'limit: Input should be a valid integer, unable to parse string as an integer',
    );
  }
  const limit = Number(text);
  if (limit < 1) throw new InvalidRequestError('limit: Input should be greater than or equal to 1');
  if (limit > MAX_LIMIT)
    throw new InvalidRequestError(`limit: Input should be less than or equal to ${MAX_LIMIT}`);
  return limit;
}

function only(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1)
    throw new InvalidRequestError(`${name}: given ${values.length} times, expected once`);
  return values[0] === '' ? undefined : values[0];
}
