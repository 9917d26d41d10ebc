import type { temporal } from '@temporalio/proto';
import { settleQuery } from '../queries/answer.ts';
import { notFound } from '../protocol/rpc-error.ts';
import { decodeQueryTaskToken, decodeRunTaskToken } from '../protocol/task-token.ts';
import { findRun } from '../runs/find-run.ts';
import { validTaskQueue } from '../runs/start-request.ts';
import {
  type CompletionServices,
  completeWorkflowTask,
  findStartedTask,
} from '../workflow-tasks/complete.ts';
import { failWorkflowTask } from '../workflow-tasks/fail.ts';
import type { Call, Handlers } from '../rpc/call.ts';
import { type PollServices, pollTask } from './task-poll.ts';

type PollRequest = temporal.api.workflowservice.v1.IPollWorkflowTaskQueueRequest;
type CompletedRequest = temporal.api.workflowservice.v1.IRespondWorkflowTaskCompletedRequest;
type FailedRequest = temporal.api.workflowservice.v1.IRespondWorkflowTaskFailedRequest;
type QueryCompletedRequest = temporal.api.workflowservice.v1.IRespondQueryTaskCompletedRequest;
type ResetStickyRequest = temporal.api.workflowservice.v1.IResetStickyTaskQueueRequest;

/** The methods by which workers get workflow tasks and answer them. */
export function workflowTaskHandlers(services: CompletionServices & PollServices): Handlers {
  const { runs, queries, namespaces, matching } = services;
  return {
    PollWorkflowTaskQueue: async (request: PollRequest, call: Call) => {
      const { name: namespace } = namespaces.get(request.namespace ?? '');
      const name = validTaskQueue(request.taskQueue);
      const findQueue = () => matching.workflowQueue(namespace, name);
      return (await pollTask(services, call, findQueue, request)) ?? {};
    },
    RespondWorkflowTaskCompleted: (request: CompletedRequest) => completeWorkflowTask(services, request),
    RespondWorkflowTaskFailed: (request: FailedRequest) => {
      const token = decodeRunTaskToken(request.taskToken, 'workflow');
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
    RespondQueryTaskCompleted: (request: QueryCompletedRequest) => {
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
    ResetStickyTaskQueue: (request: ResetStickyRequest) => {
      const found = findRun(services, request.namespace, request.execution);
      runs.transact(() => {
        const state = runs.edit(found.ref);
        if (state) delete state.record.sticky;
      });
      return {};
    },
  };
}
