import type { google } from '@temporalio/proto';
import type { HistoryEvent } from '../history/events.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { applyMemo, applySearchAttributes } from '../mutable-state/properties.ts';
import type { RunRecord, WorkflowTaskRecord } from '../mutable-state/record.ts';
import {
  Memo,
  Priority,
  ResetPoints,
  SearchAttributes,
  WorkflowTaskFailedCause,
  toEncoded,
} from '../protocol/proto.ts';
import { toMs, toNumber } from '../protocol/values.ts';
import { recordBuild } from '../runs/reset-points.ts';
import { normaliseRetryPolicy } from '../runs/retry-policy.ts';

/**
 * Changes a run's record as the event changed that of the run whose history it is. Activities count as scheduled at
 * `scheduledAt`.
 */
export function replayEvent(state: MutableState, event: HistoryEvent, scheduledAt = state.now()): void {
  replayWorkflowTask(state, event);
  replayActivity(state, event, scheduledAt);
  replayTimer(state, event);
  replayChild(state, event);
  replayExternal(state.record, event);
  replayProperties(state.record, event);
  replayMessage(state.record, event);
}

const { WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_PAUSE_REQUESTED_BEFORE_TASK_STARTED: PAUSED } =
  WorkflowTaskFailedCause;

const idOf = (event: HistoryEvent): number => toNumber(event.eventId);

function timeOf({ eventTime }: HistoryEvent): number {
  return ms(eventTime);
}

function ms(time: google.protobuf.ITimestamp | null | undefined): number {
  return toNumber(time?.seconds) * 1000 + (time?.nanos ?? 0) / 1e6;
}

function replayWorkflowTask(state: MutableState, event: HistoryEvent): void {
  const { record } = state;
  const scheduled = event.workflowTaskScheduledEventAttributes;
  if (scheduled) {
    record.workflowTask = task(record, idOf(event), timeOf(event));
    record.workflowTask.queue = scheduled.taskQueue?.name ?? record.taskQueue;
  }
  if (event.workflowTaskStartedEventAttributes && record.workflowTask) {
    record.workflowTask.startedEventId = idOf(event);
  }
  const completed = event.workflowTaskCompletedEventAttributes;
  if (completed) {
    delete record.workflowTask;
    record.lastStartedEventId = toNumber(completed.startedEventId);
    const { workerVersion, binaryChecksum } = completed;
    recordBuild(
      state,
      { buildId: workerVersion?.buildId ?? '', binaryChecksum: binaryChecksum ?? '' },
      idOf(event),
    );
  }
  if (event.workflowTaskFailedEventAttributes?.cause === PAUSED) {
    delete record.workflowTask;
  } else if (event.workflowTaskFailedEventAttributes || event.workflowTaskTimedOutEventAttributes) {
    // The next attempt is scheduled at once, under the ids that its events will have.
    record.workflowTask = { ...task(record, idOf(event) + 1, timeOf(event)), kind: 'transient' };
  }
}

function task(record: RunRecord, scheduledEventId: number, at: number): WorkflowTaskRecord {
  return {
    kind: 'normal',
    scheduledEventId,
    attempt: 1,
    scheduledTime: at,
    originalScheduledTime: at,
    queue: record.taskQueue,
    sticky: false,
    timeoutMs: record.taskTimeoutMs,
    handedOut: false,
  };
}

function replayActivity(state: MutableState, event: HistoryEvent, now: number): void {
  const { record, pending } = state;
  const scheduled = event.activityTaskScheduledEventAttributes;
  if (scheduled) {
    pending.activities.add(idOf(event), {
      scheduledEventId: idOf(event),
      activityId: scheduled.activityId ?? '',
      activityType: scheduled.activityType?.name ?? '',
      taskQueue: scheduled.taskQueue?.name ?? record.taskQueue,
      scheduledTime: now,
      scheduleToCloseMs: toMs(scheduled.scheduleToCloseTimeout),
      scheduleToStartMs: toMs(scheduled.scheduleToStartTimeout),
      startToCloseMs: toMs(scheduled.startToCloseTimeout),
      heartbeatMs: toMs(scheduled.heartbeatTimeout),
      retry: normaliseRetryPolicy(scheduled.retryPolicy ?? {}),
      ...(scheduled.priority && { priority: toEncoded(Priority, scheduled.priority) }),
      attempt: 1,
      attemptScheduledTime: now,
    });
  }
  const cancelled = event.activityTaskCancelRequestedEventAttributes;
  const activity = cancelled && pending.activities.edit(toNumber(cancelled.scheduledEventId));
  if (activity) activity.cancelRequestedEventId = idOf(event);
  const ended =
    event.activityTaskCompletedEventAttributes ??
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.activityTaskCanceledEventAttributes;
  if (ended) pending.activities.delete(toNumber(ended.scheduledEventId));
}

