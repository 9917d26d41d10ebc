import { replayVersioning } from '../deployments/replay-versioning.ts';
import type { HistoryEvent } from '../history/events.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import { redispatchWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { failedPrecondition } from '../protocol/rpc-error.ts';
import { timestampMs, toNumber } from '../protocol/values.ts';
import { replayEvent } from '../resets/replay-event.ts';
import { resumePending } from '../resets/resume-pending.ts';
import type { SearchAttributeRegistry } from '../visibility/search-attribute-registry.ts';
import { checkHistory } from './check-history.ts';
import { runAfter, statusAfter } from './closing-event.ts';
import { startedRecord } from './started-record.ts';

interface ImportServices {
  readonly runs: RunRegistry;
  readonly searchAttributes: SearchAttributeRegistry;
}

/**
 * Makes a run of a history that another service has written. A run that was open there goes on here: what it waited for
 * begins again, and times count from when they did there. The same history again changes nothing.
 *
 * To be called within a transaction.
 *
 * @throws RpcError INVALID_ARGUMENT for what is no history, FAILED_PRECONDITION where the run cannot be or go on here
 */
export function importRun(
  services: ImportServices,
  ref: RunRef,
  batches: readonly (readonly HistoryEvent[])[],
): void {
  const { runs } = services;
  const events = batches.flat();
  checkHistory(events);
  const [first, last] = [events[0] ?? {}, events.at(-1) ?? {}];
  const known = runs.peek(ref);
  if (known) {
    if (known.record.nextEventId - 1 === events.length) return;
    throw failedPrecondition(
      `Run ${ref.runId} of ${ref.workflowId} is here already, with ${known.record.nextEventId - 1} events.`,
    );
  }
  checkAttributes(services, ref.namespace, events);
  const status = statusAfter(last);
  const record = startedRecord(ref, first);
  const state = runs.create(ref, record, {
    isCurrent: isNewest(runs, ref, record.startTime, status === undefined),
  });
  runs.importHistory(state, batches);
  record.nextEventId = events.length + 1;
  record.stateTransitions = batches.length;
  for (const event of events) {
    replayEvent(state, event, timestampMs(event.eventTime));
    replayVersioning(record, event);
  }
  if (status === undefined) goOn(state, events);
  else close(state, status, last);
}

/** Whether the run becomes the one that its workflow id means. */
function isNewest(runs: RunRegistry, ref: RunRef, startTime: number, isOpen: boolean): boolean {
  const runId = runs.currentRunId(ref.namespace, ref.workflowId);
  const current = runId === undefined ? undefined : runs.peek({ ...ref, runId });
  if (current === undefined) return true;
  if (current.isRunning && isOpen) {
    throw failedPrecondition(`Another run of ${ref.workflowId} is open here: ${current.ref.runId}.`);
  }
  return isOpen || (!current.isRunning && current.record.startTime <= startTime);
}

/** @throws RpcError INVALID_ARGUMENT for a search attribute that the namespace does not have, or of another type */
function checkAttributes(
  { searchAttributes }: ImportServices,
  namespace: string,
  events: readonly HistoryEvent[],
): void {
  for (const event of events) {
    const fields =
      event.workflowExecutionStartedEventAttributes?.searchAttributes?.indexedFields ??
      event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields;
    if (fields) searchAttributes.validate(namespace, fields);
  }
}

function close(state: MutableState, status: number, last: HistoryEvent): void {
  const { record, pending } = state;
  record.status = status;
  record.closeTime = timestampMs(last.eventTime) ?? record.startTime;
  const newRunId = runAfter(last);
  if (newRunId !== undefined) record.newRunId = newRunId;
  delete record.workflowTask;
  record.externals = {};
  pending.clear();
}

function goOn(state: MutableState, events: readonly HistoryEvent[]): void {
  const { record, pending } = state;
  refuseNexus(events);
  const now = state.now();
  for (const { scheduledEventId } of pending.activities.values()) {
    const activity = pending.activities.edit(scheduledEventId);
    // Its place in the queue is new, what is left of its whole time is not.
    if (activity) activity.attemptScheduledTime = now;
  }
  resumePending(state, state);
  const task = record.workflowTask;
  if (task) {
    if (task.kind === 'transient') task.attempt = attemptAfter(events);
    task.sticky = false;
    task.queue = record.taskQueue;
    task.scheduledTime = now;
    redispatchWorkflowTask(state, task);
  } else if (!events.some((event) => event.workflowTaskScheduledEventAttributes)) {
    record.firstTaskAt = record.executionTime;
  }
}

/** The number of the attempt that follows one that failed. */
function attemptAfter(events: readonly HistoryEvent[]): number {
  const scheduled = events.findLast((event) => event.workflowTaskScheduledEventAttributes);
  return (scheduled?.workflowTaskScheduledEventAttributes?.attempt || 1) + 1;
}

function refuseNexus(events: readonly HistoryEvent[]): void {
  const pending = new Set<number>();
  for (const event of events) {
    if (event.nexusOperationScheduledEventAttributes) pending.add(toNumber(event.eventId));
    const ended =
      event.nexusOperationCompletedEventAttributes ??
      event.nexusOperationFailedEventAttributes ??
      event.nexusOperationCanceledEventAttributes ??
      event.nexusOperationTimedOutEventAttributes;
    if (ended) pending.delete(toNumber(ended.scheduledEventId));
  }
  if (pending.size > 0)
    throw failedPrecondition('The run waits for a Nexus operation, which this engine does not have.');
}
