import type { temporal } from '@temporalio/proto';
import type { DeploymentRegistry } from '../deployments/deployment-registry.ts';
import {
  type InheritedVersioning,
  initialVersioning,
  startedVersioning,
} from '../deployments/run-versioning.ts';
import { freshProgress } from '../mutable-state/fresh-progress.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { NamespaceRegistry } from '../persistence/namespace-registry.ts';
import type { Limits } from '../primitives/limits.ts';
import type { EventExtras } from '../history/events.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type {
  ParentRecord,
  RetryPolicyRecord,
  RunRecord,
  VersioningRecord,
} from '../mutable-state/record.ts';
import {
  ContinueAsNewInitiator,
  type EncodedMessage,
  Memo,
  ResetPoints,
  Priority,
  SearchAttributes,
  TaskQueueKind,
  UserMetadata,
  WorkflowExecutionStatus,
  fromEncodedOptional,
  toEncoded,
} from '../protocol/proto.ts';
import { duration, long, optionalDuration, timestamp } from '../protocol/values.ts';
import type { RunRef, WorkflowExecutionRef } from '../primitives/run-ref.ts';
import { scheduleWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import { toRetryPolicy } from './retry-policy.ts';

/** What starting and continuing runs takes. */
export interface RunServices {
  readonly runs: RunRegistry;
  readonly namespaces: NamespaceRegistry;
  readonly deployments: DeploymentRegistry;
  readonly limits: Pick<Limits, 'blobBytes' | 'continueAsNewSpacingMs' | 'defaultTaskTimeoutMs'>;
}

/** A validated run that a client, a parent or the previous run starts. Times are in ms; a timeout of 0 means none. */
export interface NewRun {
  readonly ref: RunRef;
  readonly workflowType: string;
  readonly taskQueue: string;
  readonly startRequestId: string;
  readonly input?: temporal.api.common.v1.IPayloads | null;
  readonly header?: temporal.api.common.v1.IHeader | null;
  readonly identity?: string;
  readonly memo?: temporal.api.common.v1.IMemo | null;
  readonly searchAttributes?: temporal.api.common.v1.ISearchAttributes | null;
  readonly userMetadata?: temporal.api.sdk.v1.IUserMetadata | null;
  readonly priority?: temporal.api.common.v1.IPriority | null;
  readonly links?: temporal.api.common.v1.ILink[];
  readonly executionTimeoutMs: number;
  readonly runTimeoutMs: number;
  readonly taskTimeoutMs: number;
  readonly retry?: RetryPolicyRecord;
  readonly cron?: string;
  readonly attempt: number;
  /** The wait before the first workflow task. */
  readonly backoffMs: number;
  /** When the execution timeout of the chain passes; a run without one starts a chain of its own. */
  readonly executionExpiration?: number;
  readonly firstRunId?: string;
  readonly parent?: ParentRecord;
  readonly root?: WorkflowExecutionRef;
  readonly continues?: {
    readonly runId: string;
    readonly initiator: temporal.api.enums.v1.ContinueAsNewInitiator;
    readonly failure?: temporal.api.failure.v1.IFailure | null;
    readonly lastCompletionResult?: temporal.api.common.v1.IPayloads | null;
    readonly resetPoints?: EncodedMessage;
  };
  /** What a run of the same schedule left behind, which the first event tells. */
  readonly carried?: {
    readonly failure: temporal.api.failure.v1.IFailure | null;
    readonly lastCompletionResult: temporal.api.common.v1.IPayloads | null;
  };
  /** The version of its workers, as its starter decided. */
  readonly versioningOverride?: VersioningRecord['override'];
  /** What it takes over of its parent's or predecessor's versioning. */
  readonly inherits?: InheritedVersioning;
  /** Whether the client gets the first workflow task with the answer to its start. */
  readonly eager?: boolean;
  /** Whether the first event has an explicit `0s` run timeout, as those of children and continued runs have. */
  readonly explicitRunTimeout?: boolean;
  /** Whether it has an explicit `0s` execution timeout, as a client wrote it. */
  readonly explicitExecutionTimeout?: boolean;
}

/**
 * Creates the run and its first event within the current transaction. Its first workflow task is scheduled too, unless
 * the run starts with a back-off or `beforeFirstTask` (the signal of signalWithStart) fails.
 */
export function createRun(
  { runs, namespaces }: Pick<RunServices, 'runs' | 'namespaces'>,
  run: NewRun,
  beforeFirstTask?: (state: MutableState) => void,
): MutableState {
  const now = runs.now();
  const { ref } = run;
  const executionTime = now + run.backoffMs;
  // The wait for the first time of a cron schedule counts, a start delay does not.
  const begin = run.cron === undefined ? executionTime : now;
  const executionExpiration =
    run.executionExpiration ?? (run.executionTimeoutMs > 0 ? begin + run.executionTimeoutMs : undefined);
  const runTimeoutMs = capTimeout(run.runTimeoutMs, run.executionTimeoutMs);
  const taskTimeoutMs = capTimeout(run.taskTimeoutMs, runTimeoutMs);
  const byRunTimeout = runTimeoutMs > 0 ? executionTime + runTimeoutMs : undefined;
  const runExpiration = earliest(byRunTimeout, executionExpiration);
  const record: RunRecord = {
    status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING,
    workflowType: run.workflowType,
    taskQueue: run.taskQueue,
    firstRunId: run.firstRunId ?? ref.runId,
    originalRunId: ref.runId,
    startRequestId: run.startRequestId,
    attempt: run.attempt,
    startTime: now,
    executionTime,
    executionTimeoutMs: run.executionTimeoutMs,
    ...(executionExpiration !== undefined && { executionExpiration }),
    runTimeoutMs,
    ...(runExpiration !== undefined && { runExpiration }),
    taskTimeoutMs,
    ...(run.retry && { retry: run.retry }),
    ...(run.cron !== undefined && { cron: run.cron }),
    ...(run.parent && { parent: run.parent }),
    root: run.root ?? { workflowId: ref.workflowId, runId: ref.runId },
    ...(run.priority && { priority: toEncoded(Priority, run.priority) }),
    ...(run.userMetadata && { userMetadata: toEncoded(UserMetadata, run.userMetadata) }),
    ...(run.backoffMs > 0 && { firstTaskAt: executionTime }),
    ...(run.memo && { memo: toEncoded(Memo, run.memo) }),
    ...(run.searchAttributes && { searchAttributes: toEncoded(SearchAttributes, run.searchAttributes) }),
    ...freshProgress(),
  };
  const versioning = initialVersioning(overrideOf(run), run.inherits ?? {});
  if (versioning) record.versioning = versioning;
  if (run.continues?.resetPoints) record.resetPoints = run.continues.resetPoints;
  const state = runs.create(ref, record);
  appendStarted(namespaces, state, run);
  beforeFirstTask?.(state);
  scheduleWorkflowTask(state);
  return state;
}

function appendStarted(namespaces: NamespaceRegistry, state: MutableState, run: NewRun): void {
  const { record, ref } = state;
  const extras: EventExtras = { userMetadata: run.userMetadata ?? null, links: run.links ?? [] };
  const runTimeout = run.explicitRunTimeout
    ? duration(record.runTimeoutMs)
    : optionalDuration(record.runTimeoutMs);
  const namespaceId = run.parent && namespaces.get(run.parent.namespace).id;
  const started = state.append(
    {
      workflowExecutionStartedEventAttributes: {
        workflowType: { name: record.workflowType },
        ...(run.parent && {
          parentWorkflowNamespace: run.parent.namespace,
          parentWorkflowNamespaceId: namespaceId ?? '',
          parentWorkflowExecution: { workflowId: run.parent.workflowId, runId: run.parent.runId },
          parentInitiatedEventId: long(run.parent.initiatedEventId),
          rootWorkflowExecution: record.root,
        }),
        taskQueue: { name: record.taskQueue, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
        input: run.input ?? null,
        workflowExecutionTimeout: run.explicitExecutionTimeout
          ? duration(record.executionTimeoutMs)
          : optionalDuration(record.executionTimeoutMs),
        workflowRunTimeout: runTimeout,
        workflowTaskTimeout: duration(record.taskTimeoutMs),
        ...(run.continues && {
          continuedExecutionRunId: run.continues.runId,
          initiator: run.continues.initiator,
          continuedFailure: run.continues.failure ?? null,
          lastCompletionResult: run.continues.lastCompletionResult ?? null,
          prevAutoResetPoints: fromEncodedOptional(ResetPoints, run.continues.resetPoints),
        }),
        ...(run.carried && {
          continuedFailure: run.carried.failure,
          lastCompletionResult: run.carried.lastCompletionResult,
        }),
        ...(run.cron !== undefined &&
          !run.continues && {
            initiator: ContinueAsNewInitiator.CONTINUE_AS_NEW_INITIATOR_CRON_SCHEDULE,
          }),
        cronSchedule: run.cron ?? '',
        originalExecutionRunId: ref.runId,
        identity: run.identity ?? '',
        eagerExecutionAccepted: run.eager ?? false,
        firstExecutionRunId: record.firstRunId,
        retryPolicy: run.retry ? toRetryPolicy(run.retry) : null,
        attempt: record.attempt,
        workflowExecutionExpirationTime:
          record.executionExpiration === undefined ? null : timestamp(record.executionExpiration),
        firstWorkflowTaskBackoff: duration(run.backoffMs),
        memo: run.memo ?? null,
        searchAttributes: run.searchAttributes ?? null,
        header: run.header ?? null,
        workflowId: ref.workflowId,
        priority: run.priority ?? null,
        ...startedVersioning(overrideOf(run), run.inherits ?? {}),
      },
    },
    extras,
  );
  // Whoever makes the run anew of its history finds the same time.
  started.eventTime = timestamp(record.startTime);
}

/** An override of the start counts before one that is taken over. */
function overrideOf({ versioningOverride, inherits }: NewRun): VersioningRecord['override'] {
  return versioningOverride ?? (inherits?.override && { pinned: inherits.override });
}

/** Limits a timeout to the one around it; 0 means none. */
function capTimeout(timeoutMs: number, outerMs: number): number {
  if (outerMs === 0) return timeoutMs;
  return timeoutMs === 0 ? outerMs : Math.min(timeoutMs, outerMs);
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : Math.min(a, b);
}
