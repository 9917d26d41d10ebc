import type { temporal } from '@temporalio/proto';
import { newId } from '../ids.ts';
import type { Kernel } from '../kernel.ts';
import type { Poller } from '../matching/task-queue.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { isDispatchable } from '../mutable-state/pending-work.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { Payloads, fromEncodedOptional } from '../proto.ts';
import { duration, optionalTimestamp, timestamp } from '../proto-values.ts';
import { encodeTaskToken } from '../task-token.ts';
import type { RunRef } from '../types.ts';
import { toRetryPolicy } from '../workflow/retry-policy.ts';

export type ActivityTaskResponse = temporal.api.workflowservice.v1.IPollActivityTaskQueueResponse;

/** Gives an activity to a poller; undefined when this attempt is no longer wanted. */
export function startActivity(
  kernel: Kernel,
  ref: RunRef,
  wanted: { scheduledEventId: number; attempt: number },
  poller: Poller,
): ActivityTaskResponse | undefined {
  const current = kernel.runs.peek(ref)?.record.activities[wanted.scheduledEventId];
  if (!current || current.attempt !== wanted.attempt || !isDispatchable(current)) return undefined;
  const started = kernel.runs.transact(() => {
    const state = kernel.runs.edit(ref);
    const activity = state?.record.activities[wanted.scheduledEventId];
    if (!state || !activity) return undefined;
    markStarted(kernel, activity, poller.identity);
    return { state, activity };
  });
  return started && activityTaskResponse(kernel, started.state, started.activity);
}

/** Records that a worker has the activity. No event: history learns of the start when the activity is over. */
export function markStarted(kernel: Kernel, activity: ActivityRecord, identity: string): void {
  activity.startedTime = kernel.now();
  activity.fence = newId();
  activity.requestId = newId();
  activity.identity = identity;
  delete activity.heartbeatTime;
}

export function activityTaskResponse(
  kernel: Kernel,
  state: MutableState,
  activity: ActivityRecord,
): ActivityTaskResponse {
  const { ref, record } = state;
  const { scheduledEventId, fence } = activity;
  if (fence === undefined) throw new Error(`activity ${scheduledEventId} of ${ref.runId} is not started`);
  const scheduled = kernel.history.event(state.key, scheduledEventId).activityTaskScheduledEventAttributes;
  return {
    taskToken: encodeTaskToken({ ...ref, kind: 'activity', scheduledEventId, fence }),
    workflowNamespace: ref.namespace,
    workflowType: { name: record.workflowType },
    workflowExecution: { workflowId: ref.workflowId, runId: ref.runId },
    activityType: { name: activity.activityType },
    activityId: activity.activityId,
    header: scheduled?.header ?? null,
    input: scheduled?.input ?? null,
    heartbeatDetails: fromEncodedOptional(Payloads, activity.heartbeatDetails),
    scheduledTime: timestamp(activity.scheduledTime),
    currentAttemptScheduledTime: timestamp(activity.attemptScheduledTime),
    startedTime: optionalTimestamp(activity.startedTime),
    attempt: activity.attempt,
    scheduleToCloseTimeout: duration(activity.scheduleToCloseMs),
    startToCloseTimeout: duration(activity.startToCloseMs),
    heartbeatTimeout: duration(activity.heartbeatMs),
    retryPolicy: activity.retry ? toRetryPolicy(activity.retry) : null,
    priority: scheduled?.priority ?? null,
  };
}
