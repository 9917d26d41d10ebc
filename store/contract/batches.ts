import type { JsonObject } from './json.ts';

/** What became of a request that was answered. A request that never was has no result. */
export interface StoredResult {
  readonly type: 'succeeded' | 'errored';
  /** The result as JSON, as clients see it. */
  readonly json: string;
}

/** A batch of message requests, without the requests. Timestamps are RFC 3339 in UTC with milliseconds. */
export interface BatchRecord {
  /** `msgbatch_...`; ids sort by their creation. */
  readonly id: string;
  readonly status: 'in_progress' | 'canceling' | 'ended';
  /** How many requests it has. */
  readonly requests: number;
  readonly created_at: string;
  readonly expires_at: string;
  readonly cancel_initiated_at: string | null;
  readonly ended_at: string | null;
  /** What came of the requests; all zero until the batch has ended. */
  readonly counts: Readonly<Record<'succeeded' | 'errored' | 'canceled' | 'expired', number>>;
  /** The rest, in the words of the room above. */
  readonly data: JsonObject;
}

/** A request on its way into the store. */
export interface IncomingRequest {
  /** From 0, without gaps. */
  readonly position: number;
  readonly custom_id: string;
  /** JSON in UTF-8. */
  readonly params: Uint8Array;
}

/** A request, its result if it has one, and its batch. */
export interface StoredRequest {
  readonly custom_id: string;
  readonly params: Uint8Array;
  readonly result: StoredResult | null;
  readonly batch: BatchRecord;
}

/** A line of the results, in the order of the requests. */
export interface ResultLine {
  readonly position: number;
  readonly custom_id: string;
  /** A request without an answer is what its batch says of those. */
  readonly result: StoredResult | { readonly type: 'canceled' | 'expired' };
}

export interface BatchListRequest {
  readonly limit: number;
  /** Only batches made before this one; an id that is gone is a place in the order all the same. */
  readonly afterId?: string;
  /** Only batches made after this one, those nearest to it. */
  readonly beforeId?: string;
}

/** Batches of message requests: written piece by piece, unseen until they are accepted as a whole. */
export interface BatchRecords {
  /** Begins a batch that nobody sees yet. */
  begin(id: string): Promise<void>;
  /** Adds requests to a batch that has begun; all of them or none. */
  add(id: string, requests: readonly IncomingRequest[]): Promise<void>;
  /** From here on the batch exists. Throws NotStoredError when it was not begun. */
  accept(
    id: string,
    accepted: { readonly lifetimeMs: number; readonly data: JsonObject },
  ): Promise<BatchRecord>;
  get(id: string): Promise<BatchRecord | undefined>;
  /** Newest first. `more` tells of others beyond the page, on the side that was asked for. */
  list(
    request: BatchListRequest,
  ): Promise<{ readonly batches: readonly BatchRecord[]; readonly more: boolean }>;
  /** Ids of the batches that have not ended, oldest first. */
  unfinished(): Promise<readonly string[]>;
  /** From here on no result of a request begun later counts. Changes nothing that has ended. Throws NotStoredError. */
  cancel(id: string): Promise<BatchRecord>;
  request(id: string, position: number): Promise<StoredRequest | undefined>;
  /** Records what came of a request. The first result stands; one for a batch that has ended or is gone is dropped. */
  record(id: string, position: number, result: StoredResult): Promise<void>;
  /** Ends the batch: its requests without a result are counted as `unanswered`. Twice changes nothing. Throws NotStoredError. */
  end(id: string, unanswered: 'canceled' | 'expired'): Promise<BatchRecord>;
  /** Results of an ended batch, at most `limit` of them, after a position. */
  results(id: string, after: number, limit: number): Promise<readonly ResultLine[]>;
  /** Removes a batch, whatever its state, in small turns. False when there was none. */
  delete(id: string): Promise<boolean>;
  /** Removes what a killed process left half written or half deleted. */
  sweep(): Promise<void>;
}
