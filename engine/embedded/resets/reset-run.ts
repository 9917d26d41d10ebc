import { newId } from '../primitives/ids.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { freshProgress } from '../mutable-state/fresh-progress.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { RunRecord } from '../mutable-state/record.ts';
import { scheduleWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import { scheduledAttributes, startedAttributes } from '../mutable-state/workflow-task-events.ts';
import { WorkflowExecutionStatus, WorkflowTaskFailedCause } from '../protocol/proto.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { long, toMs, toNumber } from '../protocol/values.ts';
import { terminateForReset } from '../runs/close-run.ts';
import { editRun } from '../runs/find-run.ts';
import type { RunServices } from '../runs/create-run.ts';
import { type Reapplied, reapplyEvents } from './reapply-events.ts';
import { replayEvent } from './replay-event.ts';
import { resumePending } from './resume-pending.ts';

/** What a reset does. */
export interface Reset {
  /** The event that ended the workflow task from which the workflow goes on otherwise; its worker's answer is undone. */
  readonly finishEventId: number;
  readonly reason: string;
  readonly requestId: string;
  readonly reapplied: Reapplied;
  /** Changes the new run before its first task. */
  readonly prepare?: ((state: MutableState) => void) | undefined;
}

const PAGE_EVENTS = 1000;

/**
 * Starts a run with the history of `base` before an event, terminates the run that is open, and answers the new one.
 * The same request, sent again, answers the run that it made. To be called within a transaction.
 */
export function resetRun(
  { runs }: Pick<RunServices, 'runs'>,
  base: MutableState,
  reset: Reset,
): MutableState {
  const { namespace, workflowId } = base.ref;
  const currentRunId = runs.currentRunId(namespace, workflowId) ?? base.ref.runId;
  const current = runs.peek({ namespace, workflowId, runId: currentRunId });
  if (current?.record.reset?.requestId === reset.requestId) return current;
  checkFinishEvent(base, reset.finishEventId);
  const old = editRun(runs, base);
  const ref = { namespace, workflowId, runId: newId() };
  const state = runs.create(ref, emptyRecord(old, ref, reset));
  runs.copyHistory(old, state, reset.finishEventId - 1);
  replay(old, state, reset.finishEventId);
  failTask(old, state, reset);
  if (current?.isRunning) terminateForReset(editRun(runs, current), reset.reason);
  old.record.resetRunId = state.ref.runId;
  reapplyEvents(runs, state, old, reset.finishEventId, reset.reapplied);
  reset.prepare?.(state);
  resumePending(old, state);
  scheduleWorkflowTask(state);
  return state;
}

function checkFinishEvent(base: MutableState, finishEventId: number): void {
  if (finishEventId <= 1 || finishEventId >= base.record.nextEventId) {
    throw invalidArgument('Workflow task finish ID must be > 1 && <= workflow last event ID.');
  }
  const event = base.event(finishEventId);
  const endsTask =
    event.workflowTaskCompletedEventAttributes ??
    event.workflowTaskFailedEventAttributes ??
    event.workflowTaskTimedOutEventAttributes;
  if (!endsTask && !base.isBoundary(finishEventId - 1)) {
    throw invalidArgument(
      `StateRebuilder unable to Rebuild mutable state to event ID: ${finishEventId - 1}, version: 0, this event must be at the boundary`,
    );
  }
}

/** Makes the record of a run that has no events yet, with what the first event said. Its timeouts begin anew. */
function emptyRecord(
  base: MutableState,
  { workflowId, runId }: RunRef,
  { finishEventId, requestId }: Reset,
): RunRecord {
  const { record } = base;
  const now = base.now();
  const started = base.event(1).workflowExecutionStartedEventAttributes;
  const { executionTimeoutMs, runTimeoutMs } = record;
  const executionExpiration = executionTimeoutMs > 0 ? now + executionTimeoutMs : undefined;
  const byRunTimeout = runTimeoutMs > 0 ? now + runTimeoutMs : Infinity;
  const runExpiration = Math.min(byRunTimeout, executionExpiration ?? Infinity);
  return {
    status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING,
    workflowType: record.workflowType,
    taskQueue: record.taskQueue,
    firstRunId: record.firstRunId,
    originalRunId: record.originalRunId,
    startRequestId: record.startRequestId,
    attempt: record.attempt,
    startTime: now,
    executionTime: now + toMs(started?.firstWorkflowTaskBackoff),
    executionTimeoutMs,
    ...(executionExpiration !== undefined && { executionExpiration }),
    runTimeoutMs,
    ...(runExpiration < Infinity && { runExpiration }),
    taskTimeoutMs: record.taskTimeoutMs,
    ...(record.retry && { retry: record.retry }),
    ...(record.cron !== undefined && { cron: record.cron }),
    ...(record.parent && { parent: record.parent }),
    root: record.parent ? record.root : { workflowId, runId },
    ...(record.priority && { priority: record.priority }),
    ...(record.userMetadata && { userMetadata: record.userMetadata }),
    reset: { requestId, originalStartTime: record.reset?.originalStartTime ?? record.startTime },
    ...freshProgress(),
    nextEventId: finishEventId,
  };
}

function replay(base: MutableState, state: MutableState, finishEventId: number): void {
  for (let next: number | undefined = 1; next !== undefined && next < finishEventId;) {
    const page = base.readEvents(next, PAGE_EVENTS);
    for (const event of page.events) {
      if (toNumber(event.eventId) < finishEventId) replayEvent(state, event);
    }
    next = page.nextEventId;
  }
}

/** Ends the workflow task of the new run, which has to be scheduled and may be started, with the reset as the cause. */
function failTask(base: MutableState, state: MutableState, { finishEventId, reason }: Reset): void {
  const { record } = state;
  const task = record.workflowTask;
  if (!task) {
    throw invalidArgument(
      `Can only reset workflow to event ID in range [WorkflowTaskScheduled +1, WorkflowTaskStarted + 1]: ${finishEventId}`,
    );
  }
  if (task.kind === 'transient') {
    task.scheduledEventId = record.nextEventId;
    state.append({ workflowTaskScheduledEventAttributes: scheduledAttributes(record.taskQueue, task) });
  }
  if (task.startedEventId === undefined) {
    const started = state.append({
      workflowTaskStartedEventAttributes: {
        ...startedAttributes(task),
        identity: 'history-service',
        requestId: 'emptyUuid',
        historySizeBytes: long(record.historySizeBytes),
      },
    });
    task.startedEventId = toNumber(started.eventId);
  }
  state.append({
    workflowTaskFailedEventAttributes: {
      scheduledEventId: long(task.scheduledEventId),
      startedEventId: long(task.startedEventId),
      cause: WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW,
      failure: { message: reason, resetWorkflowFailureInfo: {} },
      identity: 'history-service',
      baseRunId: base.ref.runId,
      newRunId: state.ref.runId,
    },
  });
  delete record.workflowTask;
}
