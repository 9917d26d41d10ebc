import type { EncodedMessage } from '../proto.ts';
import type { WorkflowExecutionRef } from '../types.ts';

/** Times are milliseconds since the epoch, timeouts milliseconds with 0 for none; payloads are encoded messages. */
export interface RetryPolicyRecord {
  readonly initialIntervalMs: number;
  readonly backoffCoefficient: number;
  readonly maximumIntervalMs: number;
  /** 0: no limit. */
  readonly maximumAttempts: number;
  readonly nonRetryableErrorTypes: readonly string[];
}

/**
 * The workflow task of a run, at most one at a time. `normal` tasks have their events in history from the start.
 * A `transient` task (a later attempt after a failure) and a `speculative` one (for an update on an idle run) get theirs
 * only when they complete; until then their event ids are promised, not written. Speculative tasks are never stored.
 */
export interface WorkflowTaskRecord {
  kind: 'normal' | 'transient' | 'speculative';
  scheduledEventId: number;
  attempt: number;
  scheduledTime: number;
  originalScheduledTime: number;
  queue: string;
  sticky: boolean;
  /** Start to close. */
  timeoutMs: number;
  /** Set once a worker has the task, or had it when the engine was killed (then `handedOut` is false). */
  startedEventId?: number;
  startedTime?: number;
  /** When the current worker got it: counts for the timeout, unlike `startedTime`, which is the event's. */
  handedOutTime?: number;
  handedOut: boolean;
  /** Names one hand-over: the part of a task token that fences a worker whose task was given to another. */
  fence?: string;
  identity?: string;
  requestId?: string;
  buildId?: string;
  historySizeBytes?: number;
  suggestContinueAsNew?: boolean;
}

export interface ActivityRecord {
  readonly scheduledEventId: number;
  readonly activityId: string;
  readonly activityType: string;
  readonly taskQueue: string;
  readonly scheduledTime: number;
  readonly scheduleToCloseMs: number;
  readonly scheduleToStartMs: number;
  readonly startToCloseMs: number;
  readonly heartbeatMs: number;
  readonly retry?: RetryPolicyRecord;
  readonly priority?: EncodedMessage;
  attempt: number;
  attemptScheduledTime: number;
  /** Waiting for a retry until then. */
  backoffUntil?: number;
  retryIntervalMs?: number;
  startedTime?: number;
  fence?: string;
  requestId?: string;
  identity?: string;
  cancelRequestedEventId?: number;
  heartbeatTime?: number;
  heartbeatDetails?: EncodedMessage;
  lastFailure?: EncodedMessage;
  lastAttemptCompleteTime?: number;
}

export interface TimerRecord {
  readonly startedEventId: number;
  readonly fireAt: number;
}

export interface ChildRecord {
  readonly initiatedEventId: number;
  readonly workflowId: string;
  readonly workflowType: string;
  readonly parentClosePolicy: number;
  startedEventId?: number;
  runId?: string;
}

export interface UpdateRecord {
  readonly acceptedEventId: number;
  completedEventId?: number;
}

/**
 * Work that this run owes to other runs. It is stored with the change that causes it, performed after the commit, and
 * performed again after a restart until it is struck off; every kind is idempotent at its target.
 */
export type TransferRecord =
  | { readonly kind: 'start-child'; readonly initiatedEventId: number; readonly requestId: string }
  | { readonly kind: 'signal-external'; readonly initiatedEventId: number; readonly requestId: string }
  | { readonly kind: 'cancel-external'; readonly initiatedEventId: number; readonly requestId: string }
  | { readonly kind: 'notify-parent' }
  | { readonly kind: 'close-child'; readonly child: WorkflowExecutionRef; readonly policy: number };

export interface ParentRecord {
  readonly namespace: string;
  readonly workflowId: string;
  readonly runId: string;
  readonly initiatedEventId: number;
}

/** Everything the engine has to know about a run to carry on, apart from the events themselves. Plain JSON. */
export interface RunRecord {
  status: number;
  readonly workflowType: string;
  readonly taskQueue: string;
  readonly firstRunId: string;
  readonly originalRunId: string;
  readonly startRequestId: string;
  readonly attempt: number;
  readonly startTime: number;
  readonly executionTime: number;
  closeTime?: number;
  readonly executionTimeoutMs: number;
  readonly executionExpiration?: number;
  readonly runTimeoutMs: number;
  readonly runExpiration?: number;
  readonly taskTimeoutMs: number;
  readonly retry?: RetryPolicyRecord;
  readonly parent?: ParentRecord;
  readonly root: WorkflowExecutionRef;
  readonly priority?: EncodedMessage;
  readonly userMetadata?: EncodedMessage;
  /** No workflow task before then (start delay, retry or continue-as-new back-off). */
  firstTaskAt?: number;
  memo?: EncodedMessage;
  searchAttributes?: EncodedMessage;
  cancelRequested: boolean;
  cancelRequestId?: string;
  nextEventId: number;
  historySizeBytes: number;
  stateTransitions: number;
  /** Started event of the last completed workflow task. */
  lastStartedEventId: number;
  lastBuildId?: string;
  /** Where each worker build first completed a task, over all runs of the chain: `ResetPoints`. */
  resetPoints?: EncodedMessage;
  sticky?: { readonly queue: string; readonly timeoutMs: number };
  workflowTask?: WorkflowTaskRecord;
  activities: Record<string, ActivityRecord>;
  timers: Record<string, TimerRecord>;
  children: Record<string, ChildRecord>;
  /** Initiated signals and cancellations of other runs whose outcome is not yet in history. */
  externals: Record<string, true>;
  updates: Record<string, UpdateRecord>;
  signalRequestIds: string[];
  /** Events that arrived while a worker has the workflow task: in history after it completes. */
  buffered: EncodedMessage[];
  transfers: TransferRecord[];
  /** The run that follows this one (continue-as-new, retry). */
  newRunId?: string;
}
