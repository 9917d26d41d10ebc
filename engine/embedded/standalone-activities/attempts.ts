import type { temporal } from '@temporalio/proto';
import { ACTIVITY_TIMEOUTS, type ActivityTimeout } from '../mutable-state/activity-deadline.ts';
import { GIVEN_UP } from '../activity-tasks/finish.ts';
import { newId } from '../primitives/ids.ts';
import {
  Failure,
  Payloads,
  RetryState,
  TimeoutType,
  fromEncodedOptional,
  toEncoded,
} from '../protocol/proto.ts';
import type { Poller } from '../queues/task-queue.ts';
import { decideRetry } from '../runs/retry-decision.ts';
import {
  type ActivityState,
  type ClosedStatus,
  expirationTime,
  firstDispatchTime,
  isInProgress,
} from './activity.ts';

type IFailure = temporal.api.failure.v1.IFailure;
type IPayloads = temporal.api.common.v1.IPayloads;

/** Records that a worker has the activity. */
export function startAttempt(state: ActivityState, poller: Poller, now: number): void {
  state.status = 'Started';
  state.queued = false;
  state.startedTime = now;
  state.firstStartedTime ??= now;
  state.fence = newId();
  state.lastWorker = poller.identity;
  state.sdk = poller.sdk;
}

/** Records that the worker never got the attempt that it was given. */
export function takeBackAttempt(state: ActivityState, now: number): void {
  if (state.status === 'Started') state.status = 'Scheduled';
  if (state.firstStartedTime === state.startedTime) delete state.firstStartedTime;
  delete state.startedTime;
  delete state.fence;
  scheduleAttempt(state, Math.max(now, state.dispatchTime ?? now));
}

/** Has the attempt go into its task queue at a time. */
export function scheduleAttempt(state: ActivityState, at: number): void {
  state.dispatchTime = at;
  state.queued = false;
  state.stamp += 1;
}

/** The time from which an attempt may go to a worker: not before the start delay is over, as long as none has had it. */
export function notBeforeStart(state: ActivityState, time: number): number {
  return state.firstStartedTime === undefined ? Math.max(time, firstDispatchTime(state)) : time;
}

function close(state: ActivityState, status: ClosedStatus, now: number): void {
  state.status = status;
  state.closeTime = now;
  state.queued = false;
  delete state.fence;
}

export function completeActivity(
  state: ActivityState,
  { result, identity }: { readonly result: IPayloads | null; readonly identity: string },
  now: number,
): void {
  if (!isInProgress(state)) {
    state.startedTime = now;
    state.firstStartedTime ??= now;
  }
  state.lastAttemptTime = now;
  state.lastWorker = identity;
  state.outcome = { result: toEncoded(Payloads, Payloads.create(result ?? {})) };
  close(state, 'Completed', now);
}

/** Records that an attempt failed: another follows, or the activity ends with this failure. */
export function failAttempt(
  state: ActivityState,
  { failure, identity }: { readonly failure: IFailure | null; readonly identity: string },
  now: number,
): void {
  const refused = retry(state, failure, now);
  if (refused === undefined) return;
  state.lastWorker = identity;
  keepLastFailure(state, failure ?? { message: 'activity task failed without failure details' }, now);
  state.outcome = { retryState: refused };
  close(state, 'Failed', now);
}

/** Ends an attempt or the activity when a timeout passed. Only start-to-close and heartbeat may be tried again. */
export function timeOut(state: ActivityState, timeout: ActivityTimeout, now: number): void {
  const { name, type } = ACTIVITY_TIMEOUTS[timeout];
  const message = `activity ${name} timeout`;
  if (timeout === 'schedule-to-start' || timeout === 'schedule-to-close') {
    const isToBeCanceled = timeout === 'schedule-to-close' && state.status === 'CancelRequested';
    state.outcome = {
      failure: toEncoded(Failure, timeoutFailure(state, message, type)),
      retryState: isToBeCanceled ? RetryState.RETRY_STATE_CANCEL_REQUESTED : RetryState.RETRY_STATE_TIMEOUT,
    };
    close(state, 'TimedOut', now);
    return;
  }
  const refused = retry(state, { message, timeoutFailureInfo: { timeoutType: type } }, now);
  if (refused === undefined) return;
  const isGivenUp = refused === RetryState.RETRY_STATE_TIMEOUT;
  const failure = isGivenUp
    ? timeoutFailure(state, GIVEN_UP, TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE)
    : undefined;
  keepLastFailure(state, timeoutFailure(state, message, type), now);
  state.outcome = { ...(failure && { failure: toEncoded(Failure, failure) }), retryState: refused };
  close(state, 'TimedOut', now);
}

