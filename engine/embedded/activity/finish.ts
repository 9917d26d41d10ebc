import type { temporal } from '@temporalio/proto';
import type { EventAttributes } from '../history/events.ts';
import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { Failure, RetryState, TimeoutType, fromEncodedOptional, toEncoded } from '../proto.ts';
import { long } from '../proto-values.ts';
import { decideRetry } from '../workflow/retry-decision.ts';
import { wakeWorkflow } from '../workflow-task/schedule.ts';

type IFailure = temporal.api.failure.v1.IFailure;
type IPayloads = temporal.api.common.v1.IPayloads | null;

/** Who reports an outcome. Only workers that complete or fail their own task tell their build. */
interface Reporter {
  readonly identity: string;
  readonly workerVersion?: temporal.api.common.v1.IWorkerVersionStamp | null | undefined;
}

/** The started event of the last attempt, written only now, right before the event that ends the activity. */
function appendStarted(
  state: MutableState,
  activity: ActivityRecord,
  workerVersion: Reporter['workerVersion'],
): number {
  const started = state.receive({
    activityTaskStartedEventAttributes: {
      scheduledEventId: long(activity.scheduledEventId),
      identity: activity.identity ?? '',
      requestId: activity.requestId ?? '',
      attempt: activity.attempt,
      lastFailure: fromEncodedOptional(Failure, activity.lastFailure),
      workerVersion: workerVersion ?? null,
    },
  });
  return started.eventId ? started.eventId.toNumber() : 0;
}

/**
 * Writes the events that end an activity and wakes its workflow. While a worker has the workflow task both events are
 * kept back, and the reference from the last to the started one (0 here) is set when they get their ids.
 */
function endActivity(
  kernel: Kernel,
  state: MutableState,
  activity: ActivityRecord,
  makeEvent: (startedEventId: number) => EventAttributes,
  workerVersion?: Reporter['workerVersion'],
): void {
  writeEnd(state, activity, makeEvent, workerVersion);
  wakeWorkflow(kernel, state);
}

function writeEnd(
  state: MutableState,
  activity: ActivityRecord,
  makeEvent: (startedEventId: number) => EventAttributes,
  workerVersion?: Reporter['workerVersion'],
): void {
  const startedEventId =
    activity.startedTime === undefined ? 0 : appendStarted(state, activity, workerVersion);
  state.receive(makeEvent(startedEventId));
  delete state.record.activities[activity.scheduledEventId];
}

export function completeActivity(
  kernel: Kernel,
  state: MutableState,
  activity: ActivityRecord,
  outcome: { result: IPayloads } & Reporter,
): void {
  const makeEvent = (startedEventId: number): EventAttributes => ({
    activityTaskCompletedEventAttributes: {
      result: outcome.result,
      scheduledEventId: long(activity.scheduledEventId),
      startedEventId: startedEventId === 0 ? null : long(startedEventId),
      identity: outcome.identity,
    },
  });
  endActivity(kernel, state, activity, makeEvent, outcome.workerVersion);
}

export function cancelActivity(
  kernel: Kernel,
  state: MutableState,
  activity: ActivityRecord,
  outcome: { details: IPayloads; identity: string },
): void {
  writeCanceled(state, activity, outcome);
  wakeWorkflow(kernel, state);
}

/** Writes the cancellation only: for a workflow's own command, after which it gets a task anyway. */
export function writeCanceled(
  state: MutableState,
  activity: ActivityRecord,
  outcome: { details: IPayloads; identity: string },
): void {
  writeEnd(state, activity, (startedEventId) => ({
    activityTaskCanceledEventAttributes: {
      details: outcome.details,
      latestCancelRequestedEventId: long(activity.cancelRequestedEventId ?? 0),
      scheduledEventId: long(activity.scheduledEventId),
      startedEventId: startedEventId === 0 ? null : long(startedEventId),
      identity: outcome.identity,
    },
  }));
}

