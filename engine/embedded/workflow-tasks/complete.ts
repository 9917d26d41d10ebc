import type { temporal } from '@temporalio/proto';
import { recordVersioning } from '../deployments/run-versioning.ts';
import { requireVersion, versionMessage, workerVersion } from '../deployments/version.ts';
import { activityTaskResponse } from '../activity-tasks/start.ts';
import { applyCommands, checkCommandSequence } from '../commands/apply.ts';
import type { CommandContext, CommandServices } from '../commands/context.ts';
import { startEagerActivities } from '../commands/activities.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { WorkflowTaskRecord } from '../mutable-state/record.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import { Failure } from '../protocol/proto.ts';
import { long, toMs, toNumber } from '../protocol/values.ts';
import { answerQueries } from '../queries/dispatch.ts';
import { CommandError, PayloadTooLargeError } from '../protocol/command-error.ts';
import { checkIdentity } from '../protocol/id-length.ts';
import { invalidArgument, notFound } from '../protocol/rpc-error.ts';
import { terminateRun } from '../runs/close-run.ts';
import { recordBuild } from '../runs/reset-points.ts';
import { type RunTaskToken, checkTokenNamespace, decodeRunTaskToken } from '../protocol/task-token.ts';
import { applyUpdateAnswer, rejectUnprocessed } from '../updates/apply-answer.ts';
import { failWorkflowTask } from './fail.ts';
import { workflowTaskResponse, type WorkflowTaskServices, recordWorkflowTaskStarted } from './start.ts';
import { scheduleWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import { readUpdateAnswer } from '../updates/messages.ts';

type Request = temporal.api.workflowservice.v1.IRespondWorkflowTaskCompletedRequest;
type Response = temporal.api.workflowservice.v1.IRespondWorkflowTaskCompletedResponse;

/** The request id of a task that a worker gets with the response to its answer. */
const INLINE_REQUEST_ID = 'request-from-RespondWorkflowTaskCompleted';

/** What completing a workflow task takes. */
export interface CompletionServices extends WorkflowTaskServices, CommandServices {
  readonly limits: WorkflowTaskServices['limits'] & CommandServices['limits'];
}

/** Completes a workflow task with the commands and messages of a worker's answer. */
export function completeWorkflowTask(services: CompletionServices, request: Request): Response {
  checkIdentity(request.identity);
  requireVersion(request.deploymentOptions);
  const { name: namespace } = services.namespaces.get(request.namespace ?? '');
  const token = decodeRunTaskToken(request.taskToken, 'workflow');
  checkTokenNamespace(token, namespace);
  const held = findStartedTask(services.runs, token);
  checkCommandSequence(request.commands ?? []);
  try {
    const respond = services.runs.transact(() => {
      const state = services.runs.edit(held.ref);
      const task = state?.record.workflowTask;
      if (!state || !task) throw notFound('Workflow task not found.');
      if (isOnlyRejections(state, task, request)) return dropSpeculativeTask(services, state, request);
      return applyAnswer(services, state, task, request);
    });
    return respond();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    services.runs.transact(() => {
      const state = services.runs.edit(held.ref);
      if (!state) return;
      failWorkflowTask(state, {
        cause: error.failedCause,
        failure: Failure.create({ message: error.message, serverFailureInfo: {} }),
        identity: request.identity ?? '',
      });
      if (error instanceof PayloadTooLargeError) {
        terminateRun(state, { reason: error.message, identity: 'history-service' });
      }
    });
    throw invalidArgument(error.message);
  }
}

/** Finds the run whose task this token names; throws NOT_FOUND when the worker no longer has the task. */
export function findStartedTask(runs: RunRegistry, token: RunTaskToken): MutableState {
  const state = runs.peek(token);
  if (!state?.holdsTask(token.fence)) throw notFound('Workflow task not found.');
  return state;
}

/** Makes the response after the transaction, when the new events can be read. */
type Respond = () => Response;

function dropSpeculativeTask(services: CompletionServices, state: MutableState, request: Request): Respond {
  const { record } = state;
  const lastKept = record.lastStartedEventId;
  const context = makeContext(services, state, request, 0);
  delete record.workflowTask;
  setStickiness(state, request);
  for (const message of context.messages.values()) applyUpdateAnswer(services.updates, state, message);
  rejectUnprocessed(services.updates, state);
  const inline = afterAnswer(services, state, request, { isNeeded: false, hasNews: false });
  return () => ({ resetHistoryEventId: long(lastKept), ...inlineTask(services, state, inline) });
}

/** What a response holds of the next task. The worker that asks for it has seen the history so far. */
function inlineTask(
  services: CompletionServices,
  state: MutableState,
  isInline: boolean,
): Pick<Response, 'workflowTask'> {
  return isInline ? { workflowTask: workflowTaskResponse(services, state, true) } : {};
}

function applyAnswer(
  services: CompletionServices,
  state: MutableState,
  task: WorkflowTaskRecord,
  request: Request,
): Respond {
  const { record } = state;
  state.writeTaskEvents(request.identity ?? '');
  const startedEventId = task.startedEventId ?? 0;
  const buildId = request.workerVersionStamp?.buildId || task.buildId;
  const version = workerVersion(request.deploymentOptions);
  const completed = state.append({
    workflowTaskCompletedEventAttributes: {
      scheduledEventId: long(task.scheduledEventId),
      startedEventId: long(startedEventId),
      identity: request.identity ?? '',
      binaryChecksum: request.binaryChecksum ?? '',
      workerVersion: request.workerVersionStamp ?? null,
      sdkMetadata: request.sdkMetadata ?? null,
      meteringMetadata: request.meteringMetadata ?? null,
      ...(version && {
        versioningBehavior: request.versioningBehavior ?? 0,
        workerDeploymentName: version.deployment,
        deploymentVersion: versionMessage(version),
      }),
    },
  });
  recordVersioning(services.deployments, state, version, request.versioningBehavior ?? 0);
  record.lastStartedEventId = startedEventId;
  recordBuild(
    state,
    { buildId: buildId ?? '', binaryChecksum: request.binaryChecksum ?? '' },
    toNumber(completed.eventId),
  );
  delete record.workflowTask;
  setStickiness(state, request);
  const context = makeContext(services, state, request, toNumber(completed.eventId));
  applyCommands(context, request.commands ?? []);
  for (const message of context.messages.values()) applyUpdateAnswer(services.updates, state, message);
  if (!state.isRunning) {
    answerQueries(services.queries, state, request.queryResults);
    return () => ({});
  }
  rejectUnprocessed(services.updates, state);
  const eager = startEagerActivities(context);
  const inline = afterAnswer(services, state, request, {
    isNeeded: context.needsWorkflowTask,
    hasNews: record.nextEventId > context.completedEventId + 1,
  });
  return () => ({
    ...(eager.length > 0 && {
      activityTasks: eager.map((activity) => activityTaskResponse(state, activity)),
    }),
    ...inlineTask(services, state, inline),
  });
}

/**
 * Gives the run its next task if it needs one: for buffered events, for updates that no worker has been sent, or
 * because the worker asks for one to keep a long local activity alive. Answers whether the response contains the task.
 *
 * @param answer.isNeeded whether the commands call for a task
 * @param answer.hasNews whether the answer left events beside its own
 */
function afterAnswer(
  services: CompletionServices,
  state: MutableState,
  request: Request,
  { isNeeded, hasNews }: { readonly isNeeded: boolean; readonly hasNews: boolean },
): boolean {
  const { record, ref } = state;
  answerQueries(services.queries, state, request.queryResults);
  const asksForNext = request.returnNewWorkflowTask === true;
  const isCalledFor = isNeeded || request.forceCreateNewWorkflowTask === true || state.hasBufferedEvents;
  if (isCalledFor || services.updates.unsent(ref).length > 0) {
    // Only a task that goes with the response is speculative, as on the server.
    scheduleWorkflowTask(state, { speculative: !isCalledFor && !hasNews && asksForNext });
  }
  const next = record.workflowTask;
  if (!next) {
    state.addTask({ kind: 'dispatch-queries' });
    return false;
  }
  if (!asksForNext) return false;
  const buildId = request.workerVersionStamp?.buildId || undefined;
  recordWorkflowTaskStarted(
    services,
    state,
    next,
    { identity: request.identity ?? '', buildId },
    INLINE_REQUEST_ID,
  );
  return true;
}

function makeContext(
  services: CompletionServices,
  state: MutableState,
  request: Request,
  completedEventId: number,
): CommandContext {
  return {
    services,
    state,
    identity: request.identity ?? '',
    completedEventId,
    messages: new Map((request.messages ?? []).map((message) => [message.id ?? '', message])),
    eager: [],
    needsWorkflowTask: false,
  };
}

function setStickiness(state: MutableState, request: Request): void {
  const queue = request.stickyAttributes?.workerTaskQueue?.name;
  if (!queue) {
    delete state.record.sticky;
    return;
  }
  const timeoutMs = toMs(request.stickyAttributes?.scheduleToStartTimeout) || state.record.taskTimeoutMs;
  state.record.sticky = { queue, timeoutMs };
}

/**
 * Whether the answer to a speculative task changes nothing: it has no commands, and its updates are rejected or not
 * mentioned. Such a task leaves no trace: its events are never written, and the worker goes back to where it was.
 */
function isOnlyRejections(state: MutableState, task: WorkflowTaskRecord, request: Request): boolean {
  return (
    task.kind === 'speculative' &&
    (request.commands ?? []).length === 0 &&
    request.forceCreateNewWorkflowTask !== true &&
    !state.hasBufferedEvents &&
    (request.messages ?? []).every((message) => readUpdateAnswer(message)?.kind === 'reject')
  );
}