function timeoutFailure(
  state: ActivityState,
  message: string,
  timeoutType: temporal.api.enums.v1.TimeoutType,
): temporal.api.failure.v1.Failure {
  const lastHeartbeatDetails = fromEncodedOptional(Payloads, state.heartbeatDetails);
  const cause = fromEncodedOptional(Failure, state.lastFailure);
  return Failure.create({
    message,
    timeoutFailureInfo: { timeoutType, ...(lastHeartbeatDetails && { lastHeartbeatDetails }) },
    ...(cause && { cause }),
  });
}

function keepLastFailure(state: ActivityState, failure: IFailure, now: number): void {
  state.lastFailure = toEncoded(Failure, Failure.create(failure));
  state.lastAttemptTime = now;
  delete state.retryInterval;
}

/** Prepares the next attempt and answers undefined, or answers why there is none. */
function retry(
  state: ActivityState,
  failure: IFailure | null,
  now: number,
): temporal.api.enums.v1.RetryState | undefined {
  if (state.status === 'ResetRequested') {
    beginAnew(state, failure, now);
    return undefined;
  }
  if (state.status === 'CancelRequested') return RetryState.RETRY_STATE_CANCEL_REQUESTED;
  const expires = expirationTime(state);
  const decision = decideRetry({
    policy: state.options.retry,
    attempt: state.attempt,
    failure: failure ?? {},
    now,
    deadline: expires,
  });
  if (!decision.retry) return decision.state;
  const isPausing = state.status === 'PauseRequested';
  state.attempt += 1;
  keepFailedAttempt(state, failure, now);
  state.retryInterval = {
    ms: decision.intervalMs,
    asked: failure?.applicationFailureInfo?.nextRetryDelay != null,
  };
  state.status = isPausing ? 'Paused' : 'Scheduled';
  // A paused one keeps the time of its former attempt.
  if (isPausing) state.stamp += 1;
  else scheduleAttempt(state, now + decision.intervalMs);
  return undefined;
}

/** Goes on at the first attempt, because an operator asked for that while the worker had the activity. */
function beginAnew(state: ActivityState, failure: IFailure | null, now: number): void {
  const { pauses = false, restores = false, dropsHeartbeat = false } = state.reset ?? {};
  delete state.reset;
  if (restores) restoreOptions(state);
  if (dropsHeartbeat) dropHeartbeat(state);
  state.attempt = 1;
  keepFailedAttempt(state, failure, now);
  delete state.retryInterval;
  state.status = pauses ? 'Paused' : 'Scheduled';
  if (!pauses) {
    scheduleAttempt(state, notBeforeStart(state, now));
    return;
  }
  state.stamp += 1;
  delete state.dispatchTime;
}

function keepFailedAttempt(state: ActivityState, failure: IFailure | null, now: number): void {
  if (failure) state.lastFailure = toEncoded(Failure, Failure.create(failure));
  else delete state.lastFailure;
  state.lastAttemptTime = now;
  delete state.fence;
}

/** Gives an activity the options that it was started with; a start delay only as long as no worker has had it. */
export function restoreOptions(state: ActivityState): void {
  const { original, options } = state;
  const { startDelayMs } = state.firstStartedTime === undefined ? original : options;
  state.options = { ...original, startDelayMs };
}

export function dropHeartbeat(state: ActivityState): void {
  delete state.heartbeatDetails;
  delete state.heartbeatTime;
}

export function recordHeartbeat(state: ActivityState, details: IPayloads | null, now: number): void {
  state.heartbeats += 1;
  state.heartbeatTime = now;
  if (details) state.heartbeatDetails = toEncoded(Payloads, Payloads.create(details));
  else delete state.heartbeatDetails;
}

export function cancelActivity(state: ActivityState, details: IPayloads | null, now: number): void {
  state.outcome = {
    failure: toEncoded(
      Failure,
      Failure.create({
        message: 'Activity canceled',
        canceledFailureInfo: { details, identity: state.cancel?.identity ?? '' },
      }),
    ),
  };
  close(state, 'Canceled', now);
}

export function terminateActivity(
  state: ActivityState,
  {
    requestId,
    reason,
    identity,
  }: { readonly requestId: string; readonly reason: string; readonly identity: string },
  now: number,
): void {
  state.terminateRequestId = requestId;
  state.outcome = {
    failure: toEncoded(Failure, Failure.create({ message: reason, terminatedFailureInfo: { identity } })),
  };
  close(state, 'Terminated', now);
}
