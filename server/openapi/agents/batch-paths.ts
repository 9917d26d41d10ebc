import { z } from 'zod';
import { customId, type DeletedMessageBatch, MAX_REQUESTS, type MessageBatch } from '@steadyhand/batches';
import { JSON_LINES } from '../../routes/batches.ts';
import type { Components } from '../components.ts';
import { type Operation, type Parameter, type Paths, pathParameter, queryParameter } from '../document.ts';
import { message } from './answers.ts';
import { messageBody, SCRIPT_EXAMPLE } from './message-body.ts';
import { answers, type Described, describe as describeWith, json } from './operations.ts';
import { deleted, errorAnswer, maybeTime, time } from './shapes.ts';

const count = z.int().min(0);

export const messageBatch: z.ZodType<MessageBatch> = z.object({
  id: z.string().describe('`msgbatch_…`'),
  type: z.literal('message_batch'),
  processing_status: z.enum(['in_progress', 'canceling', 'ended']),
  request_counts: z
    .object({ processing: count, succeeded: count, errored: count, canceled: count, expired: count })
    .describe('All are `processing` until the whole batch has ended'),
  created_at: time,
  ended_at: maybeTime,
  expires_at: time.describe('24 hours after its creation'),
  cancel_initiated_at: maybeTime,
  archived_at: z.null(),
  results_url: z.string().nullable().describe('Null until the batch has ended'),
});

const deletedBatch: z.ZodType<DeletedMessageBatch> = deleted('message_batch_deleted');

export const messageBatchCreate = z.strictObject({
  requests: z
    .array(z.strictObject({ custom_id: customId, params: messageBody }))
    .min(1)
    .max(MAX_REQUESTS)
    .describe('`params` are a body of `POST /v1/messages` without `stream`, checked when their turn comes'),
  betas: z.exactOptional(z.array(z.string())),
});

const page = z.object({
  data: z.array(messageBatch),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});

export const messageBatchResult = z.object({
  custom_id: customId,
  result: z.union([
    z.object({ type: z.literal('succeeded'), message }),
    z.object({
      type: z.literal('errored'),
      error: errorAnswer.extend({ request_id: z.null() }),
    }),
    z.object({ type: z.enum(['canceled', 'expired']) }),
  ]),
});

const ID = pathParameter('id', 'A batch’s id, `msgbatch_…`');

/** The routes of message batches. @param betas the header that names betas */
export function batchPaths(components: Components, betas: Parameter): Paths {
  const describe = (id: string, summary: string, described: Omit<Described, 'tag'>): Operation =>
    describeWith(components, id, summary, { tag: 'Messages', ...described });

  return {
    '/v1/messages/batches': {
      get: describe('listMessageBatches', 'List message batches', {
        description: 'Newest first.',
        parameters: [
          queryParameter('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 20 }),
          queryParameter('after_id', { type: 'string' }, 'The `last_id` of the page before'),
          queryParameter('before_id', { type: 'string' }, 'The `first_id` of the page behind'),
        ],
        answer: answers(page),
      }),
      post: describe('createMessageBatch', 'Create a message batch', {
        description:
          'Up to 100,000 requests for messages, and 256 MB, answered within 24 hours whatever happens to the server.',
        parameters: [betas],
        body: json(messageBatchCreate, { requests: [{ custom_id: 'first', params: SCRIPT_EXAMPLE }] }),
        answer: answers(messageBatch),
        errors: [429],
      }),
    },
    '/v1/messages/batches/{id}': {
      get: describe('retrieveMessageBatch', 'Retrieve a message batch', {
        parameters: [ID],
        answer: answers(messageBatch),
        errors: [404],
      }),
      delete: describe('deleteMessageBatch', 'Delete a message batch that has ended', {
        parameters: [ID],
        answer: answers(deletedBatch),
        errors: [404],
      }),
    },
    '/v1/messages/batches/{id}/cancel': {
      post: describe('cancelMessageBatch', 'Cancel a message batch', {
        description: 'No further request of it begins; those under way are finished.',
        parameters: [ID],
        answer: answers(messageBatch),
        errors: [404],
      }),
    },
    '/v1/messages/batches/{id}/results': {
      get: describe('readMessageBatchResults', 'Read the results of a message batch that has ended', {
        parameters: [ID],
        answer: {
          description: 'A line of JSON for each request, in their order',
          content: (all) => ({
            [JSON_LINES]: {
              schema: {
                type: 'string',
                contentMediaType: JSON_LINES,
                contentSchema: all.of(messageBatchResult),
              },
            },
          }),
        },
        errors: [404],
      }),
    },
  };
}
