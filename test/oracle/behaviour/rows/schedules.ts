import type { Method, Request, Row, RowClient } from '../row-client.ts';
import { json, long, payloads } from './values.ts';

const action = (s: RowClient, more: Request = {}): Request => ({
  startWorkflow: {
    workflowId: s.id('scheduled'),
    workflowType: { name: 't' },
    taskQueue: { name: s.queue },
    ...more,
  },
});
const request = (s: RowClient, more: Request = {}, parts: Request = {}): Request => ({
  scheduleId: s.id('schedule'),
  requestId: s.id('request'),
  identity: 'me',
  schedule: {
    spec: { interval: [{ interval: { seconds: 3600 } }] },
    state: { paused: true, notes: 'paused' },
    action: action(s),
    ...parts,
  },
  ...more,
});

const create = (name: string, given: (s: RowClient) => Request): Row => ({
  name: `createSchedule: ${name}`,
  run: (s) => s.call('createSchedule', given(s)),
});

const missing: readonly [Method, Request][] = [
  ['describeSchedule', {}],
  ['deleteSchedule', {}],
  ['patchSchedule', { patch: { pause: 'why' } }],
  ['updateSchedule', { schedule: { action: { startWorkflow: {} } } }],
  ['listScheduleMatchingTimes', { startTime: { seconds: 1 }, endTime: { seconds: 2 } }],
];

export const schedules: readonly Row[] = [
  create('id empty', (s) => request(s, { scheduleId: '' })),
  create('id of 1001', (s) => request(s, { scheduleId: long(1001) })),
  create('schedule unset', (s) => request(s, { schedule: null })),
  create('action unset', (s) => request(s, {}, { action: null })),
  create('workflow id empty', (s) => request(s, {}, { action: action(s, { workflowId: '' }) })),
  create('workflow type unset', (s) => request(s, {}, { action: action(s, { workflowType: null }) })),
  create('task queue unset', (s) => request(s, {}, { action: action(s, { taskQueue: null }) })),
  create('a cron schedule of its workflow', (s) =>
    request(s, {}, { action: action(s, { cronSchedule: '* * * * *' }) }),
  ),
  create('a reuse policy of its workflow', (s) =>
    request(
      s,
      {},
      {
        action: action(s, { workflowIdReusePolicy: 'WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE' }),
      },
    ),
  ),
  create('retry policy wrong', (s) =>
    request(s, {}, { action: action(s, { retryPolicy: { maximumAttempts: -1 } }) }),
  ),
  create('search attribute unknown', (s) =>
    request(s, { searchAttributes: { indexedFields: { Nope: json(1) } } }),
  ),
  create('search attribute of its workflow unknown', (s) =>
    request(s, {}, { action: action(s, { searchAttributes: { indexedFields: { Nope: json(1) } } }) }),
  ),
  create('catch-up window negative', (s) => request(s, {}, { policies: { catchupWindow: { seconds: -1 } } })),
  create('overlap policy that is none', (s) => request(s, {}, { policies: { overlapPolicy: 99 } })),
  create('remaining actions negative', (s) =>
    request(s, {}, { state: { paused: true, limitedActions: true, remainingActions: -1 } }),
  ),
  create('spec without times', (s) => request(s, {}, { spec: {} })),
  create('interval of zero', (s) => request(s, {}, { spec: { interval: [{ interval: { seconds: 0 } }] } })),
  create('time zone unknown', (s) =>
    request(s, {}, { spec: { cronString: ['0 0 * * *'], timezoneName: 'Nowhere' } }),
  ),
  create('cron wrong', (s) => request(s, {}, { spec: { cronString: ['* *'] } })),
  create('namespace unknown', (s) => request(s, { namespace: 'nowhere' })),
  ...missing.map(([method, more]): Row => ({
    name: `${method}: no such schedule`,
    run: (s) => s.call(method, { scheduleId: s.id('unknown'), ...more }),
  })),
  ...missing.map(([method, more]): Row => ({
    name: `${method}: namespace unknown`,
    run: (s) => s.call(method, { namespace: 'nowhere', scheduleId: 'x', ...more }),
  })),
  {
    name: 'schedule: created twice, with the same request id and with another',
    run: async (s) => {
      await s.call('createSchedule', request(s));
      await s.call('createSchedule', request(s));
      await s.call('createSchedule', request(s, { requestId: 'another' }));
    },
  },
  {
    name: 'schedule: described, unpaused, changed, deleted',
    run: async (s) => {
      await s.do(
        'createSchedule',
        request(s, { memo: { fields: { m: json(1) } } }, { action: action(s, { input: payloads('in') }) }),
      );
      const scheduleId = s.id('schedule');
      const shown = await s.do('describeSchedule', { scheduleId });
      s.note('schedule', shown.schedule ?? {});
      await s.call('patchSchedule', { scheduleId, patch: {} }, 'an empty patch');
      await s.call('patchSchedule', { scheduleId, patch: { unpause: 'go' } });
      await s.call('patchSchedule', { scheduleId, patch: { pause: 'a', unpause: 'b' } }, 'both');
      await s.call('updateSchedule', {
        scheduleId,
        schedule: { action: action(s) },
        conflictToken: Buffer.from([9]),
      });
      await s.call('updateSchedule', { scheduleId, schedule: { action: {} } }, 'no action');
      await s.call('deleteSchedule', { scheduleId });
      await s.call('deleteSchedule', { scheduleId }, 'deleted again');
    },
  },
  {
    name: 'schedules: list and count with a query that is none',
    run: async (s) => {
      await s.call('listSchedules', { query: 'this is none' });
      await s.call('listSchedules', { namespace: 'nowhere' });
      await s.call('listSchedules', { nextPageToken: Buffer.from([1, 2]) });
    },
  },
];
