/**
 * The activities of a batch's workflow. They exchange ids, numbers and short words only; requests and results stay in
 * the store.
 */

export interface BatchRequestInput {
  /** `msgbatch_...` */
  readonly batch: string;
  /** The request's place in its batch, from 0. */
  readonly position: number;
  /** How many waits for the provider came in a row before this attempt. */
  readonly waits: number;
  /** How many attempts failed before this one, without rate limits and overloads. */
  readonly faults: number;
}

export type BatchRequestOutcome =
  /** The request has its result. */
  | { readonly type: 'done' }
  /** The provider is limited or overloaded: ask again after `ms`. */
  | { readonly type: 'limited'; readonly ms: number }
  /** The attempt failed and another one may succeed: ask again after `ms`. */
  | { readonly type: 'failed'; readonly ms: number }
  /** No request of this batch is to begin any more. */
  | { readonly type: 'closed'; readonly reason: BatchEnding };

/** How requests are counted that have no result when their batch ends. */
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
