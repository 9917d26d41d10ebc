import type { Request, Row, RowClient } from '../row-client.ts';
import { NO_RUN, command, completion } from './values.ts';

const timer = command('startTimer', { timerId: 't', startToFireTimeout: { seconds: 3600 } });

/** A run with two tasks done, the second after a signal. */
async function run(s: RowClient, last: readonly Request[] = [completion]): Promise<void> {
  await s.start();
  await s.complete(await s.task(), [timer]);
  await s.do('signalWorkflowExecution', { workflowExecution: { workflowId: s.id('w') }, signalName: 'sig' });
  await s.complete(await s.task(), last);
}

const reset = (name: string, request: (s: RowClient) => Request, last?: readonly Request[]): Row => ({
  name: `reset: ${name}`,
  run: async (s) => {
    await run(s, last);
    const reply = await s.call('resetWorkflowExecution', {
      workflowExecution: { workflowId: s.id('w') },
      reason: 'why',
      requestId: 'r',
      workflowTaskFinishEventId: 4,
      ...request(s),
    });
    if (reply !== undefined) await s.history(s.id('w'), reply.runId);
  },
});

export const resets: readonly Row[] = [
  reset('a closed run', () => ({})),
  reset('an open run', () => ({}), []),
  reset('without a reason', () => ({ reason: '' })),
  reset('without a request id', () => ({ requestId: '' })),
  reset('event 0', () => ({ workflowTaskFinishEventId: 0 })),
  reset('event 1', () => ({ workflowTaskFinishEventId: 1 })),
  reset('event 3', () => ({ workflowTaskFinishEventId: 3 })),
  reset('event 5, a timer', () => ({ workflowTaskFinishEventId: 5 })),
  reset('event 99', () => ({ workflowTaskFinishEventId: 99 })),
  reset('the last task', () => ({ workflowTaskFinishEventId: 9 })),
  reset('execution unset', () => ({ workflowExecution: null })),
  reset('workflow unknown', (s) => ({ workflowExecution: { workflowId: s.id('unknown') } })),
  reset('run unknown', (s) => ({ workflowExecution: { workflowId: s.id('w'), runId: NO_RUN } })),
  reset('run id that is none', (s) => ({ workflowExecution: { workflowId: s.id('w'), runId: 'x' } })),
  reset('namespace unknown', () => ({ namespace: 'nowhere' })),
  reset('signals left out', () => ({ resetReapplyType: 'RESET_REAPPLY_TYPE_NONE' })),
  reset('signals excluded', () => ({ resetReapplyExcludeTypes: ['RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL'] })),
  reset('an unknown operation after it', () => ({ postResetOperations: [{}] })),
  reset('other options after it', () => ({
    postResetOperations: [
      {
        updateWorkflowOptions: {
          workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
          updateMask: { paths: ['versioning_override'] },
        },
      },
    ],
  })),
];
