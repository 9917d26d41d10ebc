import { z } from 'zod';

const loose = z.record(z.string(), z.unknown());

/** What a history of a durable actor means. */
export const workflowExplanation = z.object({
  type: z.literal('workflow_explanation'),
  workflow_id: z.string(),
  run_id: z.string(),
  known: z
    .boolean()
    .describe('Whether this server knows the state machine, so that the history is explained'),
  reason: z.string().nullable().describe('Why it is not explained'),
  machine: z
    .object({ id: z.string(), version: z.string().nullable(), hash: z.string() })
    .nullable()
    .describe('The machine that the run belongs to'),
  definition: loose
    .nullable()
    .describe(
      'The machine’s definition as XState’s JSON, each node with `active`; by the query `machine` where it is not known; null where it was not asked for',
    ),
  event_schemas: z
    .record(z.string(), loose)
    .describe('JSON schemas of the machine’s events, of those that have one, by their types'),
  explanation: z
    .object({
      status: z.string(),
      state: z.string().describe('The state path at the end of the history'),
      output: z.unknown(),
      error: z.unknown(),
      running: z.array(loose).describe('Effects that have neither ended nor been stopped'),
      waiting: z.array(z.int()).describe('Ids of events that no task has taken yet'),
      failed_tasks: z.array(z.object({ event_id: z.int(), reason: z.string() })),
      divergence: loose.nullable().describe('Where the machine would have done something else'),
      held: loose.nullable().describe('Why the run takes no events'),
      step_count: z.int(),
      last_event_id: z.int().describe('How far the history was read'),
    })
    .nullable(),
  steps: z
    .array(loose)
    .describe('Macrosteps of this page, as `explainHistory` of @steadyhand/statechart/client answers them'),
  next_page: z.string().nullable().describe('Send it as `page` for the steps that come next'),
  queries: z
    .object({
      machine: z.unknown(),
      snapshot: z.unknown(),
      changes: z.unknown(),
      errors: z.record(z.string(), z.string()).describe('Of those that were not answered'),
    })
    .nullable()
    .describe('What the workflow itself answers, where the machine is not known'),
});
export type WorkflowExplanation = z.output<typeof workflowExplanation>;
