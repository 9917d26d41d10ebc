import type { MutableState } from '../mutable-state/mutable-state.ts';
import { TaskQueueKind } from '../protocol/proto.ts';
import { long, optionalTimestamp, timestamp } from '../protocol/values.ts';
import { encodeTaskToken } from '../protocol/task-token.ts';
import type { Limits } from '../primitives/limits.ts';
import { readTaskHistory } from '../mutable-state/task-history.ts';
import type { QueryRegistry } from '../queries/query-registry.ts';
import type { WorkflowTaskResponse } from '../queues/matching.ts';
import { updateMessages } from '../updates/messages.ts';
import type { UpdateRegistry } from '../updates/update-registry.ts';

/** What making the response takes. */
export interface ResponseServices {
  readonly updates: UpdateRegistry;
  readonly queries: QueryRegistry;
  readonly limits: Pick<Limits, 'historyPageEvents'>;
}

/**
 * Makes the response for the worker that was just given the task. `partial` says that it polls the run's sticky queue,
 * so it has the run in its cache and needs only the events since its last task.
 */
export function workflowTaskResponse(
  services: ResponseServices,
  state: MutableState,
  partial: boolean,
): WorkflowTaskResponse {
  const { record, ref } = state;
  const task = record.workflowTask;
  if (!task || task.fence === undefined || task.startedEventId === undefined) {
    throw new Error(`run ${ref.runId} has no started workflow task`);
  }
  const messages = updateMessages(services.updates, ref, task.scheduledEventId);
  const queries: NonNullable<WorkflowTaskResponse['queries']> = {};
  for (const query of services.queries.waiting(ref)) {
    query.sent = true;
    queries[query.id] = query.query;
  }
  const from = partial ? record.lastStartedEventId + 1 : 1;
  const { events, nextPageToken } = readTaskHistory(
    state,
    from,
    task.startedEventId,
    services.limits.historyPageEvents,
  );
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
