import type { temporal } from '@temporalio/proto';
import {
  Failure,
  Link,
  Payloads,
  PendingActivityState,
  Priority,
  TaskQueueKind,
  fromEncoded,
  fromEncodedOptional,
} from '../protocol/proto.ts';
import { duration, long, optionalTimestamp, timestamp } from '../protocol/values.ts';
import type { ActivityTaskResponse } from '../queues/matching.ts';
import { encodeTaskToken } from '../protocol/task-token.ts';
import { toRetryPolicy } from '../runs/retry-policy.ts';
import {
  type ActivityOptionsRecord,
  type ActivityState,
  type StandaloneActivity,
  expirationTime,
  firstDispatchTime,
  isClosed,
  isInProgress,
  isPaused,
} from './activity.ts';
import type { ActivityRequest } from './activity-store.ts';
import { shownStatus } from './activity-visibility.ts';

type Outcome = temporal.api.activity.v1.IActivityExecutionOutcome;
type Info = temporal.api.activity.v1.IActivityExecutionInfo;

/** Makes what the worker gets that has just begun an attempt. */
export function activityTask(
  { ref, state }: StandaloneActivity,
  { input, header }: ActivityRequest,
): ActivityTaskResponse {
  const { namespace, activityId, runId } = ref;
  const { options, fence = '', dispatchTime } = state;
  return {
    taskToken: encodeTaskToken({ kind: 'standalone', namespace, activityId, runId, fence }),
    workflowNamespace: namespace,
    workflowExecution: {},
    activityRunId: runId,
    activityId,
    activityType: { name: state.activityType },
    header: header ?? null,
    input: input ?? null,
    heartbeatDetails: fromEncodedOptional(Payloads, state.heartbeatDetails),
    scheduledTime: timestamp(state.scheduledTime),
    currentAttemptScheduledTime: optionalTimestamp(dispatchTime),
    startedTime: optionalTimestamp(state.startedTime),
    attempt: state.attempt,
    scheduleToCloseTimeout: duration(options.scheduleToCloseMs),
    startToCloseTimeout: duration(options.startToCloseMs),
    heartbeatTimeout: duration(options.heartbeatMs),
    retryPolicy: toRetryPolicy(options.retry),
    priority: fromEncodedOptional(Priority, options.priority),
  };
}

/** Makes what an activity ended with; null of one that is not over. */
export function outcomeOf({ state }: StandaloneActivity): Outcome | null {
  if (!isClosed(state)) return null;
  const { result, failure, retryState } = state.outcome ?? {};
  if (result !== undefined) return { result: fromEncoded(Payloads, result) };
  return { failure: fromEncodedOptional(Failure, failure ?? state.lastFailure), retryState: retryState ?? 0 };
}

function runState(state: ActivityState): temporal.api.enums.v1.PendingActivityState {
  switch (state.status) {
    case 'Scheduled':
      return PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED;
    case 'Started':
      return PendingActivityState.PENDING_ACTIVITY_STATE_STARTED;
    case 'ResetRequested':
      return isPaused(state)
        ? PendingActivityState.PENDING_ACTIVITY_STATE_PAUSE_REQUESTED
        : PendingActivityState.PENDING_ACTIVITY_STATE_STARTED;
    case 'CancelRequested':
      return PendingActivityState.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED;
    case 'Paused':
      return PendingActivityState.PENDING_ACTIVITY_STATE_PAUSED;
    case 'PauseRequested':
      return PendingActivityState.PENDING_ACTIVITY_STATE_PAUSE_REQUESTED;
    default:
      return PendingActivityState.PENDING_ACTIVITY_STATE_UNSPECIFIED;
  }
}

/** Which parts of an activity are asked for beside the rest. */
interface Wanted {
  readonly includeHeartbeatDetails?: boolean | null;
  readonly includeLastFailure?: boolean | null;
}

export function activityInfo(
  activity: StandaloneActivity,
  request: ActivityRequest,
  wanted: Wanted,
  now: number,
): Info {
  const { ref, state } = activity;
  const { options, dispatchTime, closeTime } = state;
  const isWaiting = !isInProgress(state) && !isPaused(state) && !isClosed(state);
  const isAhead = isWaiting && dispatchTime !== undefined && dispatchTime > now;
  const isBackingOff = isAhead && state.retryInterval !== undefined;
  return {
    activityId: ref.activityId,
    runId: ref.runId,
    activityType: { name: state.activityType },
    status: shownStatus(activity),
    runState: runState(state),
    taskQueue: options.taskQueue,
    scheduleToCloseTimeout: duration(options.scheduleToCloseMs),
    scheduleToStartTimeout: duration(options.scheduleToStartMs),
    startToCloseTimeout: duration(options.startToCloseMs),
    heartbeatTimeout: duration(options.heartbeatMs),
    retryPolicy: toRetryPolicy(options.retry),
    heartbeatDetails: wanted.includeHeartbeatDetails
      ? fromEncodedOptional(Payloads, state.heartbeatDetails)
      : null,
    lastHeartbeatTime: optionalTimestamp(state.heartbeatTime),
    lastStartedTime: optionalTimestamp(state.startedTime),
    attempt: state.attempt,
    executionDuration: closeTime === undefined ? null : duration(closeTime - state.scheduledTime),
    scheduleTime: timestamp(state.scheduledTime),
    expirationTime: optionalTimestamp(expirationTime(state)),
    closeTime: optionalTimestamp(closeTime),
    lastFailure: wanted.includeLastFailure ? fromEncodedOptional(Failure, state.lastFailure) : null,
    lastWorkerIdentity: state.lastWorker ?? '',
    currentRetryInterval: isBackingOff ? duration(state.retryInterval?.ms ?? 0) : null,
    lastAttemptCompleteTime: optionalTimestamp(state.lastAttemptTime),
    nextAttemptScheduleTime: isAhead ? timestamp(dispatchTime) : null,
    priority: fromEncodedOptional(Priority, options.priority),
    stateTransitionCount: long(state.transitions),
    stateSizeBytes: long(JSON.stringify(state).length),
    searchAttributes: request.searchAttributes ?? {},
    header: request.header ?? null,
    userMetadata: request.userMetadata ?? null,
    canceledReason: state.cancel?.reason ?? '',
    links: state.links.map(({ link }) => fromEncoded(Link, link)),
    totalHeartbeatCount: long(state.heartbeats),
    sdkName: state.sdk?.name ?? '',
    sdkVersion: state.sdk?.version ?? '',
    startDelay: options.startDelayMs === null ? null : duration(options.startDelayMs),
    executionTime: timestamp(firstDispatchTime(state)),
  };
}

export function optionsView(options: ActivityOptionsRecord): temporal.api.activity.v1.IActivityOptions {
  return {
    taskQueue: { name: options.taskQueue, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
    scheduleToCloseTimeout: duration(options.scheduleToCloseMs),
    scheduleToStartTimeout: duration(options.scheduleToStartMs),
    startToCloseTimeout: duration(options.startToCloseMs),
    heartbeatTimeout: duration(options.heartbeatMs),
    retryPolicy: toRetryPolicy(options.retry),
    priority: fromEncodedOptional(Priority, options.priority),
    startDelay: options.startDelayMs === null ? null : duration(options.startDelayMs),
  };
}
