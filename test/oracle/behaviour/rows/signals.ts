import type { Request, Row, RowClient } from '../row-client.ts';
import { NO_RUN, completion, json, long, payloads, seconds } from './values.ts';

const execution = (s: RowClient, more: Request = {}): Request => ({
  workflowExecution: { workflowId: s.id('w'), ...more },
});

/** A signal to an open run, and the run's history. */
const signal = (name: string, request: (s: RowClient) => Request): Row => ({
  name: `signal: ${name}`,
  run: async (s) => {
    await s.start();
    await s.call('signalWorkflowExecution', {
      ...execution(s),
      signalName: 'sig',
      identity: 'me',
      ...request(s),
    });
    await s.history(s.id('w'));
  },
});

const together = (name: string, request: Request): Row => ({
  name: `signal with start: ${name}`,
  run: async (s) => {
    await s.call('signalWithStartWorkflowExecution', { ...s.startRequest(), signalName: 'sig', ...request });
    const started = s.answers[0]?.error === undefined;
    if (started) await s.history(s.id('w'));
  },
});

const existing = (name: string, closed: boolean, request: Request): Row => ({
  name: `signal with start on ${closed ? 'a closed' : 'an open'} run: ${name}`,
  run: async (s) => {
    const { runId } = await s.start();
    if (closed) await s.complete(await s.task(), [completion]);
    await s.call('signalWithStartWorkflowExecution', { ...s.startRequest(), signalName: 'sig', ...request });
    await s.history(s.id('w'), runId);
  },
});

const REUSE = 'WORKFLOW_ID_REUSE_POLICY_';
const CONFLICT = 'WORKFLOW_ID_CONFLICT_POLICY_';

export const signals: readonly Row[] = [
  signal('with input and header', () => ({ input: payloads('x'), header: { fields: { h: json(1) } } })),
  signal('name empty', () => ({ signalName: '' })),
  signal('name of 1001', () => ({ signalName: long(1001) })),
  signal('request id of 1001', () => ({ requestId: long(1001) })),
  signal('execution unset', () => ({ workflowExecution: null })),
  signal('workflow id empty', () => ({ workflowExecution: { workflowId: '' } })),
  signal('workflow id unknown', (s) => ({ workflowExecution: { workflowId: s.id('unknown') } })),
  signal('run unknown', (s) => execution(s, { runId: NO_RUN })),
  signal('run id that is none', (s) => execution(s, { runId: 'run' })),
  signal('namespace unknown', () => ({ namespace: 'nowhere' })),
  signal('namespace empty', () => ({ namespace: '' })),
  signal('input over 2 MiB', () => ({ input: { payloads: [{ data: Buffer.alloc(2 * 1024 * 1024) }] } })),
  signal('a link', () => ({
    links: [{ workflowEvent: { namespace: 'default', workflowId: 'x', runId: NO_RUN } }],
  })),
  {
    name: 'signal: the same request id twice',
    run: async (s) => {
      await s.start();
      const request = { ...execution(s), signalName: 'sig', requestId: 'same' };
      await s.call('signalWorkflowExecution', request);
      await s.call('signalWorkflowExecution', request);
      await s.history(s.id('w'));
    },
  },
  {
    name: 'signal: a closed run',
    run: async (s) => {
      await s.start();
      await s.complete(await s.task(), [completion]);
      await s.call('signalWorkflowExecution', { ...execution(s), signalName: 'sig' });
    },
  },
  {
    name: 'signal: while a task is out',
    run: async (s) => {
      await s.start();
      const task = await s.task();
      await s.do('signalWorkflowExecution', { ...execution(s), signalName: 'one' });
      await s.do('signalWorkflowExecution', { ...execution(s), signalName: 'two' });
      await s.history(s.id('w'));
      await s.complete(task);
      await s.history(s.id('w'));
    },
  },
  {
    name: 'signal: during a start delay',
    run: async (s) => {
      await s.start({ workflowStartDelay: seconds(3600) });
      await s.do('signalWorkflowExecution', { ...execution(s), signalName: 'one' });
      await s.history(s.id('w'));
      await s.call('signalWithStartWorkflowExecution', { ...s.startRequest(), signalName: 'two' });
      await s.history(s.id('w'));
    },
  },
  together('new', { signalInput: payloads('x'), input: payloads('y'), header: { fields: { h: json(1) } } }),
  together('signal name empty', { signalName: '' }),
  together('signal name of 1001', { signalName: long(1001) }),
  together('workflow id empty', { workflowId: '' }),
  together('workflow type unset', { workflowType: null }),
  together('task queue unset', { taskQueue: null }),
  together('retry policy wrong', { retryPolicy: { backoffCoefficient: 0.1 } }),
  together('cron wrong', { cronSchedule: 'x' }),
  together('run timeout negative', { workflowRunTimeout: seconds(-1) }),
  together('search attribute unknown', { searchAttributes: { indexedFields: { Nope: json(1) } } }),
  together('start delay', { workflowStartDelay: seconds(3600) }),
  together('conflict policy FAIL', { workflowIdConflictPolicy: `${CONFLICT}FAIL` }),
  together('terminate-if-running with a conflict policy', {
    workflowIdReusePolicy: `${REUSE}TERMINATE_IF_RUNNING`,
    workflowIdConflictPolicy: `${CONFLICT}USE_EXISTING`,
  }),
  existing('by default', false, {}),
  existing('TERMINATE_EXISTING', false, { workflowIdConflictPolicy: `${CONFLICT}TERMINATE_EXISTING` }),
  existing('TERMINATE_IF_RUNNING', false, { workflowIdReusePolicy: `${REUSE}TERMINATE_IF_RUNNING` }),
  existing('REJECT_DUPLICATE', false, { workflowIdReusePolicy: `${REUSE}REJECT_DUPLICATE` }),
  existing('by default', true, {}),
  existing('REJECT_DUPLICATE', true, { workflowIdReusePolicy: `${REUSE}REJECT_DUPLICATE` }),
  existing('ALLOW_DUPLICATE_FAILED_ONLY', true, {
    workflowIdReusePolicy: `${REUSE}ALLOW_DUPLICATE_FAILED_ONLY`,
  }),
];
