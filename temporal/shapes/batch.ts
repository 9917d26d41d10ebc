import { z } from 'zod';
import { count, maybeTime, time } from './common.ts';

/** The same done to many workflows. */

export const MAX_LISTED = 500;

const reason = z.string().max(1000).default('');

export const batchBody = z
  .strictObject({
    action: z.enum(['signal', 'cancel', 'terminate']),
    workflows: z
      .array(
        z.strictObject({
          workflow_id: z.string().min(1),
          run_id: z.string().min(1).nullable().default(null),
        }),
      )
      .min(1)
      .max(MAX_LISTED)
      .nullable()
      .default(null)
      .describe('These runs, one after the other, with a result for each'),
    query: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe('In place of `workflows`: all running ones that it finds'),
    reason,
    signal: z
      .strictObject({ name: z.string().min(1), args: z.array(z.unknown()).default([]) })
      .nullable()
      .default(null),
  })
  .refine(({ workflows, query }) => (workflows === null) !== (query === null), {
    message: 'expected either workflows or query',
    path: ['workflows'],
  })
  .refine(({ action, signal }) => (action === 'signal') === (signal !== null), {
    message: 'expected with the action signal, and with no other',
    path: ['signal'],
  });
export type BatchBody = z.output<typeof batchBody>;

const batchResult = z.object({
  workflow_id: z.string(),
  run_id: z.string().nullable(),
  status: z.enum(['done', 'failed']),
  error: z.string().nullable(),
});

export const workflowBatch = z.object({
  type: z.literal('workflow_batch'),
  id: z.string().nullable().describe('To ask again by; null where it was done before this answer'),
  action: z.string(),
  status: z.enum(['running', 'completed', 'failed']),
  reason: z.string(),
  total: count,
  done: count,
  failed: count,
  more: z
    .boolean()
    .describe(
      `Whether the query finds more than ${MAX_LISTED}, which an engine without batches does at a time`,
    ),
  results: z
    .array(batchResult)
    .nullable()
    .describe('One for each workflow; null where the server does it by itself and tells numbers alone'),
  started_at: time,
  ended_at: maybeTime,
});
export type WorkflowBatch = z.output<typeof workflowBatch>;
