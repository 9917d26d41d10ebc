import type { z } from 'zod';
import type {
  pendingActivity,
  pendingChild,
  pendingNexusOperation,
  pendingWorkflowTask,
} from '../shapes/pending.ts';
import {
  choiceOf,
  type Fields,
  fieldsOf,
  limitMs,
  listOf,
  maybeFields,
  maybeText,
  maybeTime,
  numberOf,
  textOf,
} from '../wire/fields.ts';
import { payloadsOf } from './decoded.ts';
import { failureOf } from './failure.ts';

/** What a run waits for, by its description, whose payloads have been decoded. */

export function pendingActivitiesOf(description: Fields): z.output<typeof pendingActivity>[] {
  return listOf(description, 'pendingActivities').map((activity) => {
    const options = fieldsOf(activity, 'activityOptions');
    return {
      activity_id: textOf(activity, 'activityId'),
      activity_type: textOf(fieldsOf(activity, 'activityType'), 'name'),
      state: choiceOf(
        activity,
        'state',
        'PENDING_ACTIVITY_STATE_',
        ['scheduled', 'started', 'cancel_requested', 'paused', 'pause_requested'],
        'scheduled',
      ),
      task_queue: maybeText(fieldsOf(options, 'taskQueue'), 'name'),
      attempt: numberOf(activity, 'attempt'),
      maximum_attempts: numberOf(activity, 'maximumAttempts') || null,
      scheduled_time: maybeTime(activity, 'scheduledTime'),
      last_started_time: maybeTime(activity, 'lastStartedTime'),
      last_heartbeat_time: maybeTime(activity, 'lastHeartbeatTime'),
      heartbeat_details: payloadsOf(activity, 'heartbeatDetails'),
      last_failure: failureOf(activity, 'lastFailure'),
      last_worker_identity: maybeText(activity, 'lastWorkerIdentity'),
      last_attempt_complete_time: maybeTime(activity, 'lastAttemptCompleteTime'),
      next_attempt_time: maybeTime(activity, 'nextAttemptScheduleTime'),
      current_retry_interval_ms: limitMs(activity, 'currentRetryInterval'),
      expiration_time: maybeTime(activity, 'expirationTime'),
      timeouts: {
        schedule_to_close_ms: limitMs(options, 'scheduleToCloseTimeout'),
        schedule_to_start_ms: limitMs(options, 'scheduleToStartTimeout'),
        start_to_close_ms: limitMs(options, 'startToCloseTimeout'),
        heartbeat_ms: limitMs(options, 'heartbeatTimeout'),
      },
    };
  });
}

export function pendingChildrenOf(description: Fields): z.output<typeof pendingChild>[] {
  return listOf(description, 'pendingChildren').map((child) => ({
    workflow_id: textOf(child, 'workflowId'),
    run_id: maybeText(child, 'runId'),
    workflow_type: textOf(child, 'workflowTypeName'),
    initiated_event_id: numberOf(child, 'initiatedId'),
    parent_close_policy: choiceOf(
      child,
      'parentClosePolicy',
      'PARENT_CLOSE_POLICY_',
      ['terminate', 'abandon', 'request_cancel', 'unspecified'],
      'unspecified',
    ),
  }));
}

export function pendingWorkflowTaskOf(description: Fields): z.output<typeof pendingWorkflowTask> | null {
  const task = maybeFields(description, 'pendingWorkflowTask');
  if (task === null) return null;
  return {
    state: choiceOf(task, 'state', 'PENDING_WORKFLOW_TASK_STATE_', ['scheduled', 'started'], 'scheduled'),
    attempt: numberOf(task, 'attempt'),
    scheduled_time: maybeTime(task, 'scheduledTime'),
    original_scheduled_time: maybeTime(task, 'originalScheduledTime'),
    started_time: maybeTime(task, 'startedTime'),
  };
}

export function pendingNexusOperationsOf(description: Fields): z.output<typeof pendingNexusOperation>[] {
  return listOf(description, 'pendingNexusOperations').map((operation) => ({
    endpoint: textOf(operation, 'endpoint'),
    service: textOf(operation, 'service'),
    operation: textOf(operation, 'operation'),
    operation_token: maybeText(operation, 'operationToken'),
    state: choiceOf(
      operation,
      'state',
      'PENDING_NEXUS_OPERATION_STATE_',
      ['scheduled', 'backing_off', 'started', 'blocked', 'unspecified'],
      'unspecified',
    ),
    attempt: numberOf(operation, 'attempt'),
    scheduled_event_id: numberOf(operation, 'scheduledEventId'),
    scheduled_time: maybeTime(operation, 'scheduledTime'),
    last_attempt_complete_time: maybeTime(operation, 'lastAttemptCompleteTime'),
    next_attempt_time: maybeTime(operation, 'nextAttemptScheduleTime'),
    last_failure: failureOf(operation, 'lastAttemptFailure'),
    cancel_requested: maybeFields(operation, 'cancellationInfo') !== null,
    blocked_reason: maybeText(operation, 'blockedReason'),
  }));
}
