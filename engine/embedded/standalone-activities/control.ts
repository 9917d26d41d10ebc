import { failedPrecondition } from '../protocol/rpc-error.ts';
import { retryIntervalMs } from '../runs/retry-policy.ts';
import {
  type ActivityOptionsRecord,
  type ActivityState,
  firstDispatchTime,
  isClosed,
  isInProgress,
} from './activity.ts';
import {
  cancelActivity,
  dropHeartbeat,
  notBeforeStart,
  restoreOptions,
  scheduleAttempt,
  terminateActivity,
} from './attempts.ts';
import { Payload } from '../protocol/proto.ts';
import { jsonPayload } from '../protocol/values.ts';

/** Who asks for a change, and why. A request that is repeated changes nothing. */
interface Order {
  readonly requestId: string;
  readonly identity: string;
  readonly reason: string;
}

/** Cancels an activity that no worker has, or has its worker told of it. */
export function requestCancel(state: ActivityState, order: Order, now: number): void {
  if (state.cancel?.requestId === order.requestId) return;
  if (isClosed(state)) throw failedPrecondition(`activity is in terminal state ${state.status}`);
  if (state.status === 'CancelRequested') {
    throw failedPrecondition(
      `cancellation already requested with request ID ${state.cancel?.requestId ?? ''}`,
    );
  }
  const isRunning = isInProgress(state);
  state.cancel = order;
  delete state.reset;
  state.status = 'CancelRequested';
  if (isRunning) return;
  const reason = Payload.create(jsonPayload(JSON.stringify(order.reason)));
  cancelActivity(state, { payloads: [reason] }, now);
}

export function terminate(state: ActivityState, order: Order, now: number): void {
  if (state.status === 'Terminated') {
    const earlier = state.terminateRequestId ?? '';
    if (earlier === order.requestId) return;
    throw failedPrecondition(`already terminated with request ID ${earlier}`);
  }
  if (isClosed(state)) throw failedPrecondition(`invalid transition from ${state.status}`);
  terminateActivity(state, order, now);
}

/** Holds an activity that waits for a worker, or has its worker told that it is to give it up. */
export function pause(state: ActivityState, requestId: string): void {
  if (state.lastPauseRequestId === requestId) return;
  if (state.status === 'Scheduled') {
    state.status = 'Paused';
    state.queued = false;
    state.stamp += 1;
  } else if (state.status === 'Started') state.status = 'PauseRequested';
  else throw failedPrecondition(`activity is in non-pausable state ${state.status}`);
  state.lastPauseRequestId = requestId;
}

interface Jitter {
  readonly requestId: string;
  /** A random wait before the activity goes on, in ms. */
  readonly waitMs: number;
}

export function unpause(state: ActivityState, { requestId, waitMs }: Jitter, now: number): void {
  if (state.lastUnpauseRequestId === requestId) return;
  if (isClosed(state)) throw failedPrecondition(`activity is in terminal state ${state.status}`);
  if (state.status === 'Paused') {
    state.status = 'Scheduled';
    scheduleAttempt(state, Math.max(notBeforeStart(state, now + waitMs), retryTime(state) ?? 0));
  } else if (state.status === 'PauseRequested') state.status = 'Started';
  else throw failedPrecondition(`activity is in non-unpausable state ${state.status}`);
  state.lastUnpauseRequestId = requestId;
}

/** When the next attempt is due after the last one failed; undefined where none failed. */
function retryTime({ retryInterval, lastAttemptTime }: ActivityState): number | undefined {
  if (!retryInterval || retryInterval.ms <= 0 || lastAttemptTime === undefined) return undefined;
  return lastAttemptTime + retryInterval.ms;
}

interface Reset extends Jitter {
  readonly keepsPaused: boolean;
  readonly restores: boolean;
  readonly dropsHeartbeat: boolean;
}

/** Begins at the first attempt again: at once, or when the worker that has the activity gives it up. */
export function reset(state: ActivityState, order: Reset, now: number): void {
  if (state.lastResetRequestId === order.requestId) return;
  resetNow(state, order, now);
  state.lastResetRequestId = order.requestId;
}

function resetNow(
  state: ActivityState,
  { keepsPaused, restores, dropsHeartbeat, waitMs }: Reset,
  now: number,
): void {
  const { status } = state;
  if (status === 'CancelRequested') {
    throw failedPrecondition('cannot reset an activity with a pending cancellation');
  }
  if (status === 'ResetRequested') throw failedPrecondition('cannot reset an activity with a pending reset');
  if (status === 'Started' || status === 'PauseRequested') {
    state.reset = { pauses: keepsPaused && status === 'PauseRequested', restores, dropsHeartbeat };
    state.status = 'ResetRequested';
    return;
  }
  if (status !== 'Scheduled' && status !== 'Paused') {
    throw failedPrecondition('activity execution is not running');
  }
  if (restores) restoreOptions(state);
  if (dropsHeartbeat) dropHeartbeat(state);
  state.attempt = 1;
  delete state.retryInterval;
  if (status === 'Paused' && keepsPaused) {
    state.stamp += 1;
    delete state.dispatchTime;
    return;
  }
  state.status = 'Scheduled';
  scheduleAttempt(state, notBeforeStart(state, now + waitMs));
}

/** What an update of the options does. */
interface OptionsUpdate {
  readonly requestId: string;
  /** Makes the new options of the present ones; undefined restores those of the start. */
  readonly merge: ((options: ActivityOptionsRecord) => ActivityOptionsRecord) | undefined;
  readonly changesRetry: boolean;
  readonly changesStartDelay: boolean;
}

export function updateOptions(
  state: ActivityState,
  { requestId, merge, changesRetry, changesStartDelay }: OptionsUpdate,
  now: number,
): void {
  if (state.lastUpdateRequestId === requestId) return;
  const { status } = state;
  if (isClosed(state) || status === 'CancelRequested' || status === 'ResetRequested') {
    throw failedPrecondition(`Cannot update options for activity in state ${status}`);
  }
  const isBeforeFirst = state.firstStartedTime === undefined && status === 'Paused';
  if (changesStartDelay && firstDispatchTime(state) <= now && !isBeforeFirst) {
    throw failedPrecondition(
      'cannot update start_delay: the first activity attempt has already been dispatched',
    );
  }
  if (merge) state.options = merge(state.options);
  else restoreOptions(state);
  const isWaiting = status === 'Scheduled' || status === 'Paused';
  if (isWaiting && (changesRetry || !merge) && state.retryInterval && !state.retryInterval.asked) {
    state.retryInterval = { ms: retryIntervalMs(state.options.retry, state.attempt - 1), asked: false };
  }
  state.stamp += 1;
  if (status === 'Scheduled') scheduleAttempt(state, retryTime(state) ?? notBeforeStart(state, now));
  state.lastUpdateRequestId = requestId;
}
