import type { Request, Row, RowClient } from '../row-client.ts';
import { NO_RUN, command, completion } from './values.ts';

const garbage = Buffer.from([1, 2, 3]);

const wrong = (
  method: 'describeWorkflowExecution' | 'getWorkflowExecutionHistory' | 'getWorkflowExecutionHistoryReverse',
): Row[] =>
  (
    [
      ['execution unset', () => ({ execution: null })],
      ['workflow id empty', () => ({ execution: { workflowId: '' } })],
      ['workflow unknown', (s) => ({ execution: { workflowId: s.id('unknown') } })],
      ['run unknown', (s) => ({ execution: { workflowId: s.id('w'), runId: NO_RUN } })],
      ['run id that is none', (s) => ({ execution: { workflowId: s.id('w'), runId: 'x' } })],
      ['namespace unknown', () => ({ namespace: 'nowhere' })],
      ['namespace empty', () => ({ namespace: '' })],
      ['page token garbage', () => ({ nextPageToken: garbage })],
      ['page size negative', () => ({ maximumPageSize: -1 })],
    ] satisfies [string, (s: RowClient) => Request][]
  )
    .filter(([name]) => method !== 'describeWorkflowExecution' || !name.startsWith('page'))
    .map(([name, request]) => ({
      name: `${method}: ${name}`,
      run: async (s) => {
        await s.start();
        await s.call(method, { execution: { workflowId: s.id('w') }, ...request(s) });
      },
    }));

const filtered = (name: string, closed: boolean, more: Request): Row => ({
  name: `history of ${closed ? 'a closed' : 'an open'} run: ${name}`,
  run: async (s) => {
    await s.start();
    await s.complete(await s.task(), closed ? [completion] : []);
    await s.call('getWorkflowExecutionHistory', { execution: { workflowId: s.id('w') }, ...more });
  },
});
const close = { historyEventFilterType: 'HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT' };
const all = { historyEventFilterType: 'HISTORY_EVENT_FILTER_TYPE_ALL_EVENT' };

export const histories: readonly Row[] = [
  ...wrong('describeWorkflowExecution'),
  ...wrong('getWorkflowExecutionHistory'),
  ...wrong('getWorkflowExecutionHistoryReverse'),
  filtered('the close event', true, close),
  filtered('the close event, waited for', true, { ...close, waitNewEvent: true }),
  filtered('the close event', false, close),
  filtered('new events, waited for', true, { ...all, waitNewEvent: true }),
  filtered('new events, waited for', false, { ...all, waitNewEvent: true }),
  {
    name: 'history: page by page',
    run: async (s) => {
      await s.start();
      await s.complete(await s.task(), [
        command('startTimer', { timerId: 't', startToFireTimeout: { seconds: 9 } }),
      ]);
      let nextPageToken: Uint8Array | undefined;
      do {
        const page = await s.call('getWorkflowExecutionHistory', {
          execution: { workflowId: s.id('w') },
          maximumPageSize: 1,
          nextPageToken,
        });
        nextPageToken = page?.nextPageToken;
      } while (nextPageToken !== undefined && nextPageToken.length > 0);
    },
  },
  {
    name: 'history: page by page from the end',
    run: async (s) => {
      await s.start();
      await s.complete(await s.task(), [
        command('startTimer', { timerId: 't', startToFireTimeout: { seconds: 9 } }),
      ]);
      let nextPageToken: Uint8Array | undefined;
      do {
        const page = await s.call('getWorkflowExecutionHistoryReverse', {
          execution: { workflowId: s.id('w') },
          maximumPageSize: 2,
          nextPageToken,
        });
        nextPageToken = page?.nextPageToken;
      } while (nextPageToken !== undefined && nextPageToken.length > 0);
    },
  },
  {
    name: 'history: the token of one run for another',
    run: async (s) => {
      await s.start();
      await s.start({ workflowId: s.id('other') });
      const page = await s.do('getWorkflowExecutionHistory', {
        execution: { workflowId: s.id('w') },
        waitNewEvent: true,
      });
      await s.call('getWorkflowExecutionHistory', {
        execution: { workflowId: s.id('other') },
        nextPageToken: page.nextPageToken,
      });
    },
  },
  {
    name: 'history: an event that is waited for',
    run: async (s) => {
      await s.start();
      const execution = { workflowId: s.id('w') };
      const first = await s.do('getWorkflowExecutionHistory', { execution, waitNewEvent: true });
      const waiting = s.call('getWorkflowExecutionHistory', {
        execution,
        waitNewEvent: true,
        nextPageToken: first.nextPageToken,
      });
      await s.do('signalWorkflowExecution', { workflowExecution: execution, signalName: 's' });
      await waiting;
    },
  },
  {
    name: 'describe: a new run, one whose task is out, and a closed one',
    run: async (s) => {
      const execution = { workflowId: s.id('w') };
      await s.start({ memo: { fields: {} }, identity: 'me' });
      await s.call('describeWorkflowExecution', { execution }, 'new');
      const task = await s.task();
      await s.call('describeWorkflowExecution', { execution }, 'task out');
      await s.complete(task, [completion]);
      await s.call('describeWorkflowExecution', { execution }, 'closed');
    },
  },
  {
    name: 'describe: pending activities, children and a timer',
    run: async (s) => {
      await s.start();
      await s.complete(await s.task(), [
        command('scheduleActivityTask', {
          activityId: 'a',
          activityType: { name: 't' },
          taskQueue: { name: s.id('activities') },
          scheduleToCloseTimeout: { seconds: 60 },
        }),
        command('startTimer', { timerId: 't', startToFireTimeout: { seconds: 60 } }),
        command('startChildWorkflowExecution', {
          workflowId: s.id('child'),
          workflowType: { name: 'c' },
          taskQueue: { name: s.id('children') },
        }),
      ]);
      await s.complete(await s.task());
      await s.call('describeWorkflowExecution', { execution: { workflowId: s.id('w') } });
    },
  },
  ...(
    [
      ['execution unset', () => ({})],
      ['workflow unknown', (s) => ({ workflowExecution: { workflowId: s.id('unknown') } })],
      ['nothing to change', (s) => ({ workflowExecution: { workflowId: s.id('w') } })],
      [
        'a field that cannot be changed',
        (s) => ({ workflowExecution: { workflowId: s.id('w') }, updateMask: { paths: ['nope'] } }),
      ],
      [
        'an override that is none',
        (s) => ({
          workflowExecution: { workflowId: s.id('w') },
          updateMask: { paths: ['versioning_override'] },
          workflowExecutionOptions: { versioningOverride: { pinned: {} } },
        }),
      ],
    ] satisfies [string, (s: RowClient) => Request][]
  ).map(([name, request]): Row => ({
    name: `options of a run: ${name}`,
    run: async (s) => {
      await s.start();
      await s.call('updateWorkflowExecutionOptions', request(s));
    },
  })),
];
