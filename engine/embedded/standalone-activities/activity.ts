import type { RetryPolicyRecord } from '../mutable-state/record.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import type { EncodedMessage } from '../protocol/proto.ts';

/** Names one run of an activity that belongs to no workflow. */
export interface ActivityRef {
  readonly namespace: string;
  readonly activityId: string;
  readonly runId: string;
}

/** The statuses of one that is not over, and of one that is. `paused` waits; those that are requested await their worker. */
export type OpenStatus =
  | 'Scheduled'
  | 'Started'
  | 'CancelRequested'
  | 'Paused'
  | 'PauseRequested'
  | 'ResetRequested';
export type ClosedStatus = 'Completed' | 'Failed' | 'Canceled' | 'Terminated' | 'TimedOut';

/** The options that an operator may change. Times are ms with 0 for none. */
export interface ActivityOptionsRecord {
  readonly taskQueue: string;
  readonly scheduleToCloseMs: number;
  readonly scheduleToStartMs: number;
  readonly startToCloseMs: number;
  readonly heartbeatMs: number;
  /** Null where none was given; 0 is one, too. */
  readonly startDelayMs: number | null;
  readonly retry: RetryPolicyRecord;
  readonly priority?: EncodedMessage;
}

/** How an activity ended. The failure of one whose last attempt failed is that attempt's. */
export interface ActivityOutcome {
  readonly result?: EncodedMessage;
  readonly failure?: EncodedMessage;
  readonly retryState?: number;
}

/**
 * What changes of an activity. It is plain JSON; times are ms since the epoch, payloads are encoded messages.
 */
export interface ActivityState {
  status: OpenStatus | ClosedStatus;
  readonly activityType: string;
  readonly startRequestId: string;
  readonly scheduledTime: number;
  /** The options as they are, and as they were at the start. */
  options: ActivityOptionsRecord;
  readonly original: ActivityOptionsRecord;
  attempt: number;
  /** Changes with each attempt, pause, reset and change of options: a task of an earlier number is not given to anybody. */
  stamp: number;
  /** When the attempt may go to a worker; undefined of one that was reset while it stays paused. */
  dispatchTime?: number;
  /** Whether the attempt is in its task queue. */
  queued: boolean;
  startedTime?: number;
  firstStartedTime?: number;
  /** Is new each time a worker gets the activity, so that the token of a worker that lost it is refused. */
  fence?: string;
  lastWorker?: string;
  sdk?: { readonly name: string; readonly version: string };
  /** The wait before the next attempt, and whether its worker asked for it. */
  retryInterval?: { readonly ms: number; readonly asked: boolean };
  lastFailure?: EncodedMessage;
  lastAttemptTime?: number;
  heartbeats: number;
  heartbeatTime?: number;
  heartbeatDetails?: EncodedMessage;
  cancel?: { readonly requestId: string; readonly identity: string; readonly reason: string };
  terminateRequestId?: string;
  lastPauseRequestId?: string;
  lastUnpauseRequestId?: string;
  lastResetRequestId?: string;
  lastUpdateRequestId?: string;
  /** What a reset does once the worker gives the attempt up. */
  reset?: { readonly pauses: boolean; readonly restores: boolean; readonly dropsHeartbeat: boolean };
  /** The links of the start, and those that later starts attached by their request ids. */
  links: { readonly requestId: string; readonly link: EncodedMessage }[];
  closeTime?: number;
  outcome?: ActivityOutcome;
  /** The number of changes. */
  transitions: number;
}

/** An activity that belongs to no workflow. */
export interface StandaloneActivity {
  readonly key: number;
  readonly ref: ActivityRef;
  readonly state: ActivityState;
}

const CLOSED: ReadonlySet<string> = new Set<ClosedStatus>([
  'Completed',
  'Failed',
  'Canceled',
  'Terminated',
  'TimedOut',
]);
const IN_PROGRESS: ReadonlySet<string> = new Set<OpenStatus>([
  'Started',
  'CancelRequested',
  'PauseRequested',
  'ResetRequested',
]);

export function isClosed({ status }: ActivityState): boolean {
  return CLOSED.has(status);
}

/** Whether a worker has the activity. */
export function isInProgress({ status }: ActivityState): boolean {
  return IN_PROGRESS.has(status);
}

/** Whether it is paused, or will be once its worker gives the attempt up. */
export function isPaused({ status, reset }: ActivityState): boolean {
  return (
    status === 'Paused' ||
    status === 'PauseRequested' ||
    (status === 'ResetRequested' && reset?.pauses === true)
  );
}

/** When the first attempt may go to a worker. */
export function firstDispatchTime({ scheduledTime, options }: ActivityState): number {
  return scheduledTime + (options.startDelayMs ?? 0);
}

/** When everything has to be over; undefined where there is no such time. */
export function expirationTime(state: ActivityState): number | undefined {
  const { scheduleToCloseMs } = state.options;
  return scheduleToCloseMs > 0 ? firstDispatchTime(state) + scheduleToCloseMs : undefined;
}

/** Names an activity where parts of the engine know runs of workflows alone, as timers do. */
export function asRunRef({ namespace, activityId, runId }: ActivityRef): RunRef {
  return { namespace, workflowId: activityId, runId };
}
