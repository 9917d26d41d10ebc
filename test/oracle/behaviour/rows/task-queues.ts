import type { Method, Request, Row } from '../row-client.ts';
import { long } from './values.ts';

const single: readonly [Method, string, Request][] = [
  ...(['pollWorkflowTaskQueue', 'pollActivityTaskQueue'] as const).flatMap(
    (method): [Method, string, Request][] => [
      [method, 'queue unset', {}],
      [method, 'queue empty', { taskQueue: { name: '' } }],
      [method, 'queue reserved', { taskQueue: { name: '/_sys/x' } }],
      [method, 'queue of 1001', { taskQueue: { name: long(1001) } }],
      [method, 'namespace unknown', { namespace: 'nowhere', taskQueue: { name: 'q' } }],
      [method, 'namespace empty', { namespace: '', taskQueue: { name: 'q' } }],
      [method, 'identity of 1001', { taskQueue: { name: 'q' }, identity: long(1001) }],
      [
        method,
        'deployment without a name',
        {
          taskQueue: { name: 'q' },
          deploymentOptions: { workerVersioningMode: 'WORKER_VERSIONING_MODE_VERSIONED', buildId: 'b' },
        },
      ],
      [
        method,
        'deployment without a build',
        {
          taskQueue: { name: 'q' },
          deploymentOptions: {
            workerVersioningMode: 'WORKER_VERSIONING_MODE_VERSIONED',
            deploymentName: 'd',
          },
        },
      ],
    ],
  ),
  [
    'pollWorkflowTaskQueue',
    'sticky without a normal name',
    { taskQueue: { name: 'row-sticky', kind: 'TASK_QUEUE_KIND_STICKY' } },
  ],
  ['describeTaskQueue', 'queue unset', {}],
  ['describeTaskQueue', 'queue empty', { taskQueue: { name: '' } }],
  ['describeTaskQueue', 'namespace unknown', { namespace: 'nowhere', taskQueue: { name: 'q' } }],
  ['describeTaskQueue', 'nobody polls', { taskQueue: { name: 'row-nobody-polls' }, taskQueueType: 1 }],
  ['describeTaskQueue', 'no type', { taskQueue: { name: 'row-nobody-polls' } }],
  [
    'describeTaskQueue',
    'enhanced',
    { taskQueue: { name: 'row-nobody-polls' }, apiMode: 1, reportPollers: true },
  ],
  ['listTaskQueuePartitions', 'queue unset', {}],
  ['listTaskQueuePartitions', 'a queue', { taskQueue: { name: 'row-nobody-polls' } }],
  ['listTaskQueuePartitions', 'namespace unknown', { namespace: 'nowhere', taskQueue: { name: 'q' } }],
  ['resetStickyTaskQueue', 'execution unset', {}],
  ['resetStickyTaskQueue', 'workflow unknown', { execution: { workflowId: 'row-unknown' } }],
  ['listWorkers', 'namespace unknown', { namespace: 'nowhere' }],
  ['listWorkers', 'query that is none', { query: 'this is none' }],
  ['listWorkers', 'attribute unknown', { query: "Nope = 'x'" }],
  ['listWorkers', 'nobody', { query: "TaskQueue = 'row-nobody-polls'" }],
  ['describeWorker', 'unknown', { workerInstanceKey: 'row-unknown' }],
  ['describeWorker', 'key empty', {}],
  ['recordWorkerHeartbeat', 'namespace unknown', { namespace: 'nowhere' }],
  ['shutdownWorker', 'sticky queue unset', {}],
  ['shutdownWorker', 'namespace unknown', { namespace: 'nowhere' }],
  ['listWorkerDeployments', 'namespace unknown', { namespace: 'nowhere' }],
  ['describeWorkerDeployment', 'unknown', { deploymentName: 'row-unknown' }],
  ['describeWorkerDeployment', 'name empty', {}],
  ['describeWorkerDeploymentVersion', 'unset', {}],
  [
    'describeWorkerDeploymentVersion',
    'unknown',
    { deploymentVersion: { deploymentName: 'row-unknown', buildId: 'b' } },
  ],
  ['setWorkerDeploymentCurrentVersion', 'unknown', { deploymentName: 'row-unknown', buildId: 'b' }],
  ['setWorkerDeploymentCurrentVersion', 'name empty', {}],
  [
    'setWorkerDeploymentRampingVersion',
    'unknown',
    { deploymentName: 'row-unknown', buildId: 'b', percentage: 5 },
  ],
  [
    'setWorkerDeploymentRampingVersion',
    'beyond 100',
    { deploymentName: 'row-unknown', buildId: 'b', percentage: 500 },
  ],
  ['deleteWorkerDeployment', 'unknown', { deploymentName: 'row-unknown' }],
  ['deleteWorkerDeployment', 'name empty', {}],
  ['deleteWorkerDeploymentVersion', 'unset', {}],
  [
    'deleteWorkerDeploymentVersion',
    'unknown',
    { deploymentVersion: { deploymentName: 'row-unknown', buildId: 'b' } },
  ],
];

