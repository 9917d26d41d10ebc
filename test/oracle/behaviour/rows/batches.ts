import type { Request, Row, RowClient } from '../row-client.ts';
import { NO_RUN } from './values.ts';

const operation = (s: RowClient, more: Request = {}): Request => ({
  jobId: s.id('job'),
  reason: 'why',
  visibilityQuery: `WorkflowId = '${s.id('nobody')}'`,
  terminationOperation: { identity: 'me' },
  ...more,
});

const wrong: readonly [string, (s: RowClient) => Request][] = [
  ['job id empty', () => ({ jobId: '' })],
  ['reason empty', () => ({ reason: '' })],
  ['neither query nor runs', () => ({ visibilityQuery: '' })],
  ['query and runs', (s) => ({ executions: [{ workflowId: s.id('w') }] })],
  ['query that is none', () => ({ visibilityQuery: 'this is none' })],
  ['no operation', () => ({ terminationOperation: undefined })],
  ['namespace unknown', () => ({ namespace: 'nowhere' })],
  ['signal without a name', () => ({ terminationOperation: undefined, signalOperation: {} })],
  ['reset without a kind', () => ({ terminationOperation: undefined, resetOperation: {} })],
  [
    'options without a field',
    () => ({ terminationOperation: undefined, updateWorkflowOptionsOperation: {} }),
  ],
  [
    'unpause without an activity',
    () => ({ terminationOperation: undefined, unpauseActivitiesOperation: {} }),
  ],
  ['a run without an id', () => ({ visibilityQuery: '', executions: [{}] })],
];

export const batches: readonly Row[] = [
  ...wrong.map(([name, more]): Row => ({
    name: `batch: ${name}`,
    run: (s) => s.call('startBatchOperation', operation(s, more(s))),
  })),
  {
    name: 'batch: the job is not there',
    run: async (s) => {
      await s.call('describeBatchOperation', { jobId: 'nobody' });
      await s.call('describeBatchOperation', { jobId: '' });
      await s.call('describeBatchOperation', { namespace: 'nowhere', jobId: 'nobody' });
      await s.call('stopBatchOperation', { jobId: 'nobody', reason: 'why' });
      await s.call('stopBatchOperation', { jobId: '', reason: 'why' });
      await s.call('stopBatchOperation', { jobId: 'nobody' });
      await s.call('listBatchOperations', { namespace: 'nowhere' });
    },
  },
  {
    name: 'batch: terminates a run by its id',
    run: async (s) => {
      const { workflowId, runId } = await s.start();
      await s.call(
        'startBatchOperation',
        operation(s, { visibilityQuery: '', executions: [{ workflowId, runId }] }),
      );
      await s.until(workflowId, (types) => types.some((type) => type.includes('TERMINATED')));
      await s.history(workflowId);
    },
  },
  {
    name: 'batch: signals a run',
    run: async (s) => {
      const { workflowId, runId } = await s.start();
      await s.call(
        'startBatchOperation',
        operation(s, {
          visibilityQuery: '',
          executions: [{ workflowId, runId }],
          terminationOperation: undefined,
          signalOperation: { signal: 'sig', identity: 'me' },
        }),
      );
      await s.until(workflowId, (types) => types.some((type) => type.includes('SIGNALED')));
      await s.history(workflowId);
    },
  },
  {
    name: 'batch: the same job twice',
    run: async (s) => {
      const executions = [{ workflowId: s.id('nobody'), runId: NO_RUN }];
      await s.call('startBatchOperation', operation(s, { visibilityQuery: '', executions }));
      await s.call('startBatchOperation', operation(s, { visibilityQuery: '', executions }));
    },
  },
];