/** An attempt failed: another follows, or the activity ends with this failure. */
export function failActivityAttempt(
  kernel: Kernel,
  state: MutableState,
  activity: ActivityRecord,
  outcome: { failure: IFailure } & Reporter,
): void {
  const refused = retryActivity(kernel, activity, outcome.failure);
  if (refused === undefined) return;
  if (refused === RetryState.RETRY_STATE_TIMEOUT) {
    giveUpBeforeDeadline(kernel, state, activity, outcome.failure);
    return;
  }
  const makeEvent = (startedEventId: number): EventAttributes => ({
    activityTaskFailedEventAttributes: {
      failure: outcome.failure,
      scheduledEventId: long(activity.scheduledEventId),
      startedEventId: startedEventId === 0 ? null : long(startedEventId),
      identity: outcome.identity,
      retryState: refused,
    },
  });
  endActivity(kernel, state, activity, makeEvent, outcome.workerVersion);
}

/** An attempt timed out: another follows, or the activity ends with this timeout. */
export function timeOutActivityAttempt(
  kernel: Kernel,
  state: MutableState,
  activity: ActivityRecord,
  failure: IFailure,
): void {
  const refused = retryActivity(kernel, activity, failure);
  if (refused === undefined) return;
  endTimedOut(kernel, state, activity, failure, refused);
}

/** Ends the activity with a timeout that is never retried. */
export function timeOutActivity(
  kernel: Kernel,
  state: MutableState,
  activity: ActivityRecord,
  failure: IFailure,
): void {
  endTimedOut(kernel, state, activity, failure, RetryState.RETRY_STATE_TIMEOUT);
}

/** A retry would begin after schedule-to-close: the activity ends as if that had passed, and without a started event. */
function giveUpBeforeDeadline(
  kernel: Kernel,
  state: MutableState,
  activity: ActivityRecord,
  cause: IFailure,
): void {
  delete activity.startedTime;
  delete activity.lastFailure;
  const failure = scheduleToCloseGivenUp(cause);
  endTimedOut(kernel, state, activity, failure, RetryState.RETRY_STATE_TIMEOUT);
}

function endTimedOut(
  kernel: Kernel,
  state: MutableState,
  activity: ActivityRecord,
  failure: IFailure,
  retryState: temporal.api.enums.v1.RetryState,
): void {
  const lastFailure = fromEncodedOptional(Failure, activity.lastFailure);
  const caused = lastFailure && !failure.cause ? { ...failure, cause: lastFailure } : failure;
  endActivity(kernel, state, activity, (startedEventId) => ({
    activityTaskTimedOutEventAttributes: {
      failure: caused,
      scheduledEventId: long(activity.scheduledEventId),
      startedEventId: startedEventId === 0 ? null : long(startedEventId),
      retryState,
    },
  }));
}

/** Prepares the next attempt and answers undefined, or answers why there is none. */
function retryActivity(
  kernel: Kernel,
  activity: ActivityRecord,
  failure: IFailure,
): temporal.api.enums.v1.RetryState | undefined {
  if (activity.cancelRequestedEventId !== undefined) return RetryState.RETRY_STATE_CANCEL_REQUESTED;
  const now = kernel.now();
  const { scheduleToCloseMs, scheduledTime, attempt } = activity;
  const decision = decideRetry({
    policy: activity.retry,
    attempt,
    failure,
    now,
    deadline: scheduleToCloseMs > 0 ? scheduledTime + scheduleToCloseMs : undefined,
  });
  if (!decision.retry) return decision.state;
  activity.attempt = attempt + 1;
  activity.lastFailure = toEncoded(Failure, failure);
  activity.lastAttemptCompleteTime = now;
  activity.retryIntervalMs = decision.intervalMs;
  activity.backoffUntil = now + decision.intervalMs;
  delete activity.startedTime;
  delete activity.fence;
  delete activity.heartbeatTime;
  return undefined;
}

function scheduleToCloseGivenUp(cause: IFailure): IFailure {
  return {
    message:
      'Not enough time to schedule next retry before activity ScheduleToClose timeout, giving up retrying',
    source: 'Server',
    cause,
    timeoutFailureInfo: { timeoutType: TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE },
  };
}