export const taskQueues: readonly Row[] = [
  ...single.map(([method, name, request]): Row => ({
    name: `${method}: ${name}`,
    run: (s) => s.call(method, request),
  })),
  {
    name: 'poll: the task that a worker gets',
    run: async (s) => {
      await s.start({ header: { fields: {} } });
      await s.do('signalWorkflowExecution', {
        workflowExecution: { workflowId: s.id('w') },
        signalName: 'sig',
      });
      await s.call('pollWorkflowTaskQueue', { taskQueue: { name: s.queue }, identity: 'worker' });
    },
  },
  {
    name: 'sticky queue: reset',
    run: async (s) => {
      await s.start();
      await s.call('resetStickyTaskQueue', { execution: { workflowId: s.id('w') } });
    },
  },
  {
    name: 'pause and unpause of a run',
    run: async (s) => {
      const { workflowId } = await s.start();
      await s.call('pauseWorkflowExecution', { workflowId, identity: 'me', reason: 'why', requestId: 'one' });
      await s.call('pauseWorkflowExecution', { workflowId, identity: 'me', reason: 'why', requestId: 'two' });
      await s.call('describeWorkflowExecution', { execution: { workflowId } });
      await s.call('unpauseWorkflowExecution', {
        workflowId,
        identity: 'me',
        reason: 'on',
        requestId: 'three',
      });
      await s.call('unpauseWorkflowExecution', {
        workflowId,
        identity: 'me',
        reason: 'on',
        requestId: 'four',
      });
      await s.call('pauseWorkflowExecution', {}, 'pause without an id');
      await s.call('pauseWorkflowExecution', { workflowId: s.id('unknown') }, 'pause of an unknown run');
      await s.history(workflowId);
    },
  },
  {
    name: 'update with start: what is wrong with the operations',
    run: async (s) => {
      const startWorkflow = s.startRequest();
      const updateWorkflow = {
        workflowExecution: { workflowId: s.id('w') },
        request: { meta: { updateId: 'u' }, input: { name: 'up' } },
        waitPolicy: { lifecycleStage: 'UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ACCEPTED' },
      };
      const namespaced = (o: Request): Request => ({ namespace: s.namespace, ...o });
      const start = { startWorkflow: namespaced(startWorkflow) };
      const update = { updateWorkflow: namespaced(updateWorkflow) };
      await s.call('executeMultiOperation', { operations: [] }, 'none');
      await s.call('executeMultiOperation', { operations: [start] }, 'start alone');
      await s.call('executeMultiOperation', { operations: [update, start] }, 'the other order');
      await s.call('executeMultiOperation', { operations: [start, start] }, 'start twice');
      await s.call('executeMultiOperation', { operations: [start, {}] }, 'an operation that is none');
      await s.call(
        'executeMultiOperation',
        { operations: [start, { updateWorkflow: { ...namespaced(updateWorkflow), request: null } }] },
        'update without a request',
      );
      await s.call(
        'executeMultiOperation',
        { operations: [{ startWorkflow: { ...namespaced(startWorkflow), workflowType: null } }, update] },
        'start without a type',
      );
      await s.call(
        'executeMultiOperation',
        { operations: [{ startWorkflow: { ...namespaced(startWorkflow), cronSchedule: '@daily' } }, update] },
        'start with a cron schedule',
      );
      await s.call(
        'executeMultiOperation',
        { operations: [{ startWorkflow: { ...namespaced(startWorkflow), workflowId: s.id('x') } }, update] },
        'another id',
      );
      await s.call(
        'executeMultiOperation',
        { namespace: 'nowhere', operations: [start, update] },
        'namespace unknown',
      );
    },
  },
];
