import { z } from 'zod';
import { count, maybeTime, time } from './common.ts';
import { failure } from './failure.ts';
import { payload } from './payload.ts';
import {
  pendingActivity,
  pendingChild,
  pendingNexusOperation,
  pendingTimer,
  pendingWorkflowTask,
} from './pending.ts';
import { summaryFields } from './summary.ts';

const maybeMs = z.number().nullable().describe('Milliseconds; null: no limit');

export const ACTIONS = ['signal', 'update', 'query', 'cancel', 'terminate', 'reset'] as const;

/** Whether something may be done to this run now. */
const possibility = z.object({
  available: z.boolean(),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why not: the engine cannot, or the run has closed. What the key may do stands in the namespace’s `access`',
    ),
});
export type Possibility = z.output<typeof possibility>;

const continuation = z.object({
  run_id: z.string(),
  kind: z.enum(['continue_as_new', 'retry', 'cron', 'reset', 'unknown']),
});

/** Everything about one run. */
export const workflow = z.object({
  type: z.literal('workflow'),
  namespace: z.string(),
  ...summaryFields,
  original_start_time: maybeTime,
  attempt: count.describe('By the retry policy; 1 at first'),
  cron_schedule: z.string().nullable(),
  continued_from: continuation.nullable().describe('The run before it in its chain'),
  continued_to: continuation.nullable().describe('The run that came of it; a reset stands there, too'),
  input: z.array(payload),
  result: z
    .array(payload)
    .nullable()
    .describe('Null unless it is completed, or has continued as new: its next input'),
  failure: failure.nullable().describe('Of a run that failed, with its causes'),
  close_reason: z.string().nullable().describe('The reason of a termination'),
  close_event_id: count.nullable(),
  cancel_requested: z.boolean(),
  execution_expires_at: maybeTime,
  run_expires_at: maybeTime,
  timeouts: z.object({ execution_ms: maybeMs, run_ms: maybeMs, task_ms: maybeMs }),
  started_by: z.string().nullable().describe('The identity of the client that started it'),
  summary: payload.nullable().describe('The user metadata of its start'),
  details: payload.nullable(),
  pending_activities: z.array(pendingActivity),
  pending_children: z.array(pendingChild),
  pending_timers: z
    .array(pendingTimer)
    .nullable()
    .describe(
      'By its history: started, neither fired nor cancelled. Null while a long history is still being read; ask again',
    ),
  pending_workflow_task: pendingWorkflowTask.nullable(),
  pending_nexus_operations: z.array(pendingNexusOperation),
  versioning: z
    .object({
      behavior: z.enum(['pinned', 'auto_upgrade', 'unspecified']),
      deployment: z.string().nullable(),
      build_id: z.string().nullable(),
    })
    .nullable()
    .describe('The worker’s build that it runs on, where it is known'),
  reset_points: z
    .array(
      z.object({
        event_id: count.describe('The first workflow task that this build has completed'),
        run_id: z.string(),
        build_id: z.string(),
        time: maybeTime,
        resettable: z.boolean(),
      }),
    )
    .describe('Where a build has taken the run over'),
  actions: z.object(
    Object.fromEntries(ACTIONS.map((name) => [name, possibility])) as Record<
      (typeof ACTIONS)[number],
      typeof possibility
    >,
  ),
  explainable: z.boolean().describe('Whether its workflow’s state machine is known to this server'),
  as_of: time.describe('When this was read'),
});
export type Workflow = z.output<typeof workflow>;

export const workflowRun = z.object({
  type: z.literal('workflow_run'),
  ...summaryFields,
  continued_from: continuation.nullable(),
  attempt: count,
});
export type WorkflowRun = z.output<typeof workflowRun>;

export const workflowRunPage = z.object({ data: z.array(workflowRun), next_page: z.string().nullable() });