function replayTimer({ pending }: MutableState, event: HistoryEvent): void {
  const started = event.timerStartedEventAttributes;
  if (started?.timerId) {
    const fireAt = timeOf(event) + toMs(started.startToFireTimeout);
    pending.timers.add(started.timerId, { startedEventId: idOf(event), fireAt });
  }
  const ended = event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes;
  if (ended?.timerId) pending.timers.delete(ended.timerId);
}

/** The event of a child that says how it ended, or that it never started. */
export function endOfChild(event: HistoryEvent): { initiatedEventId: number } | undefined {
  const ended =
    event.startChildWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionCompletedEventAttributes ??
    event.childWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionCanceledEventAttributes ??
    event.childWorkflowExecutionTimedOutEventAttributes ??
    event.childWorkflowExecutionTerminatedEventAttributes;
  return ended ? { initiatedEventId: toNumber(ended.initiatedEventId) } : undefined;
}

/** Changes what a run knows of its children as the event did. */
export function replayChild({ pending }: MutableState, event: HistoryEvent): void {
  const initiated = event.startChildWorkflowExecutionInitiatedEventAttributes;
  if (initiated) {
    pending.children.add(idOf(event), {
      initiatedEventId: idOf(event),
      workflowId: initiated.workflowId ?? '',
      workflowType: initiated.workflowType?.name ?? '',
      parentClosePolicy: initiated.parentClosePolicy ?? 0,
    });
  }
  const started = event.childWorkflowExecutionStartedEventAttributes;
  const child = started && pending.children.edit(toNumber(started.initiatedEventId));
  if (child) {
    child.startedEventId = idOf(event);
    child.runId = started.workflowExecution?.runId ?? '';
  }
  const ended = endOfChild(event);
  if (ended) pending.children.delete(ended.initiatedEventId);
}

function replayExternal(record: RunRecord, event: HistoryEvent): void {
  if (
    event.signalExternalWorkflowExecutionInitiatedEventAttributes ||
    event.requestCancelExternalWorkflowExecutionInitiatedEventAttributes
  ) {
    record.externals[idOf(event)] = true;
  }
  const ended =
    event.signalExternalWorkflowExecutionFailedEventAttributes ??
    event.externalWorkflowExecutionSignaledEventAttributes ??
    event.requestCancelExternalWorkflowExecutionFailedEventAttributes ??
    event.externalWorkflowExecutionCancelRequestedEventAttributes;
  if (ended) delete record.externals[toNumber(ended.initiatedEventId)];
}

function replayProperties(record: RunRecord, event: HistoryEvent): void {
  const started = event.workflowExecutionStartedEventAttributes;
  if (started?.memo) record.memo = toEncoded(Memo, started.memo);
  if (started?.searchAttributes) {
    record.searchAttributes = toEncoded(SearchAttributes, started.searchAttributes);
  }
  if (started?.prevAutoResetPoints) {
    record.resetPoints = toEncoded(ResetPoints, started.prevAutoResetPoints);
  }
  const upserted = event.upsertWorkflowSearchAttributesEventAttributes;
  if (upserted) applySearchAttributes(record, upserted.searchAttributes);
  const modified = event.workflowPropertiesModifiedEventAttributes;
  if (modified) applyMemo(record, modified.upsertedMemo);
}

function replayMessage(record: RunRecord, event: HistoryEvent): void {
  const requestId = event.workflowExecutionSignaledEventAttributes?.requestId;
  if (requestId) record.signalRequestIds.push(requestId);
  if (event.workflowExecutionCancelRequestedEventAttributes) record.cancelRequested = true;
  const paused = event.workflowExecutionPausedEventAttributes;
  if (paused) {
    const { identity, reason, requestId } = paused;
    record.paused = {
      time: timeOf(event),
      identity: identity ?? '',
      reason: reason ?? '',
      requestId: requestId ?? '',
    };
  }
  if (event.workflowExecutionUnpausedEventAttributes) delete record.paused;
  const admitted = event.workflowExecutionUpdateAdmittedEventAttributes?.request?.meta?.updateId;
  if (admitted) record.updates[admitted] = { admittedEventId: idOf(event) };
  const accepted = event.workflowExecutionUpdateAcceptedEventAttributes?.protocolInstanceId;
  if (accepted) record.updates[accepted] = { ...record.updates[accepted], acceptedEventId: idOf(event) };
  const completed = event.workflowExecutionUpdateCompletedEventAttributes?.meta?.updateId;
  const update = completed && record.updates[completed];
  if (update) update.completedEventId = idOf(event);
}
