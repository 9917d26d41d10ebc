/**
 * What the workflow of a batch may ask of the world. Ids, numbers and short words only: requests and results stay in the
 * store.
 */

export interface BatchRequestInput {
  /** `msgbatch_...` */
  readonly batch: string;
  /** Of the request in its batch, from 0. */
  readonly position: number;
  /** Waits for the provider in a row before this attempt. */
  readonly waits: number;
  /** Failed attempts before this one, rate limits and overloads not counted. */
  readonly faults: number;
}

export type BatchRequestOutcome =
  /** The request has its result. */
  | { readonly type: 'done' }
  /** The provider is limited or overloaded: ask again after `ms`. */
  | { readonly type: 'limited'; readonly ms: number }
  /** The attempt failed and another may not: ask again after `ms`. */
  | { readonly type: 'failed'; readonly ms: number }
  /** No request of this batch is to begin any more. */
  | { readonly type: 'closed'; readonly reason: BatchEnding };

/** What becomes of the requests that have no result when their batch ends. */
export type BatchEnding = 'canceled' | 'expired';

export interface EndBatchInput {
  readonly batch: string;
  readonly unanswered: BatchEnding;
}

export interface BatchActivities {
  /** Answers one request of a batch and records its result, unless it has one. */
  answerBatchRequest(input: BatchRequestInput): Promise<BatchRequestOutcome>;
  /** Ends the batch: its results can be read from then on. */
  endBatch(input: EndBatchInput): Promise<void>;
}
