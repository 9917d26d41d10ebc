import {
  batchBody,
  cancelBody,
  queryBody,
  resetBody,
  signalBody,
  stackTrace,
  terminateBody,
  updateBody,
  workflowAction,
  workflowBatch,
  workflowInterface,
  workflowQuery,
  workflowReset,
  workflowUpdate,
} from '@steadyhand/temporal/shapes';
import { requireWorkflowAccess } from '../../auth/workflow-access.ts';
import { json, optional } from '../../routing/shapes.ts';
import { actor, FAULTS, route, runId, runOf } from './route.ts';

/** The routes by which workflows are asked and acted on. */
export const actRoutes = [
  route(
    'GET /v1/workflows/{workflow_id}/stack_trace',
    'retrieveWorkflowStackTrace',
    'Retrieve a stack trace',
    {
      description: 'Where the workflow’s code stands now, as a worker tells it.',
      query: { run_id: runId },
      answer: stackTrace,
      errors: FAULTS,
      handle: ({ workflows }, call) => workflows.stackTrace(runOf(call)),
    },
  ),
  route('GET /v1/workflows/{workflow_id}/interface', 'retrieveWorkflowInterface', 'Retrieve what it takes', {
    description: 'The names and descriptions of its queries, signals and updates, as a worker tells them.',
    query: { run_id: runId },
    answer: workflowInterface,
    errors: FAULTS,
    handle: ({ workflows }, call) => workflows.interface(runOf(call)),
  }),
  route('POST /v1/workflows/{workflow_id}/query', 'queryWorkflow', 'Query a workflow', {
    description: 'A key that may read is enough.',
    body: json(queryBody, { name: 'snapshot' }),
    answer: workflowQuery,
    errors: [409, ...FAULTS],
    handle: ({ workflows }, { params, body, res }) => {
      requireWorkflowAccess(res, 'read');
      return workflows.query(params.workflow_id, body);
    },
  }),
  route('POST /v1/workflows/{workflow_id}/signal', 'signalWorkflow', 'Send a signal', {
    body: json(signalBody, { name: 'send', args: [{ type: 'pay' }] }),
    answer: workflowAction,
    errors: [409, ...FAULTS],
    handle: ({ workflows }, call) => workflows.signal(call.params.workflow_id, call.body, actor(call)),
  }),
  route('POST /v1/workflows/{workflow_id}/update', 'updateWorkflow', 'Send an update', {
    description: 'An update that the workflow rejects, or that fails, is an answer with its `failure`.',
    body: json(updateBody, { name: 'send', args: [{ type: 'pay' }] }),
    answer: workflowUpdate,
    errors: [409, ...FAULTS],
    handle: ({ workflows }, call) => workflows.update(call.params.workflow_id, call.body, actor(call)),
  }),
  route('POST /v1/workflows/{workflow_id}/cancel', 'cancelWorkflow', 'Ask a workflow to cancel', {
    body: optional(json(cancelBody, { reason: 'not needed any more' })),
    answer: workflowAction,
    errors: [409, ...FAULTS],
    handle: ({ workflows }, call) => workflows.cancel(call.params.workflow_id, call.body, actor(call)),
  }),
  route('POST /v1/workflows/{workflow_id}/terminate', 'terminateWorkflow', 'End a workflow at once', {
    description: 'Its code is not told.',
    body: optional(json(terminateBody, { reason: 'it hangs' })),
    answer: workflowAction,
    errors: [409, ...FAULTS],
    handle: ({ workflows }, call) => workflows.terminate(call.params.workflow_id, call.body, actor(call)),
  }),
  route('POST /v1/workflows/{workflow_id}/reset', 'resetWorkflow', 'Reset a workflow', {
    description:
      'A new run goes on from an event of this one, which ends. The embedded engine cannot: it answers 501.',
    body: json(resetBody, { to: 'last_workflow_task', reason: 'a worker with the fault repaired' }),
    answer: workflowReset,
    errors: [409, 501, ...FAULTS],
    handle: ({ workflows }, call) => workflows.reset(call.params.workflow_id, call.body, actor(call)),
  }),
  route('POST /v1/workflow_batches', 'createWorkflowBatch', 'Act on many workflows', {
    description:
      'Signals, cancels or terminates those listed, or all running ones that a query finds. Where the server has batch ' +
      'operations, a query is one of those and is asked after by its id; else each is done before the answer.',
    body: json(batchBody, { action: 'cancel', query: 'WorkflowType = "session"', reason: 'maintenance' }),
    answer: workflowBatch,
    errors: FAULTS,
    handle: ({ workflows }, call) => workflows.startBatch(call.body, actor(call)),
  }),
  route('GET /v1/workflow_batches/{batch_id}', 'retrieveWorkflowBatch', 'Retrieve such a batch', {
    answer: workflowBatch,
    errors: [501, ...FAULTS],
    handle: ({ workflows }, { params, res }) => {
      requireWorkflowAccess(res, 'read');
      return workflows.batch(params.batch_id);
    },
  }),
];
