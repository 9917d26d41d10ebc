import type { DeploymentRegistry } from '../deployments/deployment-registry.ts';
import { isTargetChanged, workflowTarget } from '../deployments/run-versioning.ts';
import { isSameVersion } from '../deployments/version.ts';
import { newId } from '../primitives/ids.ts';
import type { Matching, WorkflowTaskResponse } from '../queues/matching.ts';
import type { Poller } from '../queues/task-queue.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { WorkflowTaskRecord } from '../mutable-state/record.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { WorkflowTaskDispatch } from '../mutable-state/tasks.ts';
import type { Limits } from '../primitives/limits.ts';
import type { VersionRef } from '../primitives/version-ref.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { toNumber, long, optionalTimestamp, timestamp } from '../protocol/values.ts';
import { readTaskHistory } from '../mutable-state/read-task-history.ts';
import { scheduledAttributes, startedAttributes } from '../mutable-state/workflow-task-events.ts';
import { TaskQueueKind } from '../protocol/proto.ts';
import { encodeTaskToken } from '../protocol/task-token.ts';
import type { QueryRegistry } from '../queries/query-registry.ts';
import { updateMessages } from '../updates/messages.ts';
import type { UpdateRegistry } from '../updates/update-registry.ts';

/** What giving workflow tasks to workers takes. */
export interface WorkflowTaskServices extends ResponseServices {
  readonly runs: RunRegistry;
  readonly matching: Matching;
  readonly deployments: DeploymentRegistry;
  readonly limits: TaskLimits;
}

type TaskLimits = Pick<
  Limits,
  'historyPageEvents' | 'suggestContinueAsNewBytes' | 'suggestContinueAsNewEvents'
>;

/** Gives a scheduled workflow task to a poller; answers undefined when the run no longer wants it delivered. */
function startWorkflowTask(
  services: WorkflowTaskServices,
  ref: RunRef,
  scheduled: Pick<WorkflowTaskDispatch, 'scheduledEventId' | 'scheduledTime' | 'queue'> & {
    readonly reroute: () => void;
  },
  poller: Poller,
): WorkflowTaskResponse | undefined {
  const { runs, deployments } = services;
  const found = runs.peek(ref);
  const current = found?.record.workflowTask;
  if (!current || current.handedOut) return undefined;
  if (
    current.scheduledEventId !== scheduled.scheduledEventId ||
    current.scheduledTime !== scheduled.scheduledTime
  ) {
    return undefined;
  }
  if (!isSameVersion(poller.version, workflowTarget(deployments, found))) {
    // Workers of another version get it by now; the queue forgets it here.
    queueMicrotask(scheduled.reroute);
    return undefined;
  }
  const state = runs.transact(() => {
    const editable = runs.edit(ref);
    const task = editable?.record.workflowTask;
    if (!editable || !task) return undefined;
    if (scheduled.queue !== editable.record.sticky?.queue) delete editable.record.sticky;
    recordWorkflowTaskStarted(services, editable, task, poller, newId());
    return editable;
  });
  return state && workflowTaskResponse(services, state, scheduled.queue === state.record.sticky?.queue);
}

/** Records within a transaction that `poller` has the task. */
export function recordWorkflowTaskStarted(
  { limits, deployments }: Pick<WorkflowTaskServices, 'limits' | 'deployments'>,
  state: MutableState,
  task: WorkflowTaskRecord,
  poller: Pick<Poller, 'identity' | 'buildId'>,
  requestId: string,
): void {
  const { record } = state;
  const now = state.now();
  task.handedOut = true;
  task.handedOutTime = now;
  task.fence = state.newFence();
  // A task that is delivered again after a restart keeps the started event that it has.
  if (task.startedEventId !== undefined) return;
  if (task.kind === 'transient' && task.scheduledEventId !== record.nextEventId) {
    // Events that came since it was scheduled took the ids of its events: it becomes a first attempt after them.
    task.kind = 'normal';
    task.attempt = 1;
    const scheduled = state.append({
      workflowTaskScheduledEventAttributes: scheduledAttributes(record.taskQueue, task),
    });
    task.scheduledEventId = toNumber(scheduled.eventId);
  }
  task.identity = poller.identity;
  task.requestId = requestId;
  if (poller.buildId !== undefined) task.buildId = poller.buildId;
  task.historySizeBytes = record.historySizeBytes;
  const { suggestContinueAsNewBytes, suggestContinueAsNewEvents } = limits;
  if (
    record.historySizeBytes >= suggestContinueAsNewBytes ||
    record.nextEventId > suggestContinueAsNewEvents
  ) {
    task.suggestContinueAsNew = true;
  }
  if (isTargetChanged(deployments, state)) task.targetVersionChanged = true;
  task.startedTime = now;
  if (task.kind === 'normal') {
    const started = state.append({ workflowTaskStartedEventAttributes: startedAttributes(task) });
    task.startedEventId = toNumber(started.eventId);
  } else {
    task.startedEventId = task.scheduledEventId + 1;
  }
}

/**
 * Puts a run's workflow task into its queue. A sticky queue that nobody serves any more would hold it until a timeout,
 * so it goes to the normal queue at once; its event keeps the name of the sticky queue, as on the server.
 */
export function enqueueWorkflowTask(
  services: WorkflowTaskServices,
  ref: RunRef,
  task: WorkflowTaskDispatch,
): void {
  const { matching, runs, deployments } = services;
  const state = runs.peek(ref);
  if (!state) return;
  const enqueue = (queue: string, version: VersionRef | undefined): void => {
    const reroute = (): void => {
      const now = runs.peek(ref);
      if (now) enqueue(task.normalQueue, workflowTarget(deployments, now));
    };
    matching.workflowQueue(ref.namespace, queue, version).add({
      addedAt: task.scheduledTime,
      start: (poller) => startWorkflowTask(services, ref, { ...task, queue, reroute }, poller),
      reroute,
    });
  };
  const target = workflowTarget(deployments, state);
  const isServed =
    task.sticky &&
    isSameVersion(target, state.record.versioning?.version) &&
    matching.isStickyServed(ref.namespace, task.queue);
  if (isServed) enqueue(task.queue, undefined);
  else enqueue(task.normalQueue, target);
}

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
