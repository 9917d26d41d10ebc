import type { temporal } from '@temporalio/proto';
import type { EventAttributes } from '../history/events.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { Failure, RetryState, TimeoutType, fromEncodedOptional, toEncoded } from '../protocol/proto.ts';
import { type Long, long } from '../protocol/values.ts';
import { decideRetry } from '../runs/retry-decision.ts';
import { ensureWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';

type IFailure = temporal.api.failure.v1.IFailure;
type IPayloads = temporal.api.common.v1.IPayloads | null;

/** Says who reports an outcome. Only workers that complete or fail their own task report their build. */
interface Reporter {
  readonly identity: string;
  readonly workerVersion?: temporal.api.common.v1.IWorkerVersionStamp | null | undefined;
}

/** The events that the event of an end refers to. */
interface EventIds {
  readonly scheduledEventId: Long;
  /** Null when the activity never started, or its started event is buffered. */
  readonly startedEventId: Long | null;
}

/** Writes the started event of the last attempt, which comes right before the event that ends the activity. */
function appendStarted(
  state: MutableState,
  activity: ActivityRecord,
  workerVersion: Reporter['workerVersion'],
): Long | null {
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
  return started.eventId ?? null;
}

/**
 * Writes the events that end an activity and schedules a workflow task. While a worker has the workflow task both
 * events are buffered, and the last one's reference to the started one (null here) is set when they get their ids.
 */
function endActivity(
  state: MutableState,
  activity: ActivityRecord,
  makeEvent: (ids: EventIds) => EventAttributes,
  workerVersion?: Reporter['workerVersion'],
): void {
  writeEnd(state, activity, makeEvent, workerVersion);
  ensureWorkflowTask(state);
}

function writeEnd(
  state: MutableState,
  activity: ActivityRecord,
  makeEvent: (ids: EventIds) => EventAttributes,
  workerVersion?: Reporter['workerVersion'],
): void {
  const startedEventId =
    activity.startedTime === undefined ? null : appendStarted(state, activity, workerVersion);
  state.receive(makeEvent({ scheduledEventId: long(activity.scheduledEventId), startedEventId }));
  state.pending.activities.delete(activity.scheduledEventId);
}

export function completeActivity(
  state: MutableState,
  activity: ActivityRecord,
  { result, identity, workerVersion }: { result: IPayloads } & Reporter,
): void {
  const makeEvent = (ids: EventIds): EventAttributes => ({
    activityTaskCompletedEventAttributes: { ...ids, result, identity },
  });
  if (activity.startedTime === undefined) {
    activity.startedTime = state.now();
    activity.identity = identity;
  }
  endActivity(state, activity, makeEvent, workerVersion);
}

export function cancelActivity(
  state: MutableState,
  activity: ActivityRecord,
  outcome: { details: IPayloads; identity: string },
): void {
  writeCanceled(state, activity, outcome);
  ensureWorkflowTask(state);
}

/** Writes the cancellation without scheduling a workflow task: the workflow's own command has it scheduled. */
export function writeCanceled(
  state: MutableState,
  activity: ActivityRecord,
  outcome: { details: IPayloads; identity: string },
): void {
  const latestCancelRequestedEventId = long(activity.cancelRequestedEventId ?? 0);
  writeEnd(state, activity, (ids) => ({
    activityTaskCanceledEventAttributes: { ...ids, ...outcome, latestCancelRequestedEventId },
  }));
}

/** Records that an attempt failed: another follows, or the activity ends with this failure. */
export function failActivityAttempt(
  state: MutableState,
  activity: ActivityRecord,
  outcome: { failure: IFailure | null } & Reporter,
): void {
  const refused = retryActivity(state, activity, outcome.failure ?? {});
  if (refused === undefined) return;
  if (refused === RetryState.RETRY_STATE_TIMEOUT) {
    giveUpBeforeDeadline(state, activity, outcome.failure ?? {});
    return;
  }
  const { failure, identity, workerVersion } = outcome;
  const makeEvent = (ids: EventIds): EventAttributes => ({
    activityTaskFailedEventAttributes: { ...ids, failure, identity, retryState: refused },
  });
  endActivity(state, activity, makeEvent, workerVersion);
}

/** Records that an attempt timed out: another follows, or the activity ends with this timeout. */
export function timeOutActivityAttempt(
  state: MutableState,
  activity: ActivityRecord,
  failure: IFailure,
): void {
  const refused = retryActivity(state, activity, failure);
  if (refused === undefined) return;
  endTimedOut(state, activity, failure, refused);
}

/** Ends the activity with a timeout that is never retried. */
export function timeOutActivity(state: MutableState, activity: ActivityRecord, failure: IFailure): void {
  endTimedOut(state, activity, failure, RetryState.RETRY_STATE_TIMEOUT);
}

/** Ends an activity whose retry would begin after schedule-to-close: as if that had passed, without a started event. */
function giveUpBeforeDeadline(state: MutableState, activity: ActivityRecord, cause: IFailure): void {
  delete activity.startedTime;
  delete activity.lastFailure;
  const failure = scheduleToCloseGivenUp(cause);
  endTimedOut(state, activity, failure, RetryState.RETRY_STATE_TIMEOUT);
}

function endTimedOut(
  state: MutableState,
  activity: ActivityRecord,
  failure: IFailure,
  retryState: temporal.api.enums.v1.RetryState,
): void {
  const lastFailure = fromEncodedOptional(Failure, activity.lastFailure);
  const caused = lastFailure && !failure.cause ? { ...failure, cause: lastFailure } : failure;
  endActivity(state, activity, (ids) => ({
    activityTaskTimedOutEventAttributes: { ...ids, failure: caused, retryState },
  }));
}

/** Prepares the next attempt and answers undefined, or answers why there is none. */
function retryActivity(
  state: MutableState,
  activity: ActivityRecord,
  failure: IFailure,
): temporal.api.enums.v1.RetryState | undefined {
  if (activity.cancelRequestedEventId !== undefined) return RetryState.RETRY_STATE_CANCEL_REQUESTED;
  const now = state.now();
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
  delete activity.resetRequested;
  if (activity.dropsHeartbeat) delete activity.heartbeatDetails;
  delete activity.dropsHeartbeat;
  return undefined;
}

/** What is said of an activity whose next attempt would begin after its schedule-to-close timeout. */
export const GIVEN_UP =
  'Not enough time to schedule next retry before activity ScheduleToClose timeout, giving up retrying';

function scheduleToCloseGivenUp(cause: IFailure): IFailure {
  return {
    message: GIVEN_UP,
    source: 'Server',
    cause,
    timeoutFailureInfo: { timeoutType: TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE },
  };
}
