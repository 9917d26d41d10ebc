/**
 * Batches of message requests: what `POST /v1/messages/batches` takes, stores and answers. The workflow in
 * `workflows/batch` works through them.
 */
export { answerRequest, errored, succeeded, type AnswerOptions } from './answer-request.ts';
export { customId } from './batch-request.ts';
export { createBatches, type Batches, type CreateBatchOptions } from './batches.ts';
export { BATCH_BODY_BYTES, LIFETIME_MS, MAX_REQUESTS, REQUEST_BYTES } from './limits.ts';
export type { DeletedMessageBatch, MessageBatch, MessageBatchPage } from './message-batch.ts';
