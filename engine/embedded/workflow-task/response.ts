import type { temporal } from '@temporalio/proto';
import type { HistoryEvent } from '../history/events.ts';
import { encodeHistoryToken } from '../history/page-token.ts';
import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { TaskQueueKind } from '../proto.ts';
import { long, optionalTimestamp, timestamp, toNumber } from '../proto-values.ts';
import { encodeTaskToken } from '../task-token.ts';
import { updateMessages } from '../updates/messages.ts';
import { promisedEvents } from './task-events.ts';

export type WorkflowTaskResponse = temporal.api.workflowservice.v1.IPollWorkflowTaskQueueResponse;

/**
 * What the worker that was just given the task receives. `partial`: it polls the run's sticky queue, so it has the run
 * in its cache and needs only the events since its last task.
 */
export function workflowTaskResponse(
  kernel: Kernel,
  state: MutableState,
  partial: boolean,
): WorkflowTaskResponse {
  const { record, ref } = state;
  const task = record.workflowTask;
  if (!task || task.fence === undefined || task.startedEventId === undefined) {
    throw new Error(`run ${ref.runId} has no started workflow task`);
  }
  const messages = updateMessages(kernel, ref, task.scheduledEventId);
  const queries: NonNullable<WorkflowTaskResponse['queries']> = {};
  for (const query of kernel.queries.waiting(ref)) {
    query.handedOut = true;
    queries[query.id] = query.query;
  }
  const from = partial ? record.lastStartedEventId + 1 : 1;
  const { events, nextPageToken } = historyFor(kernel, state, from, task.startedEventId);
  return {
    taskToken: encodeTaskToken({
      ...ref,
      kind: 'workflow',
      scheduledEventId: task.scheduledEventId,
      fence: task.fence,
    }),
    workflowExecution: { workflowId: ref.workflowId, runId: ref.runId },
    workflowType: { name: record.workflowType },
    ...(record.lastStartedEventId > 0 && { previousStartedEventId: long(record.lastStartedEventId) }),
    startedEventId: long(task.startedEventId),
    attempt: task.attempt,
    history: { events },
    ...(nextPageToken && { nextPageToken }),
    workflowExecutionTaskQueue: { name: record.taskQueue, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
    scheduledTime: timestamp(task.scheduledTime),
    startedTime: optionalTimestamp(task.startedTime),
    ...(messages.length > 0 && { messages }),
    ...(Object.keys(queries).length > 0 && { queries }),
  };
}

/** Events `from`..`to` for a task; what does not fit into one message is read on with GetWorkflowExecutionHistory. */
export function historyFor(
  kernel: Kernel,
  state: MutableState,
  from: number,
  to: number,
): { events: HistoryEvent[]; nextPageToken?: Uint8Array } {
  const page = kernel.history.read(state.key, from, kernel.limits.historyPageEvents);
  const events = page.events.filter((event) => toNumber(event.eventId) <= to);
  if (page.nextEventId !== undefined && page.nextEventId <= to) {
    const token = encodeHistoryToken({
      runId: state.ref.runId,
      nextEventId: page.nextEventId,
      endEventId: to,
      wait: false,
    });
    return { events, nextPageToken: token };
  }
  for (const event of promisedEvents(state.record.taskQueue, state.record.workflowTask)) {
    if (toNumber(event.eventId) <= to) events.push(event);
  }
  return { events };
}
