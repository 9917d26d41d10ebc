import type { temporal } from '@temporalio/proto';
import { activityTaskResponse } from '../activity/start.ts';
import { applyCommands } from '../commands/apply.ts';
import { type CommandContext, CommandError } from '../commands/context.ts';
import { startEagerActivities } from '../commands/schedule-activity-task.ts';
import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { WorkflowTaskRecord } from '../mutable-state/record.ts';
import { Failure } from '../proto.ts';
import { long, toMs, toNumber } from '../proto-values.ts';
import { answerQueries } from '../queries/answer.ts';
import { releaseQueries } from '../queries/release.ts';
import { invalidArgument, notFound } from '../rpc/errors.ts';
import { addResetPoint } from '../workflow/reset-points.ts';
import { decodeRunTaskToken } from '../task-token.ts';
import { applyUpdateAnswer } from '../updates/apply-answer.ts';
import { rejectUnprocessed } from '../updates/unprocessed.ts';
import { failWorkflowTask } from './fail.ts';
import { workflowTaskResponse } from './response.ts';
import { scheduleWorkflowTask } from './schedule.ts';
import { isOnlyRejections } from './speculative.ts';
import { handOut } from './start.ts';

type Request = temporal.api.workflowservice.v1.IRespondWorkflowTaskCompletedRequest;
type Response = temporal.api.workflowservice.v1.IRespondWorkflowTaskCompletedResponse;

/** Given to the task that an answer takes back with it. */
const INLINE_REQUEST_ID = 'request-from-RespondWorkflowTaskCompleted';

/** A worker answers a workflow task with the commands of its workflow. */
export function completeWorkflowTask(kernel: Kernel, request: Request): Response {
  const token = decodeRunTaskToken(request.taskToken, 'workflow');
  const held = findHeldTask(kernel, token);
  try {
    const respond = kernel.runs.transact(() => {
      const state = kernel.runs.edit(held.ref);
      const task = state?.record.workflowTask;
      if (!state || !task) throw notFound('Workflow task not found.');
      if (isOnlyRejections(state, task, request)) return dropSpeculativeTask(kernel, state, request);
      return applyAnswer(kernel, state, task, request);
    });
    return respond();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    kernel.runs.transact(() => {
      const state = kernel.runs.edit(held.ref);
      if (!state) return;
      failWorkflowTask(kernel, state, {
        cause: error.failedCause,
        failure: Failure.create({ message: error.message, serverFailureInfo: {} }),
        identity: request.identity ?? '',
      });
    });
    throw invalidArgument(error.message);
  }
}

/** The run whose task this token names; NOT_FOUND when the worker no longer holds it. */
export function findHeldTask(kernel: Kernel, token: ReturnType<typeof decodeRunTaskToken>): MutableState {
  const state = kernel.runs.peek(token);
  const task = state?.record.workflowTask;
  if (!state || !task?.handedOut || task.fence !== token.fence) throw notFound('Workflow task not found.');
  return state;
}

/** Builds the response after the transaction, when events can be read. */
type Respond = () => Response;

function dropSpeculativeTask(kernel: Kernel, state: MutableState, request: Request): Respond {
  const { record } = state;
  const lastKept = record.lastStartedEventId;
  const context = makeContext(kernel, state, request, 0);
  delete record.workflowTask;
  setStickiness(state, request);
  for (const message of context.messages.values()) applyUpdateAnswer(context, message);
  rejectUnprocessed(kernel, state);
  afterAnswer(kernel, state, request, false);
  return () => ({ resetHistoryEventId: long(lastKept) });
}

function applyAnswer(
  kernel: Kernel,
  state: MutableState,
  task: WorkflowTaskRecord,
  request: Request,
): Respond {
  const { record } = state;
  state.writePromisedTask();
  const startedEventId = task.startedEventId ?? 0;
  const buildId = request.workerVersionStamp?.buildId || task.buildId;
  const completed = state.append({
    workflowTaskCompletedEventAttributes: {
      scheduledEventId: long(task.scheduledEventId),
      startedEventId: long(startedEventId),
      identity: request.identity ?? '',
      workerVersion: request.workerVersionStamp ?? null,
      sdkMetadata: request.sdkMetadata ?? null,
      meteringMetadata: request.meteringMetadata ?? null,
    },
  });
  record.lastStartedEventId = startedEventId;
  if (buildId) noteBuildId(kernel, state, buildId, toNumber(completed.eventId));
  delete record.workflowTask;
  setStickiness(state, request);
  const context = makeContext(kernel, state, request, toNumber(completed.eventId));
  applyCommands(context, request.commands ?? []);
  for (const message of context.messages.values()) applyUpdateAnswer(context, message);
  if (!state.isRunning) {
    answerQueries(kernel, state.ref, request.queryResults);
    return () => ({});
  }
  rejectUnprocessed(kernel, state);
  const eager = startEagerActivities(context);
  const inline = afterAnswer(kernel, state, request, context.wake);
  return () => ({
    ...(eager.length > 0 && {
      activityTasks: eager.map((activity) => activityTaskResponse(kernel, state, activity)),
    }),
    ...(inline && { workflowTask: workflowTaskResponse(kernel, state, state.record.sticky !== undefined) }),
  });
}

/**
 * Gives the run its next task if it needs one: for events kept back meanwhile, for updates that nobody has been told of,
 * or because the worker asks for one to keep a long local activity alive. True when the answer takes it along.
 */
function afterAnswer(kernel: Kernel, state: MutableState, request: Request, wake: boolean): boolean {
  const { record, ref } = state;
  answerQueries(kernel, ref, request.queryResults);
  const heartbeat = request.forceCreateNewWorkflowTask === true;
  const updates = kernel.updates.unsent(ref).length > 0;
  if (wake || heartbeat || updates || state.hasBufferedEvents) {
    const onlyUpdates = updates && !wake && !heartbeat && !state.hasBufferedEvents;
    scheduleWorkflowTask(kernel, state, {
      speculative: onlyUpdates && request.returnNewWorkflowTask !== true,
    });
  }
  const next = record.workflowTask;
  if (!next) {
    releaseQueries(kernel, state);
    return false;
  }
  if (request.returnNewWorkflowTask !== true || next.kind !== 'normal') return false;
  const buildId = request.workerVersionStamp?.buildId || undefined;
  handOut(kernel, state, next, { identity: request.identity ?? '', buildId }, INLINE_REQUEST_ID);
  return true;
}

function makeContext(
  kernel: Kernel,
  state: MutableState,
  request: Request,
  completedEventId: number,
): CommandContext {
  return {
    kernel,
    state,
    identity: request.identity ?? '',
    completedEventId,
    messages: new Map((request.messages ?? []).map((message) => [message.id ?? '', message])),
    eager: [],
    wake: false,
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

function noteBuildId(kernel: Kernel, state: MutableState, buildId: string, completedEventId: number): void {
  if (state.record.lastBuildId === buildId) return;
  addResetPoint(kernel, state, buildId, completedEventId);
  state.record.lastBuildId = buildId;
  state.visibilityChanged = true;
}
