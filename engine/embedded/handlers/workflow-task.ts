import { requireVersion, workerVersion } from '../deployments/version.ts';
import { checkIdentity } from '../protocol/id-length.ts';
import { TaskQueueKind, TaskQueueType } from '../protocol/proto.ts';
import { settleQuery } from '../queries/dispatch.ts';
import { notFound } from '../protocol/rpc-error.ts';
import { checkTokenNamespace, decodeQueryTaskToken, decodeRunTaskToken } from '../protocol/task-token.ts';
import { findRun } from '../runs/find-run.ts';
import { validTaskQueue } from '../protocol/task-queue-name.ts';
import {
  type CompletionServices,
  completeWorkflowTask,
  findStartedTask,
} from '../workflow-tasks/complete.ts';
import { failWorkflowTask } from '../workflow-tasks/fail.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import { type PollServices, pollTask } from './task-poll.ts';

/** The methods by which workers get workflow tasks and answer them. */
export function workflowTaskHandlers(services: CompletionServices & PollServices): WorkflowHandlers {
  const { runs, queries, namespaces, matching, deployments } = services;
  return {
    PollWorkflowTaskQueue: async (request, call) => {
      const { name: namespace } = namespaces.get(request.namespace ?? '');
      checkIdentity(request.identity);
      requireVersion(request.deploymentOptions);
      const name = validTaskQueue(request.taskQueue);
      const version = workerVersion(request.deploymentOptions);
      const isSticky = request.taskQueue?.kind === TaskQueueKind.TASK_QUEUE_KIND_STICKY;
      if (version && !isSticky)
        deployments.notePoll(namespace, version, name, TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW);
      // A sticky queue is one worker's, whatever its version.
      const findQueue = () => matching.workflowQueue(namespace, name, isSticky ? undefined : version);
      return (await pollTask(services, call, findQueue, request)) ?? {};
    },
    RespondWorkflowTaskCompleted: (request) => completeWorkflowTask(services, request),
    RespondWorkflowTaskFailed: (request) => {
      if (request.namespace) namespaces.get(request.namespace);
      const token = decodeRunTaskToken(request.taskToken, 'workflow');
      checkTokenNamespace(token, request.namespace);
      checkIdentity(request.identity);
      if (runs.peek(token)?.isRunning === false) throw notFound('workflow execution already completed');
      const started = findStartedTask(runs, token);
      runs.transact(() => {
        const state = runs.edit(started.ref);
        if (!state) return;
        failWorkflowTask(state, {
          cause: request.cause ?? 0,
          failure: request.failure ?? null,
          identity: request.identity ?? '',
        });
      });
      return {};
    },
    RespondQueryTaskCompleted: (request) => {
      const query = queries.find(decodeQueryTaskToken(request.taskToken).queryId);
      if (!query) throw notFound('query task not found, or already expired');
      settleQuery(query, {
        resultType: request.completedType ?? null,
        answer: request.queryResult ?? null,
        errorMessage: request.errorMessage ?? null,
        failure: request.failure ?? null,
      });
      return {};
    },
    ResetStickyTaskQueue: (request) => {
      const found = findRun(services, request.namespace, request.execution);
      runs.transact(() => {
        const state = runs.edit(found.ref);
        if (state) delete state.record.sticky;
      });
      return {};
    },
  };
}
