import type { Method, Request, Row, RowClient } from '../row-client.ts';
import { NO_RUN, completion, payloads } from './values.ts';

type Ending = 'requestCancelWorkflowExecution' | 'terminateWorkflowExecution' | 'deleteWorkflowExecution';
const endings: readonly Ending[] = [
  'requestCancelWorkflowExecution',
  'terminateWorkflowExecution',
  'deleteWorkflowExecution',
];
const execution = (s: RowClient, more: Request = {}): Request => ({
  workflowExecution: { workflowId: s.id('w'), ...more },
});

const ending = (method: Ending, name: string, request: (s: RowClient) => Request): Row => ({
  name: `${method}: ${name}`,
  run: async (s) => {
    await s.start();
    await s.call(method, { ...execution(s), ...request(s) });
    if (method !== 'deleteWorkflowExecution') await s.history(s.id('w'));
  },
});

const twice = (method: Ending): Row => ({
  name: `${method}: twice`,
  run: async (s) => {
    await s.start();
    await s.call(method, execution(s));
    await s.call(method, execution(s));
    await s.history(s.id('w'));
  },
});

const closed = (method: Method, request: (s: RowClient) => Request): Row => ({
  name: `${method}: a closed run`,
  run: async (s) => {
    await s.start();
    await s.complete(await s.task(), [completion]);
    await s.call(method, request(s));
  },
});

export const ends: readonly Row[] = [
  ...endings.flatMap((method) => [
    ending(method, 'by workflow id', () => ({})),
    ending(method, 'execution unset', () => ({ workflowExecution: null })),
    ending(method, 'workflow id empty', () => ({ workflowExecution: { workflowId: '' } })),
    ending(method, 'workflow id unknown', (s) => ({ workflowExecution: { workflowId: s.id('unknown') } })),
    ending(method, 'run unknown', (s) => execution(s, { runId: NO_RUN })),
    ending(method, 'run id that is none', (s) => execution(s, { runId: 'run' })),
    ending(method, 'namespace unknown', () => ({ namespace: 'nowhere' })),
  ]),
  twice('requestCancelWorkflowExecution'),
  twice('terminateWorkflowExecution'),
  closed('requestCancelWorkflowExecution', execution),
  closed('terminateWorkflowExecution', execution),
  ending('requestCancelWorkflowExecution', 'reason, identity, first run', () => ({
    reason: 'because',
    identity: 'me',
    requestId: 'r',
    links: [{ workflowEvent: { namespace: 'default', workflowId: 'x', runId: NO_RUN } }],
  })),
  ending('requestCancelWorkflowExecution', 'first run is another', () => ({ firstExecutionRunId: NO_RUN })),
  ending('requestCancelWorkflowExecution', 'first run id that is none', () => ({ firstExecutionRunId: 'x' })),
  ending('terminateWorkflowExecution', 'reason, identity, details', () => ({
    reason: 'because',
    identity: 'me',
    details: payloads('d'),
  })),
  ending('terminateWorkflowExecution', 'first run is another', () => ({ firstExecutionRunId: NO_RUN })),
  {
    name: 'terminate: while a task is out, which is then answered',
    run: async (s) => {
      await s.start();
      const { taskToken } = await s.task();
      await s.do('terminateWorkflowExecution', execution(s));
      await s.call('respondWorkflowTaskCompleted', { taskToken, commands: [completion] });
      await s.call('respondWorkflowTaskFailed', { taskToken });
      await s.history(s.id('w'));
    },
  },
  {
    name: 'cancel: the same request id, and another',
    run: async (s) => {
      await s.start();
      await s.call('requestCancelWorkflowExecution', { ...execution(s), requestId: 'one' });
      await s.call('requestCancelWorkflowExecution', { ...execution(s), requestId: 'one' });
      await s.call('requestCancelWorkflowExecution', { ...execution(s), requestId: 'two' });
      await s.history(s.id('w'));
    },
  },
];
