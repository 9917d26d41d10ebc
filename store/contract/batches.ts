import type { JsonObject } from './json.ts';

/** The result of a request. A request that was never answered has none. */
export interface StoredResult {
  readonly type: 'succeeded' | 'errored';
  /** The result as JSON, in the form that clients get. */
  readonly json: string;
}

/** A batch of message requests, without its requests. Timestamps are RFC 3339 in UTC with milliseconds. */
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
  /** How many requests had which result; all zero until the batch has ended. */
  readonly counts: Readonly<Record<'succeeded' | 'errored' | 'canceled' | 'expired', number>>;
  /** Further fields, which the store does not read. */
  readonly data: JsonObject;
}

/** A request that is to be stored. */
interface IncomingRequest {
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

export type BatchOutcome = 'processing' | 'succeeded' | 'errored' | 'canceled' | 'expired';

/** A request without its params. */
export interface ListedRequest {
  readonly position: number;
  readonly custom_id: string;
  readonly status: BatchOutcome;
  /** Null for one that was not answered. */
  readonly result: StoredResult | null;
}

/** Which requests are listed: those after a position, and of one status where one is given. */
export interface RequestListRequest {
  /** -1 for all. */
  readonly after: number;
  readonly limit: number;
  readonly status?: BatchOutcome;
}

/** A line of the results, in the order of the requests. */
export interface ResultLine {
  readonly position: number;
  readonly custom_id: string;
  /** For a request without an answer, the batch says what it counts as. */
  readonly result: StoredResult | { readonly type: 'canceled' | 'expired' };
}

export interface BatchListRequest {
  readonly limit: number;
  /** Only batches made before this one. The id of a deleted batch is a place in the order as well. */
  readonly afterId?: string;
  /** Only batches made after this one, beginning with the nearest. */
  readonly beforeId?: string;
}

/** Batches of message requests. They are written piece by piece, and invisible until they are accepted as a whole. */
export interface BatchRecords {
  /** Begins a batch, which is invisible until it is accepted. */
  begin(id: string): Promise<void>;
  /** Adds all of the requests, or none, to a batch that was begun. */
  add(id: string, requests: readonly IncomingRequest[]): Promise<void>;
  /** Makes the batch visible. Throws NotStoredError when it was not begun. */
  accept(
    id: string,
    accepted: { readonly lifetimeMs: number; readonly data: JsonObject },
  ): Promise<BatchRecord>;
  get(id: string): Promise<BatchRecord | undefined>;
  /** Lists batches, newest first. `more` says whether others follow the page in the direction that was asked for. */
  list(
    request: BatchListRequest,
  ): Promise<{ readonly batches: readonly BatchRecord[]; readonly more: boolean }>;
  /** The ids of the batches that have not ended, oldest first. */
  unfinished(): Promise<readonly string[]>;
  /**
   * Marks the batch as canceling: no further request of it is to begin. Changes nothing once it has ended. Throws
   * NotStoredError.
   */
  cancel(id: string): Promise<BatchRecord>;
  request(id: string, position: number): Promise<StoredRequest | undefined>;
  /** Records a request's result. The first one stands; a result for a batch that has ended or is gone is dropped. */
  record(id: string, position: number, result: StoredResult): Promise<void>;
  /**
   * Ends the batch: its requests without a result count as `unanswered`. Ending it again changes nothing. Throws
   * NotStoredError.
   */
  end(id: string, unanswered: 'canceled' | 'expired'): Promise<BatchRecord>;
  /** How many requests of a batch have which status now, whether it has ended or not; undefined when there is none. */
  progress(id: string): Promise<Readonly<Record<BatchOutcome, number>> | undefined>;
  /** The requests of a batch in their order, answered or not; none when there is no such batch. */
  requests(id: string, request: RequestListRequest): Promise<readonly ListedRequest[]>;
  /** The results of an ended batch after a position, at most `limit` of them. */
  results(id: string, after: number, limit: number): Promise<readonly ResultLine[]>;
  /** Removes a batch, whatever its state, in small transactions. False when there was none. */
  delete(id: string): Promise<boolean>;
  /** Removes batches that a killed process left half written or half deleted. */
  sweep(): Promise<void>;
}
