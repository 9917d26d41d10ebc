import type { temporal } from '@temporalio/proto';
import {
  inheritedVersioning,
  retriedVersioning,
  scheduledVersioning,
} from '../deployments/run-versioning.ts';
import { newId } from '../primitives/ids.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import {
  ContinueAsNewInitiator,
  Memo,
  Priority,
  SearchAttributes,
  TaskQueueKind,
  UserMetadata,
  WorkflowExecutionStatus,
  fromEncodedOptional,
} from '../protocol/proto.ts';
import { duration, long, toMs } from '../protocol/values.ts';
import { expiringResetPoints } from './reset-points.ts';
import { closeRun } from './close-run.ts';
import { type NewRun, createRun, type RunServices } from './create-run.ts';
import { normaliseRetryPolicy } from './retry-policy.ts';

type ContinueAsNewCommand = temporal.api.command.v1.IContinueAsNewWorkflowExecutionCommandAttributes;
type Failure = temporal.api.failure.v1.IFailure;
type Payloads = temporal.api.common.v1.IPayloads;

/** Answers what the next run of a chain takes over from this one, whatever the reason. */
function inherited(state: MutableState, runId: string): NewRun {
  const { record, ref } = state;
  const userMetadata = fromEncodedOptional(UserMetadata, record.userMetadata);
  return {
    ref: { ...ref, runId },
    workflowType: record.workflowType,
    taskQueue: record.taskQueue,
    startRequestId: newId(),
    executionTimeoutMs: record.executionTimeoutMs,
    runTimeoutMs: record.runTimeoutMs,
    taskTimeoutMs: record.taskTimeoutMs,
    ...(record.retry && { retry: record.retry }),
    ...(record.cron !== undefined && { cron: record.cron }),
    attempt: 1,
    backoffMs: 0,
    ...(record.executionExpiration !== undefined && { executionExpiration: record.executionExpiration }),
    firstRunId: record.firstRunId,
    ...(record.parent && { parent: record.parent, root: record.root }),
    memo: fromEncodedOptional(Memo, record.memo),
    searchAttributes: fromEncodedOptional(SearchAttributes, record.searchAttributes),
    userMetadata,
    priority: fromEncodedOptional(Priority, record.priority),
  };
}

/** The back-off that spaces the runs of one id, so that a workflow that continues at once cannot spin. */
function spacing({ limits }: RunServices, state: MutableState): number {
  return Math.max(0, limits.continueAsNewSpacingMs - (state.now() - state.record.executionTime));
}

/** Continues the workflow as a new run with an empty history, because the workflow asked for it. */
export function continueAsNew(
  services: RunServices,
  state: MutableState,
  command: ContinueAsNewCommand,
  workflowTaskCompletedEventId: number,
): void {
  const { record, ref } = state;
  const runId = newId();
  const { cron: _cron, ...base } = inherited(state, runId);
  const memo = command.memo ?? null;
  const searchAttributes = command.searchAttributes ?? base.searchAttributes ?? null;
  const next: NewRun = {
    ...base,
    workflowType: command.workflowType?.name || record.workflowType,
    taskQueue: command.taskQueue?.name || record.taskQueue,
    input: command.input ?? null,
    header: command.header ?? null,
    runTimeoutMs: command.workflowRunTimeout ? toMs(command.workflowRunTimeout) : record.runTimeoutMs,
    taskTimeoutMs: toMs(command.workflowTaskTimeout) || record.taskTimeoutMs,
    ...(command.retryPolicy && { retry: normaliseRetryPolicy(command.retryPolicy) }),
    // A workflow that continues as new leaves its schedule, unless its command names one.
    ...(command.cronSchedule && { cron: command.cronSchedule }),
    backoffMs: Math.max(toMs(command.backoffStartInterval), spacing(services, state)),
    memo,
    searchAttributes,
    inherits: inheritedVersioning(
      services.deployments,
      state,
      command.taskQueue?.name || record.taskQueue,
      command.initialVersioningBehavior ?? 0,
    ),
    continues: {
      runId: ref.runId,
      initiator: ContinueAsNewInitiator.CONTINUE_AS_NEW_INITIATOR_WORKFLOW,
      failure: command.failure ?? null,
      lastCompletionResult: command.lastCompletionResult ?? null,
      ...expiringResetPoints(services.namespaces, state),
    },
    explicitRunTimeout: true,
  };
  closeRun(
    state,
    WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW,
    {
      workflowExecutionContinuedAsNewEventAttributes: {
        newExecutionRunId: runId,
        workflowType: { name: next.workflowType },
        taskQueue: { name: next.taskQueue, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
        input: command.input ?? null,
        workflowRunTimeout: duration(next.runTimeoutMs),
        workflowTaskTimeout: duration(next.taskTimeoutMs),
        workflowTaskCompletedEventId: long(workflowTaskCompletedEventId),
        backoffStartInterval: command.backoffStartInterval ?? null,
        initiator: command.initiator ?? null,
        failure: command.failure ?? null,
        lastCompletionResult: command.lastCompletionResult ?? null,
        header: command.header ?? null,
        memo,
        // The event tells what the command says, whatever the next run takes over.
        searchAttributes: command.searchAttributes ?? null,
        inheritBuildId: command.inheritBuildId ?? false,
      },
    },
    runId,
  );
  createRun(services, next);
}

/** Starts the next attempt of a workflow with a retry policy; the caller closes this run naming `runId`. */
export function startRetryRun(
  services: RunServices,
  state: MutableState,
  retry: { runId: string; failure: Failure | null; intervalMs: number },
): void {
  const started = state.event(1).workflowExecutionStartedEventAttributes;
  createRun(services, {
    ...inherited(state, retry.runId),
    input: started?.input ?? null,
    header: started?.header ?? null,
    attempt: state.record.attempt + 1,
    inherits: retriedVersioning(state, started),
    backoffMs: Math.max(retry.intervalMs, spacing(services, state)),
    continues: {
      runId: state.ref.runId,
      initiator: ContinueAsNewInitiator.CONTINUE_AS_NEW_INITIATOR_RETRY,
      failure: retry.failure,
      ...expiringResetPoints(services.namespaces, state),
    },
    explicitRunTimeout: started?.workflowRunTimeout != null,
    explicitExecutionTimeout: started?.workflowExecutionTimeout != null,
  });
}

/** Starts the run that follows by the cron schedule, with the same input; the caller closes this run naming `runId`. */
export function startCronRun(
  services: RunServices,
  state: MutableState,
  next: { runId: string; waitMs: number; failure?: Failure | null; result?: Payloads | null },
): void {
  const started = state.event(1).workflowExecutionStartedEventAttributes;
  createRun(services, {
    ...inherited(state, next.runId),
    input: started?.input ?? null,
    header: started?.header ?? null,
    inherits: scheduledVersioning(state),
    backoffMs: next.waitMs,
    continues: {
      runId: state.ref.runId,
      initiator: ContinueAsNewInitiator.CONTINUE_AS_NEW_INITIATOR_CRON_SCHEDULE,
      failure: next.failure ?? null,
      lastCompletionResult: next.result === undefined ? (started?.lastCompletionResult ?? null) : next.result,
      ...expiringResetPoints(services.namespaces, state),
    },
    explicitRunTimeout: started?.workflowRunTimeout != null,
    explicitExecutionTimeout: started?.workflowExecutionTimeout != null,
  });
}
