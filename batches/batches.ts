import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { ApiError, InvalidRequestError } from '@steadyhand/contracts';
import type { BatchRecord, NewId, Store } from '@steadyhand/store';
import { acceptRequest, betasOf, type AcceptedRequest } from './batch-request.ts';
import { listQuery, requestListQuery } from './list-query.ts';
import { LIFETIME_MS } from './limits.ts';
import {
  type BatchProgress,
  type BatchRequest,
  type BatchRequestPage,
  batchView,
  paramsOf,
  requestView,
  resultLine,
  type DeletedMessageBatch,
  type MessageBatch,
  type MessageBatchPage,
} from './message-batch.ts';
import { RequestSplitter } from './request-splitter.ts';

/** The most that is written in one transaction, as all other work waits for it. */
const WRITTEN_AT_ONCE = { requests: 64, bytes: 128 * 1024 };
/** How many lines of results are read at a time. */
const LINES_AT_ONCE = 64;

/**
 * Batches of message requests, as the API has them. It takes unvalidated bodies and queries; an unknown id is an
 * ApiError `not_found_error`.
 */
export interface Batches {
  /**
   * Reads the body of a batch while it arrives. When this resolves, its requests are stored and the batch exists;
   * nothing remains of a batch that is refused. Throws InvalidRequestError, ApiError (413).
   */
  create(body: AsyncIterable<Uint8Array>, options: CreateBatchOptions): Promise<MessageBatch>;
  retrieve(id: string, origin: string): Promise<MessageBatch>;
  list(query: URLSearchParams, origin: string): Promise<MessageBatchPage>;
  /** No request of the batch begins after this. A batch that has ended stays as it is. */
  cancel(id: string, origin: string): Promise<MessageBatch>;
  /** Throws InvalidRequestError unless it has ended. */
  delete(id: string): Promise<DeletedMessageBatch>;
  /** How many of its requests have which status now, also while it runs. */
  progress(id: string): Promise<BatchProgress>;
  /** A page of its requests in their order, answered or not. Throws InvalidRequestError for an invalid query. */
  requests(id: string, query: URLSearchParams): Promise<BatchRequestPage>;
  /** One of its requests, by its position from 0. */
  request(id: string, position: string): Promise<BatchRequest>;
  /** The results as lines of JSON, one for each request. Throws InvalidRequestError unless it has ended. */
  results(id: string): Promise<AsyncIterable<string>>;
}

interface CreateBatchOptions {
  /** The betas that the header names. */
  readonly betas: readonly string[];
  readonly origin: string;
}

export function createBatches({ store, newId }: { store: Pick<Store, 'batches'>; newId: NewId }): Batches {
  const { batches } = store;
  const present = async (id: string): Promise<BatchRecord> => {
    const record = await batches.get(id);
    if (record === undefined) throw new ApiError('not_found_error', `Message batch not found: ${id}`);
    return record;
  };

  return {
    async create(body, { betas, origin }) {
      const id = newId('msgbatch');
      await batches.begin(id);
      try {
        const inBody = await takeRequests(body, (requests) => batches.add(id, requests));
        const data = { betas: [...new Set([...betas, ...inBody])] };
        return batchView(await batches.accept(id, { lifetimeMs: LIFETIME_MS, data }), origin);
      } catch (error) {
        await batches.delete(id);
        throw error;
      }
    },
    async retrieve(id, origin) {
      return batchView(await present(id), origin);
    },
    async list(query, origin) {
      const { batches: records, more } = await batches.list(listQuery(query));
      return {
        data: records.map((record) => batchView(record, origin)),
        has_more: more,
        first_id: records[0]?.id ?? null,
        last_id: records.at(-1)?.id ?? null,
      };
    },
    async cancel(id, origin) {
      await present(id);
      return batchView(await batches.cancel(id), origin);
    },
    async delete(id) {
      const { status } = await present(id);
      if (status !== 'ended') {
        throw new InvalidRequestError(
          `Message batch ${id} cannot be deleted while it is ${status}; cancel it, and delete it once it has ended`,
        );
      }
      await batches.delete(id);
      return { id, type: 'message_batch_deleted' };
    },
    async progress(id) {
      const counts = await batches.progress(id);
      if (counts === undefined) throw new ApiError('not_found_error', `Message batch not found: ${id}`);
      return { id, type: 'message_batch_progress', ...counts };
    },
    async requests(id, query) {
      await present(id);
      const asked = requestListQuery(query);
      const found = await batches.requests(id, { ...asked, limit: asked.limit + 1 });
      return { data: found.slice(0, asked.limit).map(requestView), has_more: found.length > asked.limit };
    },
    async request(id, position) {
      await present(id);
      const at = /^\d{1,9}$/.test(position) ? Number(position) : -1;
      const found = await batches.request(id, at);
      const [listed] = await batches.requests(id, { after: at - 1, limit: 1 });
      if (found === undefined || listed === undefined)
        throw new ApiError('not_found_error', `Message batch ${id} has no request ${position}`);
      return { ...requestView(listed), params: paramsOf(found.params) };
    },
    async results(id) {
      const { status, requests } = await present(id);
      if (status !== 'ended') {
        throw new InvalidRequestError(
          `Message batch ${id} has no results yet: it is ${status}; they can be read once it has ended`,
        );
      }
      return resultLines(batches, id, requests);
    },
  };
}

/** Hands the requests of a body on in small chunks; answers the betas that the body names. */
async function takeRequests(
  body: AsyncIterable<Uint8Array>,
  keep: (requests: readonly AcceptedRequest[]) => Promise<void>,
): Promise<readonly string[]> {
  const splitter = new RequestSplitter();
  const taken = new Map<string, number>();
  let pending: AcceptedRequest[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    for (const split of splitter.push(chunk)) {
      const request = acceptRequest(split, taken);
      if (!isUtf8(request.params)) {
        throw new InvalidRequestError('The request body is not valid JSON: str is not valid UTF-8');
      }
      pending.push(request);
      bytes += request.params.length;
      if (pending.length < WRITTEN_AT_ONCE.requests && bytes < WRITTEN_AT_ONCE.bytes) continue;
      await keep(pending);
      await setImmediate();
      pending = [];
      bytes = 0;
    }
  }
  const { hasRequests, betas } = splitter.end();
  if (!hasRequests) throw new InvalidRequestError('requests: Field required');
  if (taken.size === 0) {
    throw new InvalidRequestError('requests: List should have at least 1 item after validation, not 0');
  }
  const inBody = betasOf(betas);
  if (pending.length > 0) await keep(pending);
  return inBody;
}

async function* resultLines(batches: Store['batches'], id: string, count: number): AsyncGenerator<string> {
  for (let after = -1; after < count - 1;) {
    const lines = await batches.results(id, after, LINES_AT_ONCE);
    const last = lines.at(-1);
    // A part of the results must not look like all of them.
    if (last === undefined) throw new Error(`message batch ${id} was deleted while its results were read`);
    for (const line of lines) yield resultLine(line);
    after = last.position;
  }
}
