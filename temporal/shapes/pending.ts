import { z } from 'zod';
import { count, maybeTime, time } from './common.ts';
import { failure } from './failure.ts';
import { payload } from './payload.ts';

/** What a run waits for. */

const maybeMs = z.number().nullable().describe('Milliseconds; null: no limit');

export const pendingActivity = z.object({
  activity_id: z.string(),
  activity_type: z.string(),
  state: z.enum(['scheduled', 'started', 'cancel_requested', 'paused', 'pause_requested']),
  task_queue: z.string().nullable(),
  attempt: count,
  maximum_attempts: count.nullable().describe('Null: no limit'),
  scheduled_time: maybeTime,
  last_started_time: maybeTime,
  last_heartbeat_time: maybeTime,
  heartbeat_details: z.array(payload),
  last_failure: failure.nullable(),
  last_worker_identity: z.string().nullable(),
  last_attempt_complete_time: maybeTime,
  next_attempt_time: maybeTime.describe('When it is tried again; null while it runs or waits for a worker'),
  current_retry_interval_ms: maybeMs,
  expiration_time: maybeTime,
  timeouts: z.object({
    schedule_to_close_ms: maybeMs,
    schedule_to_start_ms: maybeMs,
    start_to_close_ms: maybeMs,
    heartbeat_ms: maybeMs,
  }),
});

export const pendingChild = z.object({
  workflow_id: z.string(),
  run_id: z.string().nullable().describe('Null until it has started'),
  workflow_type: z.string(),
  initiated_event_id: count,
  parent_close_policy: z.enum(['terminate', 'abandon', 'request_cancel', 'unspecified']),
});

export const pendingTimer = z.object({
  timer_id: z.string(),
  started_event_id: count,
  started_time: time,
  fires_at: time,
  duration_ms: z.number(),
  summary: payload.nullable(),
});

export const pendingWorkflowTask = z.object({
  state: z.enum(['scheduled', 'started']),
  attempt: count,
  scheduled_time: maybeTime,
  original_scheduled_time: maybeTime,
  started_time: maybeTime,
});

export const pendingNexusOperation = z.object({
  endpoint: z.string(),
  service: z.string(),
  operation: z.string(),
  operation_token: z.string().nullable(),
  state: z.enum(['scheduled', 'backing_off', 'started', 'blocked', 'unspecified']),
  attempt: count,
  scheduled_event_id: count,
  scheduled_time: maybeTime,
  last_attempt_complete_time: maybeTime,
  next_attempt_time: maybeTime,
  last_failure: failure.nullable(),
  cancel_requested: z.boolean(),
  blocked_reason: z.string().nullable(),
});
