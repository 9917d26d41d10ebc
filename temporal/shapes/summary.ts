import { z } from 'zod';
import { count, maybeTime, runRef, time } from './common.ts';
import { payload } from './payload.ts';

export const STATUSES = [
  'running',
  'completed',
  'failed',
  'canceled',
  'terminated',
  'continued_as_new',
  'timed_out',
  'paused',
] as const;
export const status = z.enum(STATUSES);
export type WorkflowStatus = z.output<typeof status>;

const searchAttribute = z.object({
  type: z
    .string()
    .nullable()
    .describe('`Keyword`, `KeywordList`, `Text`, `Int`, `Double`, `Bool` or `Datetime`'),
  value: z.unknown(),
});

/** What a list says of a run. */
export const summaryFields = {
  workflow_id: z.string(),
  run_id: z.string(),
  workflow_type: z.string(),
  status,
  task_queue: z.string(),
  start_time: time,
  execution_time: maybeTime.describe('When its first workflow task was due, later than its start by a delay'),
  close_time: maybeTime,
  duration_ms: z.number().nullable().describe('From the execution time to the close; null while it runs'),
  history_length: count
    .nullable()
    .describe('Events; null in lists while it runs, because servers list this of closed runs alone'),
  history_size_bytes: count.nullable().describe('As `history_length`'),
  state_transitions: count.nullable().describe('As `history_length`'),
  parent: runRef.nullable(),
  root: runRef.nullable().describe('The first ancestor; itself where it has no parent'),
  first_run_id: z
    .string()
    .nullable()
    .describe('The first run of its chain; null where the server does not say'),
  search_attributes: z.record(z.string(), searchAttribute),
  memo: z.record(z.string(), payload),
};

export const workflowSummary = z.object({ type: z.literal('workflow'), ...summaryFields });
export type WorkflowSummary = z.output<typeof workflowSummary>;

export const workflowPage = z.object({ data: z.array(workflowSummary), next_page: z.string().nullable() });

export const workflowCount = z.object({
  type: z.literal('workflow_count'),
  query: z.string(),
  count: count.describe('Of all runs that the query finds'),
  by_status: z.partialRecord(status, count).describe('Without those of which there are none'),
});
export type WorkflowCount = z.output<typeof workflowCount>;
