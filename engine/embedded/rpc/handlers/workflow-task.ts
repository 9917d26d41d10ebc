import type { temporal } from '@temporalio/proto';
import type { Kernel } from '../../kernel.ts';
import { QueryResultType } from '../../proto.ts';
import { notFound } from '../errors.ts';
import { decodeQueryTaskToken, decodeRunTaskToken } from '../../task-token.ts';
import { findRun } from '../../workflow/find-run.ts';
import { validTaskQueue } from '../../workflow/start-request.ts';
import { completeWorkflowTask, findHeldTask } from '../../workflow-task/complete.ts';
import { failWorkflowTask } from '../../workflow-task/fail.ts';
import type { Call, Handlers } from '../call.ts';
import { pollTask } from './task-poll.ts';

type PollRequest = temporal.api.workflowservice.v1.IPollWorkflowTaskQueueRequest;
type CompletedRequest = temporal.api.workflowservice.v1.IRespondWorkflowTaskCompletedRequest;
type FailedRequest = temporal.api.workflowservice.v1.IRespondWorkflowTaskFailedRequest;
type QueryCompletedRequest = temporal.api.workflowservice.v1.IRespondQueryTaskCompletedRequest;
type ResetStickyRequest = temporal.api.workflowservice.v1.IResetStickyTaskQueueRequest;

/** What a worker asks and answers about workflow tasks. */
export function workflowTaskHandlers(kernel: Kernel): Handlers {
  return {
    PollWorkflowTaskQueue: async (request: PollRequest, call: Call) => {
      const { name: namespace } = kernel.namespaces.get(request.namespace ?? '');
      const name = validTaskQueue(request.taskQueue);
      const findQueue = () => kernel.matching.workflowQueue(namespace, name);
      return (await pollTask(kernel, call, findQueue, request)) ?? {};
    },
    RespondWorkflowTaskCompleted: (request: CompletedRequest) => completeWorkflowTask(kernel, request),
    RespondWorkflowTaskFailed: (request: FailedRequest) => {
      const token = decodeRunTaskToken(request.taskToken, 'workflow');
      if (kernel.runs.peek(token)?.isRunning === false)
        throw notFound('workflow execution already completed');
      const held = findHeldTask(kernel, token);
      kernel.runs.transact(() => {
        const state = kernel.runs.edit(held.ref);
        if (!state) return;
        failWorkflowTask(kernel, state, {
          cause: request.cause ?? 0,
          failure: request.failure ?? null,
          identity: request.identity ?? '',
        });
      });
      return {};
    },
    RespondQueryTaskCompleted: (request: QueryCompletedRequest) => {
      const query = kernel.queries.find(decodeQueryTaskToken(request.taskToken).queryId);
      if (!query) throw notFound('query task not found, or already expired');
      if (request.completedType === QueryResultType.QUERY_RESULT_TYPE_ANSWERED) {
        query.settle({ kind: 'answered', result: request.queryResult ?? null });
      } else {
        query.settle({
          kind: 'failed',
          message: request.errorMessage ?? '',
          failure: request.failure ?? null,
        });
      }
      return {};
    },
    ResetStickyTaskQueue: (request: ResetStickyRequest) => {
      const found = findRun(kernel, request.namespace, request.execution);
      kernel.runs.transact(() => {
        const state = kernel.runs.edit(found.ref);
        if (state) delete state.record.sticky;
      });
      return {};
    },
  };
}
