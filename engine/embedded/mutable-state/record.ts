import type { EncodedMessage } from '../protocol/proto.ts';
import type { WorkflowExecutionRef } from '../primitives/run-ref.ts';
import type { VersionRef } from '../primitives/version-ref.ts';

/**
 * A retry policy as it is stored. In all records times are ms since the epoch, timeouts are ms with 0 for none, and
 * payloads are encoded messages.
 */
export interface RetryPolicyRecord {
  readonly initialIntervalMs: number;
  readonly backoffCoefficient: number;
  readonly maximumIntervalMs: number;
  /** The number of attempts, with 0 for no limit. */
  readonly maximumAttempts: number;
  readonly nonRetryableErrorTypes: readonly string[];
}

/**
 * The workflow task of a run, which has at most one at a time. The events of a `normal` task are in history from the
 * start. Those of a `transient` task (a later attempt after a failure) and of a `speculative` one (for an update on an
 * idle run) are written only when it completes; its worker is shown them before. Speculative tasks are never stored.
 */
export interface WorkflowTaskRecord {
  kind: 'normal' | 'transient' | 'speculative';
  scheduledEventId: number;
  attempt: number;
  scheduledTime: number;
  originalScheduledTime: number;
  queue: string;
  sticky: boolean;
  /** The start-to-close timeout. */
  timeoutMs: number;
  /** Is set once a worker has the task. A restart keeps it and sets `handedOut` to false. */
  startedEventId?: number;
  startedTime?: number;
  /** When the current worker got the task, from which the timeout counts. `startedTime` is the time of the event. */
  handedOutTime?: number;
  handedOut: boolean;
  /** Is new each time a worker gets the task, so that the token of a worker that lost it is refused. */
  fence?: string;
  identity?: string;
  requestId?: string;
  buildId?: string;
  historySizeBytes?: number;
  suggestContinueAsNew?: boolean;
  /** Whether the run is pinned to another version than new runs go to. */
  targetVersionChanged?: boolean;
}

export interface ActivityRecord {
  readonly scheduledEventId: number;
  readonly activityId: string;
  readonly activityType: string;
  taskQueue: string;
  readonly scheduledTime: number;
  scheduleToCloseMs: number;
  scheduleToStartMs: number;
  startToCloseMs: number;
  heartbeatMs: number;
  retry?: RetryPolicyRecord;
  priority?: EncodedMessage;
  attempt: number;
  attemptScheduledTime: number;
  /** When the next attempt may begin, while the activity waits for a retry. */
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
  /** Is set while nobody gets the activity, and its attempt, if a worker has one, does not time out. */
  paused?: { readonly time: number; readonly identity: string; readonly reason: string };
  /** Whether the worker that has the activity learns with its next heartbeat that the activity was reset. */
  resetRequested?: boolean;
  /** Whether the next attempt begins without what this one's heartbeats left. */
  dropsHeartbeat?: boolean;
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
  /** Is set when a reset took the update over from the earlier run; the worker reads the request from that event. */
  admittedEventId?: number;
  acceptedEventId?: number;
  completedEventId?: number;
}

/**
 * Work that this run owes to other runs. It is stored with the change that causes it, performed after the commit, and
 * performed again after a restart until it is removed. Every kind is idempotent at its target.
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

/** How a run's tasks find workers of the right version. */
export interface VersioningRecord {
  /** The VersioningBehavior, and the version, of the worker that completed the last task; none of an unversioned one. */
  readonly behavior?: number;
  readonly version?: VersionRef;
  /** The revision of the routing by which it got there. */
  readonly revision?: number;
  /** What an operator decided instead: a version that the run is pinned to, or, without one, that it is upgraded. */
  readonly override?: { readonly pinned?: VersionRef };
  /** The version that the run is pinned to until its first task is completed, because its parent or predecessor was. */
  readonly inherited?: VersionRef;
  /** The ContinueAsNewVersioningBehavior by which the run before it began this one; none of a run that has taken over its pin. */
  readonly initial?: number;
  /** The versions whose workers have had it, in the order of their first time. */
  readonly used: readonly VersionRef[];
}

/** Who has paused a run, which goes on with nothing until it is unpaused. */
export interface PauseRecord {
  readonly time: number;
  readonly identity: string;
  readonly reason: string;
  readonly requestId: string;
}

/**
 * What the engine has to know about a run to continue it, apart from its events and its pending activities, timers and
 * children (`PendingItems`). It is plain JSON.
 */
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
  /** The schedule by which another run follows this one when it ends. */
  readonly cron?: string;
  readonly parent?: ParentRecord;
  readonly root: WorkflowExecutionRef;
  readonly priority?: EncodedMessage;
  readonly userMetadata?: EncodedMessage;
  /** When the first workflow task may be scheduled (after a start delay, a retry or continue-as-new back-off). */
  firstTaskAt?: number;
  memo?: EncodedMessage;
  searchAttributes?: EncodedMessage;
  /** Is set while the run is paused, and stays when it closes so. */
  paused?: PauseRecord;
  cancelRequested: boolean;
  cancelRequestId?: string;
  nextEventId: number;
  historySizeBytes: number;
  stateTransitions: number;
  /** The started event of the last completed workflow task. */
  lastStartedEventId: number;
  lastBuildId?: string;
  /** The `ResetPoints`: where each worker build first completed a task, over all runs of the chain. */
  resetPoints?: EncodedMessage;
  sticky?: { readonly queue: string; readonly timeoutMs: number };
  /** Undefined of a run that no versioned worker has ever had. */
  versioning?: VersioningRecord;
  workflowTask?: WorkflowTaskRecord;
  /** The initiated signals and cancellations of other runs whose outcome is not yet in history. */
  externals: Record<string, true>;
  updates: Record<string, UpdateRecord>;
  signalRequestIds: string[];
  /** The later starts that were attached to this run: the events that say so by their request ids, 0 of one that is buffered. */
  attachedRequests?: Record<string, number>;
  /** The events that arrived while a worker has the workflow task; they are in history after it completes. */
  buffered: EncodedMessage[];
  transfers: TransferRecord[];
  /** The run that follows this one (continue-as-new, retry). */
  newRunId?: string;
  /** The newest run that a reset made of this one. */
  resetRunId?: string;
  /** What a run that a reset made has beside: the request, and when the run began whose history it took over. */
  readonly reset?: { readonly requestId: string; readonly originalStartTime: number };
}
