import { newId } from '../primitives/ids.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { ActivityTaskResponse } from '../queues/matching.ts';
import type { Poller } from '../queues/task-queue.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { isDispatchable } from '../mutable-state/pending-work.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { Payloads, fromEncodedOptional } from '../protocol/proto.ts';
import { duration, optionalTimestamp, timestamp } from '../protocol/values.ts';
import { encodeTaskToken } from '../protocol/task-token.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { toRetryPolicy } from '../runs/retry-policy.ts';

/** Gives an activity to a poller; answers undefined when this attempt is no longer wanted. */
export function startActivity(
  runs: RunRegistry,
  ref: RunRef,
  wanted: { scheduledEventId: number; attempt: number },
  poller: Poller,
): ActivityTaskResponse | undefined {
  const current = runs.peek(ref)?.record.activities[wanted.scheduledEventId];
  if (!current || current.attempt !== wanted.attempt || !isDispatchable(current)) return undefined;
  const started = runs.transact(() => {
    const state = runs.edit(ref);
    const activity = state?.record.activities[wanted.scheduledEventId];
    if (!state || !activity) return undefined;
    markStarted(state, activity, poller.identity);
    return { state, activity };
  });
  return started && activityTaskResponse(started.state, started.activity);
}

/** Records that a worker has the activity. The event of the start is written when the activity is over. */
export function markStarted(state: MutableState, activity: ActivityRecord, identity: string): void {
  activity.startedTime = state.now();
  activity.fence = newId();
  activity.requestId = newId();
  activity.identity = identity;
  delete activity.heartbeatTime;
}

export function activityTaskResponse(state: MutableState, activity: ActivityRecord): ActivityTaskResponse {
  const { ref, record } = state;
  const { scheduledEventId, fence } = activity;
  if (fence === undefined) throw new Error(`activity ${scheduledEventId} of ${ref.runId} is not started`);
  const scheduled = state.event(scheduledEventId).activityTaskScheduledEventAttributes;
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
