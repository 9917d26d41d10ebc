import { z } from 'zod';
import { failure } from './failure.ts';
import { payload } from './payload.ts';

/** What is sent to one workflow, and what it answers. */

const runId = z.string().min(1).nullable().default(null).describe('Null: the newest run');
const args = z.array(z.unknown()).default([]).describe('JSON values, one for each argument');
const reason = z.string().max(1000).default('');

export const signalBody = z.strictObject({ run_id: runId, name: z.string().min(1), args });
export type SignalBody = z.output<typeof signalBody>;

export const queryBody = z.strictObject({ run_id: runId, name: z.string().min(1), args });
export type QueryBody = z.output<typeof queryBody>;

export const updateBody = z.strictObject({
  run_id: runId,
  name: z.string().min(1),
  args,
  update_id: z.string().min(1).nullable().default(null).describe('The same id again is the same update'),
  wait_for: z.enum(['accepted', 'completed']).default('completed'),
  timeout_s: z
    .int()
    .min(1)
    .max(60)
    .default(20)
    .describe('After this the answer is what has come of it so far'),
});
export type UpdateBody = z.output<typeof updateBody>;

export const cancelBody = z.strictObject({ run_id: runId, reason });
export type CancelBody = z.output<typeof cancelBody>;

export const terminateBody = z.strictObject({ run_id: runId, reason });
export type TerminateBody = z.output<typeof terminateBody>;

export const resetBody = z
  .strictObject({
    run_id: runId,
    event_id: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('The workflow task’s completed, failed or timed out event; the run goes on from before it'),
    to: z
      .enum(['first_workflow_task', 'last_workflow_task'])
      .nullable()
      .default(null)
      .describe('In place of `event_id`'),
    reason,
    exclude: z
      .array(z.enum(['signal', 'update']))
      .default([])
      .describe('What came in after that point and is not to be sent again'),
  })
  .refine(({ event_id, to }) => (event_id === null) !== (to === null), {
    message: 'expected either event_id or to',
    path: ['event_id'],
  });
export type ResetBody = z.output<typeof resetBody>;

const target = { workflow_id: z.string(), run_id: z.string().nullable() };

export const workflowAction = z.object({
  type: z.literal('workflow_action'),
  action: z.enum(['signal', 'cancel', 'terminate']),
  ...target,
});
export type WorkflowAction = z.output<typeof workflowAction>;

export const workflowReset = z.object({
  type: z.literal('workflow_reset'),
  ...target,
  new_run_id: z.string(),
});
export type WorkflowReset = z.output<typeof workflowReset>;

export const workflowUpdate = z.object({
  type: z.literal('workflow_update'),
  ...target,
  update_id: z.string(),
  stage: z.enum(['admitted', 'accepted', 'completed']),
  result: z.array(payload).nullable(),
  failure: failure.nullable().describe('Of an update that was rejected or failed'),
});
export type WorkflowUpdate = z.output<typeof workflowUpdate>;

export const workflowQuery = z.object({
  type: z.literal('workflow_query'),
  ...target,
  name: z.string(),
  result: z.array(payload),
});
export type WorkflowQuery = z.output<typeof workflowQuery>;

const stackFrame = z.object({
  function_name: z.string().nullable(),
  file_path: z.string().nullable(),
  line: z.int().nullable(),
  column: z.int().nullable(),
});

export const stackTrace = z.object({
  type: z.literal('workflow_stack_trace'),
  ...target,
  stack_trace: z.string().nullable(),
  stacks: z
    .array(z.object({ frames: z.array(stackFrame) }))
    .nullable()
    .describe('What each part of the workflow waits at; null where the SDK does not tell'),
  sources: z
    .record(z.string(), z.array(z.object({ line_offset: z.int(), content: z.string() })))
    .nullable()
    .describe('Sources by their path, where the worker sends them'),
  error: z.string().nullable().describe('Why there is none'),
});
export type StackTrace = z.output<typeof stackTrace>;

const interaction = z.object({
  name: z.string().describe('Empty: it takes every name'),
  description: z.string().nullable(),
});

export const workflowInterface = z.object({
  type: z.literal('workflow_interface'),
  ...target,
  workflow_type: z.string().nullable(),
  description: z.string().nullable(),
  current_details: z.string().nullable(),
  queries: z.array(interaction),
  signals: z.array(interaction),
  updates: z.array(interaction),
  error: z.string().nullable().describe('Why nothing is known, e.g. that no worker answers'),
});
export type WorkflowInterface = z.output<typeof workflowInterface>;
