/**
 * Batches of message requests: what `POST /v1/messages/batches` takes, stores and answers. The workflow in `workflows/batch`
 * works through them.
 */
export { createBatches, type Batches } from './batches.ts';
export { customId } from './batch-request.ts';
export { answerRequest, errored, succeeded } from './answer-request.ts';
export { BATCH_BODY_BYTES, MAX_REQUESTS } from './limits.ts';
export { OUTCOMES } from './list-query.ts';
export type {
  BatchProgress,
  BatchRequest,
  DeletedMessageBatch,
  ListedBatchRequest,
  MessageBatch,
} from './message-batch.ts';
