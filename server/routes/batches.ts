import { z } from 'zod';
import {
  type Batches,
  type BatchProgress,
  type BatchRequest,
  customId,
  type ListedBatchRequest,
  MAX_REQUESTS,
  type MessageBatch,
  OUTCOMES,
} from '@steadyhand/batches';
import { afterId, beforeId, limit } from '@steadyhand/sessions';
import { batchBody } from '../body/batch-body.ts';
import { betasOf } from '../http/api-version.ts';
import { originOf } from '../http/query.ts';
import { sendStream } from '../http/send.ts';
import { admitRequest } from '../limits/meter.ts';
import { named } from '../routing/components.ts';
import { json, text } from '../routing/shapes.ts';
import { routesOf } from '../routing/route.ts';
import * as shape from '../routing/shapes.ts';
import { betas, message, messageBody, SCRIPT_EXAMPLE } from './message-shapes.ts';
import type { BatchRuntime } from './services.ts';

/** The media type of lines of JSON. */
const JSON_LINES = 'application/x-jsonl';

const { count } = shape;

const messageBatch = z.object({
  id: z.string().describe('`msgbatch_…`'),
  type: z.literal('message_batch'),
  processing_status: z.enum(['in_progress', 'canceling', 'ended']),
  request_counts: z
    .object({ processing: count, succeeded: count, errored: count, canceled: count, expired: count })
    .describe('All are `processing` until the whole batch has ended'),
  created_at: shape.time,
  ended_at: shape.maybeTime,
  expires_at: shape.time.describe('24 hours after its creation'),
  cancel_initiated_at: shape.maybeTime,
  archived_at: z.null(),
  results_url: z.string().nullable().describe('Null until the batch has ended'),
}) satisfies z.ZodType<MessageBatch>;

const messageBatchCreate = z.strictObject({
  requests: z
    .array(z.strictObject({ custom_id: customId, params: messageBody }))
    .min(1)
    .max(MAX_REQUESTS)
    .describe('`params` are a body of `POST /v1/messages` without `stream`, checked when their turn comes'),
  betas: z.exactOptional(z.array(z.string())),
});

const messageBatchResult = z.object({
  custom_id: customId,
  result: z.union([
    z.object({ type: z.literal('succeeded'), message }),
    z.object({ type: z.literal('errored'), error: shape.errorAnswer.extend({ request_id: z.null() }) }),
    z.object({ type: z.enum(['canceled', 'expired']) }),
  ]),
});

const messageBatchProgress = z.object({
  id: z.string(),
  type: z.literal('message_batch_progress'),
  processing: count.describe('Not answered yet'),
  succeeded: count,
  errored: count,
  canceled: count,
  expired: count,
}) satisfies z.ZodType<BatchProgress>;

const listed = {
  position: count.describe('From 0, in the order in which they were sent'),
  custom_id: customId,
  status: z.enum(OUTCOMES),
  result: shape.anyObject.nullable().describe('As in the results; null where there is no answer'),
};
const listedRequest = z.object(listed) satisfies z.ZodType<ListedBatchRequest>;
const messageBatchRequest = z.object({
  ...listed,
  params: shape.anyObject.describe('As they were sent'),
}) satisfies z.ZodType<BatchRequest>;

named({
  messageBatch,
  messageBatchCreate,
  messageBatchProgress,
  messageBatchRequest,
  messageBatchResult,
});

export interface BatchRouteDeps {
  readonly batches: Batches;
  readonly batchRuntime: BatchRuntime;
  /** How long a body may take to arrive, in ms; default 280 s. */
  readonly uploadTimeoutMs?: number;
}

const route = routesOf<BatchRouteDeps>()('Messages', {
  id: 'A batch’s id, `msgbatch_…`',
  position: 'A request’s place in its batch, from 0',
});

