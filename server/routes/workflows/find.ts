import { z } from 'zod';
import { Query } from '@steadyhand/sessions';
import {
  type RunName,
  workflow,
  workflowComparison,
  workflowCount,
  workflowExplanation,
  workflowNamespace,
  workflowPage,
  workflowRunPage,
  taskQueue,
  payload,
} from '@steadyhand/temporal/shapes';
import { requireWorkflowAccess, workflowAccessOf } from '../../auth/workflow-access.ts';
import { FAULTS, limit, page, pageOf, route, runId, runOf } from './route.ts';

const query = z
  .string()
  .describe('In the server’s query language, e.g. `WorkflowType = "session" AND ExecutionStatus = "Running"`')
  .optional();

const listShape = { query, limit: limit(200, 50), page };
const runsShape = { limit: limit(100, 20), page };
const payloadShape = {
  run_id: runId,
  event_id: z.int().min(1).describe('The event that it stands in; without one, the description').optional(),
  path: z.string().min(1).describe('The fields down to it, with dots between'),
};
const compareShape = {
  left: z.string().min(1).describe('A workflow’s id'),
  left_run_id: runId,
  right: z.string().min(1).describe('A workflow’s id, also the same one'),
  right_run_id: runId,
  ignore: z.array(z.string()).describe('Paths in the context that may differ, such as ids').optional(),
};
const explainShape = {
  run_id: runId,
  limit: limit(1000, 200),
  page,
  from_step: z.int().min(1).default(1).describe('Begins with the step of this number'),
  after_event: z
    .int()
    .min(0)
    .default(0)
    .describe('The `last_event_id` of an earlier answer: only steps that came or were changed since'),
  definition: z.boolean().default(true).describe('False leaves out `definition` and `event_schemas`'),
};

/** The routes that find workflows and tell what they are. */
export const findRoutes = [
  route('GET /v1/workflow_namespace', 'retrieveWorkflowNamespace', 'Retrieve the namespace', {
    description: 'What its queries may name, and what its engine can do.',
    answer: workflowNamespace,
    errors: FAULTS,
    handle: async ({ workflows }, { res }) => {
      requireWorkflowAccess(res, 'read');
      const access = workflowAccessOf(res) === 'act' ? ('act' as const) : ('read' as const);
      return { ...(await workflows.namespace()), access };
    },
  }),
  route('GET /v1/workflows', 'listWorkflows', 'List workflows', {
    description: 'All runs of the namespace that the query finds, newest first.',
    query: listShape,
    answer: workflowPage,
    errors: FAULTS,
    handle: ({ workflows }, { search, res }) => {
      requireWorkflowAccess(res, 'read');
      return workflows.list(new Query(search, listShape).text('query') ?? '', pageOf(search, listShape));
    },
  }),
  route('GET /v1/workflow_count', 'countWorkflows', 'Count workflows', {
    description: 'All that the query finds, and how many have which status.',
    query: { query },
    answer: workflowCount,
    errors: FAULTS,
    handle: ({ workflows }, { search, res }) => {
      requireWorkflowAccess(res, 'read');
      return workflows.count(new Query(search, { query }).text('query') ?? '');
    },
  }),
  route('GET /v1/workflows/{workflow_id}', 'retrieveWorkflow', 'Retrieve a workflow', {
    description: 'Everything about one run: what it waits for, why it has failed, what came before it.',
    query: { run_id: runId },
    answer: workflow,
    errors: FAULTS,
    handle: ({ workflows }, call) => workflows.describe(runOf(call)),
  }),
  route('GET /v1/workflows/{workflow_id}/runs', 'listWorkflowRuns', 'List the runs of a workflow', {
    description: 'Newest first, each with the run that it continues.',
    query: runsShape,
    answer: workflowRunPage,
    errors: FAULTS,
    handle: ({ workflows }, call) => workflows.runs(runOf(call).workflowId, pageOf(call.search, runsShape)),
  }),
  route('GET /v1/workflows/{workflow_id}/payload', 'retrieveWorkflowPayload', 'Retrieve a payload whole', {
    description: 'Other answers show the beginning of a large one, and lead here by `href`.',
    query: payloadShape,
    answer: payload,
    errors: FAULTS,
    handle: ({ workflows }, call) => {
      const run = runOf(call);
      const asked = new Query(call.search, payloadShape);
      return workflows.payload(run, {
        eventId: asked.integer('event_id') ?? null,
        path: asked.choice('path'),
      });
    },
  }),
  route('GET /v1/workflows/{workflow_id}/explanation', 'explainWorkflow', 'Explain a durable actor', {
    description:
      'The macrosteps of a workflow made by `machineWorkflow`: event in, state from and to, guards, effects; and its machine’s ' +
      'definition. Histories of up to 50,000 events are explained; of a longer one `reason` says so. Whoever follows a run ' +
      'asks with `after_event`, which costs what is new alone.',
    query: explainShape,
    answer: workflowExplanation,
    errors: FAULTS,
    handle: ({ workflows }, call) => {
      const run = runOf(call);
      const query = new Query(call.search, explainShape);
      return workflows.explain(run, {
        ...pageOf(call.search, explainShape),
        fromStep: query.integer('from_step'),
        afterEvent: query.integer('after_event'),
        definition: query.boolean('definition'),
      });
    },
  }),
  route('GET /v1/workflow_comparison', 'compareWorkflows', 'Compare two runs', {
    description: 'How many macrosteps two runs of a durable actor have in common, and by which they part.',
    query: compareShape,
    answer: workflowComparison,
    errors: FAULTS,
    handle: ({ workflows }, { search, res }) => {
      requireWorkflowAccess(res, 'read');
      const query = new Query(search, compareShape);
      const side = (name: 'left' | 'right'): RunName => ({
        workflowId: query.choice(name),
        runId: query.text(`${name}_run_id`) ?? null,
      });
      return workflows.compare(side('left'), side('right'), query.texts('ignore') ?? []);
    },
  }),
  route('GET /v1/task_queues/{name}', 'retrieveTaskQueue', 'Retrieve a task queue', {
    description: 'Who polls it, and what waits in it.',
    answer: taskQueue,
    errors: FAULTS,
    handle: ({ workflows }, { params, res }) => {
      requireWorkflowAccess(res, 'read');
      return workflows.taskQueue(params.name);
    },
  }),
];
