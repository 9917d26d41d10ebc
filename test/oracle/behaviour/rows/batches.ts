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
    alone: true,
    run: async (s) => {
      const { workflowId, runId } = await s.start();
      await s.call(
        'startBatchOperation',
        operation(s, { visibilityQuery: '', executions: [{ workflowId, runId }] }),
      );
      // Who ended it is the server's own worker there, and whoever asked for the job here.
      await s.until(workflowId, (types) => types.some((type) => type.includes('TERMINATED')));
      await jobEnded(s);
    },
  },
  {
    name: 'batch: signals a run',
    alone: true,
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
      await jobEnded(s);
      await s.history(workflowId);
    },
  },
  {
    name: 'batch: the job of before again',
    alone: true,
    run: async (s) => {
      const executions = [{ workflowId: s.id('nobody'), runId: NO_RUN }];
      await s.do('startBatchOperation', operation(s, { visibilityQuery: '', executions }));
      await jobEnded(s);
      await s.call('startBatchOperation', operation(s, { visibilityQuery: '', executions }));
    },
  },
];

/** Waits until no job of the namespace runs, as another one is refused until then. */
async function jobEnded(s: RowClient): Promise<void> {
  await s.listed("TemporalNamespaceDivision = 'TemporalBatcher' AND ExecutionStatus = 'Running'", 0);
}