/** The routes of `/v1/messages/batches`, which read their own bodies; see `batch-body.ts`. */
export const batchRoutes = [
  route('GET /v1/messages/batches', 'listMessageBatches', 'List message batches', {
    description: 'Newest first.',
    query: { limit: limit(20), after_id: afterId, before_id: beforeId },
    answer: shape.idPageOf(messageBatch),
    handle: ({ batches }, { search, req }) => batches.list(search, originOf(req)),
  }),
  route('POST /v1/messages/batches', 'createMessageBatch', 'Create a message batch', {
    description:
      'Up to 100,000 requests for messages, and 256 MB, answered within 24 hours whatever happens to the server.',
    headers: betas,
    body: json(messageBatchCreate, { requests: [{ custom_id: 'first', params: SCRIPT_EXAMPLE }] }),
    answer: messageBatch,
    errors: [429],
    handle: async ({ batches, batchRuntime, uploadTimeoutMs }, { req, res }) => {
      await admitRequest(res, 'batches');
      const body = batchBody(req, uploadTimeoutMs);
      const batch = await batches.create(body, { betas: betasOf(req), origin: originOf(req) });
      // The batch stands in the store and is offered until its workflow has taken it.
      void batchRuntime.deliver(batch.id);
      return batch;
    },
  }),
  route('GET /v1/messages/batches/{id}', 'retrieveMessageBatch', 'Retrieve a message batch', {
    answer: messageBatch,
    handle: ({ batches }, { params, req }) => batches.retrieve(params.id, originOf(req)),
  }),
  route('DELETE /v1/messages/batches/{id}', 'deleteMessageBatch', 'Delete a message batch that has ended', {
    answer: shape.deleted('message_batch_deleted'),
    handle: ({ batches }, { params }) => batches.delete(params.id),
  }),
  route('POST /v1/messages/batches/{id}/cancel', 'cancelMessageBatch', 'Cancel a message batch', {
    description: 'No further request of it begins; those under way are finished.',
    answer: messageBatch,
    handle: async ({ batches, batchRuntime }, { params, req }) => {
      const batch = await batches.cancel(params.id, originOf(req));
      void batchRuntime.deliver(batch.id);
      return batch;
    },
  }),
  route(
    'GET /v1/messages/batches/{id}/progress',
    'readMessageBatchProgress',
    'Read how far a message batch is',
    {
      description: 'Ours: what is answered so far, while the batch itself counts all as `processing`.',
      answer: messageBatchProgress,
      handle: ({ batches }, { params }) => batches.progress(params.id),
    },
  ),
  route(
    'GET /v1/messages/batches/{id}/requests',
    'listMessageBatchRequests',
    'List the requests of a message batch',
    {
      description: 'Ours: in their order, with their results so far, and without their `params`.',
      query: {
        after: count.describe('The position of the last one that you have').optional(),
        limit: limit(20),
        status: z.enum(OUTCOMES).optional(),
      },
      answer: z.object({ data: z.array(listedRequest), has_more: z.boolean() }),
      handle: ({ batches }, { params, search }) => batches.requests(params.id, search),
    },
  ),
  route(
    'GET /v1/messages/batches/{id}/requests/{position}',
    'retrieveMessageBatchRequest',
    'Retrieve a request of a message batch',
    {
      description: 'Ours.',
      answer: messageBatchRequest,
      handle: ({ batches }, { params }) => batches.request(params.id, params.position),
    },
  ),
  route(
    'GET /v1/messages/batches/{id}/results',
    'readMessageBatchResults',
    'Read the results of a message batch that has ended',
    {
      answer: {
        description: 'A line of JSON for each request, in their order',
        content: (components) => text(JSON_LINES, components, messageBatchResult),
      },
      handle: async ({ batches }, { params, req, res }) => {
        const lines = await batches.results(params.id);
        res.setHeader('content-type', JSON_LINES);
        if (req.method === 'HEAD') res.end();
        else await sendStream(res, lines);
      },
    },
  ),
];
