import type { DeploymentRegistry } from '../deployments/deployment-registry.ts';
import { activityTarget } from '../deployments/run-versioning.ts';
import { newId } from '../primitives/ids.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { ActivityTaskResponse, Matching } from '../queues/matching.ts';
import type { Poller } from '../queues/task-queue.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { isDispatchable } from '../mutable-state/pending-work.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { Payloads, fromEncodedOptional } from '../protocol/proto.ts';
import { duration, optionalTimestamp, timestamp } from '../protocol/values.ts';
import { type RunTaskToken, encodeTaskToken } from '../protocol/task-token.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { toRetryPolicy } from '../runs/retry-policy.ts';
import type { ActivityTaskDispatch } from '../mutable-state/tasks.ts';
import { notFound } from '../protocol/rpc-error.ts';
import { LATE_TEXTS, type RunLookup, findRun } from '../runs/find-run.ts';

/** Gives an activity to a poller; answers undefined when this attempt is no longer wanted. */
function startActivity(
  runs: RunRegistry,
  ref: RunRef,
  wanted: Pick<ActivityTaskDispatch, 'scheduledEventId' | 'attempt' | 'queue'>,
  poller: Poller,
): ActivityTaskResponse | undefined {
  const found = runs.peek(ref);
  const current = found?.pending.activities.get(wanted.scheduledEventId);
  if (current?.attempt !== wanted.attempt || current.taskQueue !== wanted.queue) return undefined;
  if (!isDispatchable(current) || found?.record.paused) return undefined;
  const started = runs.transact(() => {
    const state = runs.edit(ref);
    const activity = state?.pending.activities.edit(wanted.scheduledEventId);
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
}

export function activityTaskResponse(state: MutableState, activity: ActivityRecord): ActivityTaskResponse {
  const { ref, record } = state;
  const { scheduledEventId, fence } = activity;
  if (fence === undefined) throw new Error(`activity ${scheduledEventId} of ${ref.runId} is not started`);
  const { eventTime, activityTaskScheduledEventAttributes: scheduled } = state.event(scheduledEventId);
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
    scheduledTime: eventTime ?? null,
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

/** Puts an attempt of an activity into its task queue. */
export function enqueueActivityTask(
  services: {
    readonly runs: RunRegistry;
    readonly matching: Matching;
    readonly deployments: DeploymentRegistry;
  },
  ref: RunRef,
  task: ActivityTaskDispatch,
): void {
  const { runs, matching, deployments } = services;
  const state = runs.peek(ref);
  if (!state) return;
  const target = activityTarget(deployments, state, task.queue);
  matching.activityQueue(ref.namespace, task.queue, target).add({
    addedAt: task.scheduledTime,
    start: (poller) => startActivity(runs, ref, task, poller),
    reroute: () => enqueueActivityTask(services, ref, task),
  });
}

/** Names a started activity of a run. */
export interface StartedActivity {
  readonly ref: RunRef;
  readonly scheduledEventId: number;
}

const OVER = 'invalid activityID or activity already timed out or invoking workflow is completed';

/** Finds the activity of a task token; throws NOT_FOUND when it is over or another worker has it. */
export function findActivityByToken(runs: RunRegistry, token: RunTaskToken): StartedActivity {
  const state = runs.peek(token);
  if (!state) throw notFound(`workflow not found for ID: ${token.workflowId}`);
  if (!state.isRunning) throw notFound('workflow execution already completed');
  const activity = state.pending.activities.get(token.scheduledEventId);
  if (activity?.startedTime === undefined || activity.fence !== token.fence) {
    throw notFound(OVER);
  }
  return { ref: state.ref, scheduledEventId: token.scheduledEventId };
}

/** Names an activity by its id, as those do who report on it without its task token. */
interface ActivityById {
  readonly namespace?: string | null;
  readonly workflowId: string;
  readonly runId?: string | null;
  readonly activityId: string;
}

/** Finds the pending activity with this id in a run, whether a worker has it or not. */
export function findPendingActivityById(
  lookup: RunLookup,
  { namespace, workflowId, runId, activityId }: ActivityById,
): StartedActivity & { readonly isStarted: boolean } {
  lookup.namespaces.get(namespace ?? '');
  const state = findRun(lookup, namespace, { workflowId, runId: runId ?? '' }, LATE_TEXTS);
  if (!state.isRunning) throw notFound('workflow execution already completed');
  const activity = state.pending.activityById(activityId);
  if (!activity) {
    throw notFound(
      `cannot find pending activity with ActivityID ${activityId}, check workflow execution history for more details`,
    );
  }
  const { scheduledEventId, startedTime } = activity;
  return { ref: state.ref, scheduledEventId, isStarted: startedTime !== undefined };
}

/** Finds the activity with this id that a worker has. */
export function findActivityById(lookup: RunLookup, request: ActivityById): StartedActivity {
  const found = findPendingActivityById(lookup, request);
  if (!found.isStarted) throw notFound(OVER);
  return found;
}
