import { until } from '../../../engine/until.ts';
import type { ActivityTask, Method, Request, Row, RowClient } from '../row-client.ts';
import { NO_RUN, json, long, payloads, seconds } from './values.ts';

const request = (s: RowClient, more: Request = {}): Request => ({
  activityId: s.id('a'),
  activityType: { name: 't' },
  taskQueue: { name: s.queue },
  startToCloseTimeout: seconds(60),
  retryPolicy: { maximumAttempts: 1 },
  identity: 'client',
  requestId: s.id('r'),
  ...more,
});

const all = {
  includeInput: true,
  includeOutcome: true,
  includeHeartbeatDetails: true,
  includeLastFailure: true,
};
const failure = (message: string, more: Request = {}): Request => ({
  message,
  source: 'Raw',
  applicationFailureInfo: { type: 'Broken', ...more },
});
const tooLarge: Request = { payloads: [{ data: Buffer.alloc(2 * 1024 * 1024) }] };
const soon = { nanos: 50_000_000 };

async function started(s: RowClient, more: Request = {}): Promise<string> {
  const { runId } = await s.do('startActivityExecution', request(s, more));
  return runId;
}

/** An activity that a worker has. */
async function begun(s: RowClient, more: Request = {}): Promise<ActivityTask> {
  await started(s, more);
  return await s.activityTask();
}

const described = (s: RowClient): Promise<unknown> =>
  s.call('describeActivityExecution', { activityId: s.id('a'), ...all }, 'described');

/** Waits for its end, and writes the outcome down with all that is told of it. */
async function over(s: RowClient): Promise<void> {
  await s.call('pollActivityExecution', { activityId: s.id('a') }, 'outcome');
  await described(s);
}

const listed = (s: RowClient, query: string, count: number): Promise<void> =>
  until(async () => Number((await s.do('countActivityExecutions', { query })).count) === count);

const wrongStarts: readonly [string, Request][] = [
  ['namespace unknown', { namespace: 'nowhere' }],
  ['namespace empty', { namespace: '' }],
  ['id empty', { activityId: '' }],
  ['id of 1001', { activityId: long(1001) }],
  ['type unset', { activityType: null }],
  ['type of 1001', { activityType: { name: long(1001) } }],
  ['task queue unset', { taskQueue: null }],
  ['task queue empty', { taskQueue: { name: '' } }],
  ['task queue of 1001', { taskQueue: { name: long(1001) } }],
  ['task queue of the system', { taskQueue: { name: '/_sys/x' } }],
  ['no timeout', { startToCloseTimeout: null }],
  ['start-to-close negative', { startToCloseTimeout: seconds(-1) }],
  ['schedule-to-close negative', { scheduleToCloseTimeout: seconds(-1) }],
  ['schedule-to-start negative', { scheduleToStartTimeout: seconds(-1) }],
  ['heartbeat negative', { heartbeatTimeout: seconds(-1) }],
  ['start delay negative', { startDelay: seconds(-1) }],
  ['retry policy: attempts negative', { retryPolicy: { maximumAttempts: -1 } }],
  ['retry policy: coefficient of a half', { retryPolicy: { backoffCoefficient: 0.5 } }],
  ['priority negative', { priority: { priorityKey: -1 } }],
  ['identity of 1001', { identity: long(1001) }],
  ['request id of 1001', { requestId: long(1001) }],
  ['input too large', { input: tooLarge }],
  ['summary too large', { userMetadata: { summary: { data: Buffer.alloc(500) } } }],
  ['details too large', { userMetadata: { details: { data: Buffer.alloc(30_000) } } }],
  ['attribute unknown', { searchAttributes: { indexedFields: { Nope: json('x') } } }],
  ['attribute of another type', { searchAttributes: { indexedFields: { RowInt: json('x') } } }],
  ['callbacks', { completionCallbacks: [{ nexus: { url: 'http://127.0.0.1:1' } }] }],
  ['reuse policy unknown', { idReusePolicy: 9 }],
  ['conflict policy unknown', { idConflictPolicy: 9 }],
  ['attach callbacks without the request id', { onConflictOptions: { attachCompletionCallbacks: true } }],
  ['attach the request id without anything', { onConflictOptions: { attachRequestId: true } }],
  ['link without anything', { links: [{}] }],
];

const byActivity: readonly Method[] = [
  'describeActivityExecution',
  'pollActivityExecution',
  'requestCancelActivityExecution',
  'terminateActivityExecution',
  'deleteActivityExecution',
];

const wrongIds: readonly [string, Request][] = [
  ['namespace unknown', { namespace: 'nowhere' }],
  ['namespace empty', { namespace: '' }],
  ['id empty', { activityId: '' }],
  ['id of 1001', { activityId: long(1001) }],
  ['unknown', { activityId: 'unknown' }],
  ['run unknown', { runId: NO_RUN }],
  ['run id that is none', { runId: 'x' }],
];

const operated: readonly Method[] = [
  'pauseActivityExecution',
  'unpauseActivityExecution',
  'resetActivityExecution',
  'updateActivityExecutionOptions',
];

const ends: readonly [string, Method, Request][] = [
  ['completed', 'respondActivityTaskCompleted', { result: payloads('r'), identity: 'worker 2' }],
  ['completed without a result', 'respondActivityTaskCompleted', {}],
  ['failed', 'respondActivityTaskFailed', { failure: failure('f'), identity: 'worker 2' }],
  ['failed without a failure', 'respondActivityTaskFailed', {}],
  ['canceled without a request', 'respondActivityTaskCanceled', { details: payloads('d') }],
  ['completed with too large a result', 'respondActivityTaskCompleted', { result: tooLarge }],
  [
    'failed with too large a failure',
    'respondActivityTaskFailed',
    { failure: { message: 'f', applicationFailureInfo: { details: tooLarge } } },
  ],
  ['told of by too large a heartbeat', 'recordActivityTaskHeartbeat', { details: tooLarge }],
  ['told of by a heartbeat', 'recordActivityTaskHeartbeat', { details: payloads('d') }],
];

const byToken: readonly Method[] = [
  'respondActivityTaskCompleted',
  'respondActivityTaskFailed',
  'respondActivityTaskCanceled',
  'recordActivityTaskHeartbeat',
];
const byId: readonly Method[] = [
  'respondActivityTaskCompletedById',
  'respondActivityTaskFailedById',
  'respondActivityTaskCanceledById',
  'recordActivityTaskHeartbeatById',
];

const timeouts: readonly [string, Request, boolean][] = [
  ['schedule-to-start', { scheduleToStartTimeout: soon }, false],
  ['schedule-to-close', { startToCloseTimeout: null, scheduleToCloseTimeout: soon }, false],
  ['schedule-to-close of one that has begun', { scheduleToCloseTimeout: { nanos: 500_000_000 } }, true],
  ['start-to-close', { startToCloseTimeout: { nanos: 200_000_000 } }, true],
  ['heartbeat', { heartbeatTimeout: { nanos: 500_000_000 } }, true],
  [
    'start-to-close with no time for another attempt',
    {
      startToCloseTimeout: { nanos: 200_000_000 },
      scheduleToCloseTimeout: seconds(5),
      retryPolicy: { initialInterval: seconds(10) },
    },
    true,
  ],
  [
    'start-to-close that is not tried again by its type',
    {
      startToCloseTimeout: { nanos: 200_000_000 },
      retryPolicy: { nonRetryableErrorTypes: ['TemporalTimeout:StartToClose'] },
    },
    true,
  ],
];

const queries: readonly [string, (s: RowClient) => string][] = [
  ['by id', (s) => `ActivityId = '${s.id('a')}'`],
  ['by id and type', (s) => `ActivityId = '${s.id('a')}' AND ActivityType = 't'`],
  ['by id and queue', (s) => `ActivityId = '${s.id('a')}' AND TaskQueue = '${s.queue}'`],
  ['by an attribute', (s) => `RowKeyword = '${s.id('k')}'`],
  ['by id and status', (s) => `ActivityId = '${s.id('a')}' AND ExecutionStatus = 'Completed'`],
  [
    'by id and a status in two',
    (s) => `ActivityId = '${s.id('a')}' AND ExecutionStatus IN ('Failed', 'Completed')`,
  ],
  ['by id and a time', (s) => `ActivityId = '${s.id('a')}' AND StartTime > '2020-01-01T00:00:00Z'`],
  ['by id and its end', (s) => `ActivityId = '${s.id('a')}' AND CloseTime IS NOT NULL`],
  [
    'by id and the time of its execution',
    (s) => `ActivityId = '${s.id('a')}' AND ExecutionTime > '2020-01-01T00:00:00Z'`,
  ],
];

export const standaloneActivities: readonly Row[] = [
  {
    name: 'activity of its own: started, described, taken, completed',
    run: async (s) => {
      await s.call(
        'startActivityExecution',
        request(s, {
          input: payloads('in', 2),
          header: { fields: { h: json('v') } },
          userMetadata: { summary: json('summary'), details: json('details') },
          priority: { priorityKey: 2, fairnessKey: 'f', fairnessWeight: 1.5 },
          searchAttributes: { indexedFields: { RowKeyword: json('x'), RowInt: json(3) } },
          heartbeatTimeout: seconds(20),
          retryPolicy: { maximumAttempts: 3, nonRetryableErrorTypes: ['X'] },
        }),
      );
      await described(s);
      const { taskToken } =
        (await s.call('pollActivityTaskQueue', { taskQueue: { name: s.queue }, identity: 'worker' })) ?? {};
      await described(s);
      await s.call('recordActivityTaskHeartbeat', { taskToken, details: payloads('here') });
      await described(s);
      await s.call('respondActivityTaskCompleted', {
        taskToken,
        result: payloads('out'),
        identity: 'worker',
      });
      await over(s);
      await s.call('describeActivityExecution', { activityId: s.id('a') }, 'described without more');
    },
  },
  {
    name: 'activity of its own: what its options become',
    run: async (s) => {
      await s.call('startActivityExecution', request(s, { retryPolicy: null, requestId: '' }));
      await described(s);
      const limits = {
        scheduleToCloseTimeout: seconds(10),
        scheduleToStartTimeout: seconds(20),
        heartbeatTimeout: seconds(30),
      };
      await started(s, { activityId: s.id('b'), ...limits });
      await s.call('describeActivityExecution', { activityId: s.id('b'), ...all });
      await started(s, {
        activityId: s.id('c'),
        startToCloseTimeout: null,
        scheduleToCloseTimeout: seconds(10),
      });
      await s.call('describeActivityExecution', { activityId: s.id('c'), ...all });
    },
  },
  ...wrongStarts.map(([name, more]): Row => ({
    name: `startActivityExecution: ${name}`,
    run: (s) => s.call('startActivityExecution', request(s, more)),
  })),
  {
    name: 'startActivityExecution: the same request again, and another one',
    run: async (s) => {
      await s.call('startActivityExecution', request(s));
      await s.call('startActivityExecution', request(s), 'the same');
      await s.call('startActivityExecution', request(s, { requestId: 'other' }), 'another');
      const existing = { requestId: 'other', idConflictPolicy: 2 };
      await s.call('startActivityExecution', request(s, existing), 'another that uses what is there');
      const links = [{ workflowEvent: { namespace: 'default', workflowId: 'w', runId: NO_RUN } }];
      const attach = { onConflictOptions: { attachRequestId: true, attachLinks: true }, links };
      await s.call(
        'startActivityExecution',
        request(s, { ...existing, ...attach }),
        'another that attaches links',
      );
      await described(s);
    },
  },
  ...([1, 2, 3] as const).flatMap((idReusePolicy) =>
    (['respondActivityTaskCompleted', 'respondActivityTaskFailed'] as const).map((method): Row => ({
      name: `startActivityExecution: reuse policy ${idReusePolicy} after ${method}`,
      run: async (s) => {
        const { taskToken } = await begun(s);
        await s.do(method, { taskToken, identity: 'worker' });
        await s.call('startActivityExecution', request(s, { idReusePolicy }), 'the same request');
        await s.call('startActivityExecution', request(s, { idReusePolicy, requestId: 'other' }), 'another');
        await s.call(
          'startActivityExecution',
          request(s, { idReusePolicy, requestId: 'third', idConflictPolicy: 2 }),
          'another that uses what is there',
        );
      },
    })),
  ),
  ...byActivity.flatMap((method): Row[] => [
    {
      name: `${method}: what is wrong with its ids`,
      run: async (s) => {
        await started(s);
        for (const [name, more] of wrongIds) await s.call(method, { activityId: s.id('a'), ...more }, name);
      },
    },
  ]),
  ...(['requestCancelActivityExecution', 'terminateActivityExecution'] as const).flatMap((method): Row[] => [
    {
      name: `${method}: what is too long`,
      run: async (s) => {
        await started(s);
        const activityId = s.id('a');
        await s.call(method, { activityId, identity: long(1001) }, 'identity');
        await s.call(method, { activityId, requestId: long(1001) }, 'request id');
        await s.call(method, { activityId, reason: long(2 * 1024 * 1024) }, 'reason');
      },
    },
    {
      name: `${method}: one that nobody has`,
      run: async (s) => {
        await started(s);
        const ask = { activityId: s.id('a'), identity: 'operator', requestId: 'once', reason: 'why' };
        await s.call(method, ask);
        await over(s);
        await s.call(method, ask, 'again');
        await s.call(method, { ...ask, requestId: 'twice' }, 'another');
      },
    },
    {
      name: `${method}: one that a worker has`,
      run: async (s) => {
        const { taskToken } = await begun(s);
        const ask = { activityId: s.id('a'), identity: 'operator', requestId: 'once', reason: 'why' };
        await s.call(method, ask);
        await described(s);
        await s.call(method, ask, 'again');
        await s.call(method, { ...ask, requestId: 'twice' }, 'another');
        await s.call('recordActivityTaskHeartbeat', { taskToken, details: payloads('here') });
        await s.call('respondActivityTaskCanceled', {
          taskToken,
          details: payloads('d'),
          identity: 'worker',
        });
        await over(s);
      },
    },
    {
      name: `${method}: one that is over`,
      run: async (s) => {
        const { taskToken } = await begun(s);
        await s.do('respondActivityTaskCompleted', { taskToken });
        await s.call(method, { activityId: s.id('a'), requestId: 'once' });
        await described(s);
      },
    },
  ]),
  ...(['respondActivityTaskCompleted', 'respondActivityTaskFailed'] as const).map((method): Row => ({
    name: `activity of its own: ${method} though it was to be canceled`,
    run: async (s) => {
      const { taskToken } = await begun(s, { retryPolicy: { maximumAttempts: 3 } });
      await s.do('requestCancelActivityExecution', { activityId: s.id('a'), requestId: 'once' });
      await s.call(method, { taskToken });
      await over(s);
    },
  })),
  ...ends.map(([name, method, more]): Row => ({
    name: `activity of its own: ${name}`,
    run: async (s) => {
      const { taskToken } = await begun(s);
      await s.call(method, { taskToken, ...more });
      await described(s);
    },
  })),
  ...byToken.map((method): Row => ({
    name: `${method}: an activity of its own that is over`,
    run: async (s) => {
      const { taskToken } = await begun(s);
      await s.do('respondActivityTaskCompleted', { taskToken });
      await s.call(method, { taskToken });
      await s.call(method, { taskToken, namespace: 'row-other' }, 'of another namespace');
      await s.call(method, { taskToken, namespace: 'nowhere' }, 'of an unknown namespace');
    },
  })),
  ...byId.flatMap((method): Row[] => [
    {
      name: `${method}: an activity of its own that is over`,
      run: async (s) => {
        await started(s);
        await s.do('terminateActivityExecution', { activityId: s.id('a') });
        await s.call(method, { activityId: s.id('a'), identity: 'outside' });
        await s.call(method, { activityId: 'unknown' }, 'an unknown one');
      },
    },
    {
      name: `${method}: an activity of its own that nobody has`,
      run: async (s) => {
        await started(s);
        await s.call(method, { activityId: s.id('a'), identity: 'outside' });
        await described(s);
      },
    },
    {
      name: `${method}: an activity of its own that a worker has`,
      run: async (s) => {
        await begun(s);
        await s.call(method, { activityId: s.id('a'), identity: 'outside' });
        await described(s);
        await s.call(method, { activityId: s.id('a'), runId: NO_RUN }, 'of an unknown run');
        await s.call(method, { activityId: s.id('a'), runId: 'x' }, 'of a run that is none');
      },
    },
  ]),
  {
    name: 'activity of its own: fails, is tried again, and carries the details of its heartbeat',
    run: async (s) => {
      const first = await begun(s, {
        retryPolicy: { initialInterval: { nanos: 10_000_000 }, maximumAttempts: 3 },
        heartbeatTimeout: seconds(30),
      });
      await s.call('recordActivityTaskHeartbeat', { taskToken: first.taskToken, details: payloads('here') });
      await s.call('respondActivityTaskFailed', { taskToken: first.taskToken, failure: failure('first') });
      const second = await s.call('pollActivityTaskQueue', {
        taskQueue: { name: s.queue },
        identity: 'worker 2',
      });
      await described(s);
      await s.call('respondActivityTaskCompleted', { taskToken: first.taskToken }, 'by the former worker');
      await s.call('respondActivityTaskFailed', {
        taskToken: second?.taskToken,
        failure: failure('second', { nonRetryable: true }),
        lastHeartbeatDetails: payloads('last'),
        identity: 'worker 3',
      });
      await over(s);
    },
  },
  {
    name: 'activity of its own: waits for its next attempt',
    run: async (s) => {
      const { taskToken } = await begun(s, { retryPolicy: { initialInterval: seconds(3600) } });
      await s.call('respondActivityTaskFailed', { taskToken, failure: failure('f'), identity: 'worker 2' });
      await described(s);
      await s.call('requestCancelActivityExecution', { activityId: s.id('a'), reason: 'why' });
      await over(s);
    },
  },
  {
    name: 'activity of its own: its own next retry delay',
    run: async (s) => {
      const { taskToken } = await begun(s, { retryPolicy: { maximumAttempts: 3 } });
      await s.call('respondActivityTaskFailed', {
        taskToken,
        failure: failure('f', { nextRetryDelay: seconds(3600) }),
      });
      await described(s);
    },
  },
  {
    name: 'activity of its own: no time for another attempt',
    run: async (s) => {
      const { taskToken } = await begun(s, {
        scheduleToCloseTimeout: seconds(60),
        retryPolicy: { initialInterval: seconds(3600) },
      });
      await s.call('respondActivityTaskFailed', { taskToken, failure: failure('f') });
      await over(s);
    },
  },
  {
    name: 'activity of its own: the last of its attempts fails',
    run: async (s) => {
      const first = await begun(s, {
        retryPolicy: { initialInterval: { nanos: 10_000_000 }, maximumAttempts: 2 },
      });
      await s.do('respondActivityTaskFailed', { taskToken: first.taskToken, failure: failure('first') });
      const { taskToken } = await s.activityTask();
      await s.call('respondActivityTaskFailed', { taskToken, failure: failure('second') });
      await over(s);
    },
  },
  ...timeouts.map(([name, more, isBegun]): Row => ({
    name: `activity of its own: ${name} timeout`,
    run: async (s) => {
      if (isBegun) await begun(s, more);
      else await started(s, more);
      await over(s);
    },
  })),
  {
    name: 'activity of its own: a timeout after a failure',
    run: async (s) => {
      const first = await begun(s, {
        scheduleToCloseTimeout: seconds(3),
        heartbeatTimeout: seconds(20),
        retryPolicy: { initialInterval: { nanos: 10_000_000 } },
      });
      await s.do('recordActivityTaskHeartbeat', { taskToken: first.taskToken, details: payloads('here') });
      await s.do('respondActivityTaskFailed', { taskToken: first.taskToken, failure: failure('first') });
      await s.activityTask();
      await over(s);
    },
  },
  {
    name: 'activity of its own: a start delay',
    run: async (s) => {
      await s.call(
        'startActivityExecution',
        request(s, { startDelay: seconds(3600), scheduleToCloseTimeout: seconds(60) }),
      );
      await described(s);
      await s.call('pollActivityTaskQueue', { taskQueue: { name: s.queue } });
      await s.call(
        'startActivityExecution',
        request(s, { activityId: s.id('b'), startDelay: { nanos: 300_000_000 } }),
      );
      await s.call('pollActivityTaskQueue', { taskQueue: { name: s.queue } });
    },
  },
  {
    name: 'pollActivityExecution: one that is not over',
    run: async (s) => {
      await started(s);
      await s.call('pollActivityExecution', { activityId: s.id('a') });
    },
  },
  {
    name: 'describeActivityExecution: waits for a change',
    run: async (s) => {
      const runId = await started(s);
      const { longPollToken } = await s.do('describeActivityExecution', { activityId: s.id('a') });
      const waiting = s.call('describeActivityExecution', {
        activityId: s.id('a'),
        runId,
        longPollToken,
        ...all,
      });
      await s.activityTask();
      await waiting;
      await s.call('describeActivityExecution', { activityId: s.id('a'), longPollToken }, 'without a run');
      const garbage = Buffer.from([1, 2]);
      await s.call(
        'describeActivityExecution',
        { activityId: s.id('a'), runId, longPollToken: garbage },
        'garbage',
      );
      const other = await s.do('startActivityExecution', request(s, { activityId: s.id('b') }));
      await s.call(
        'describeActivityExecution',
        { activityId: s.id('b'), runId: other.runId, longPollToken },
        'of another one',
      );
    },
  },
  {
    name: 'deleteActivityExecution: one that runs, and one that is over',
    run: async (s) => {
      const { taskToken } = await begun(s);
      await s.do('respondActivityTaskCompleted', { taskToken });
      await s.call('deleteActivityExecution', { activityId: s.id('a') });
      await until(() =>
        s.do('describeActivityExecution', { activityId: s.id('a') }).then(
          () => false,
          () => true,
        ),
      );
      await described(s);
      const running = await begun(s, { activityId: s.id('b'), requestId: 'b' });
      await s.call('deleteActivityExecution', { activityId: s.id('b') });
      await until(() =>
        s.do('describeActivityExecution', { activityId: s.id('b') }).then(
          () => false,
          () => true,
        ),
      );
      await s.call('respondActivityTaskCompleted', { taskToken: running.taskToken });
      await s.call('deleteActivityExecution', { activityId: s.id('b') }, 'again');
    },
  },
  ...queries.map(([name, query]): Row => ({
    name: `listActivityExecutions: ${name}`,
    run: async (s) => {
      const { taskToken } = await begun(s, {
        searchAttributes: { indexedFields: { RowKeyword: json(s.id('k')) } },
      });
      await s.do('respondActivityTaskCompleted', { taskToken });
      await listed(s, `RowKeyword = '${s.id('k')}' AND ExecutionStatus = 'Completed'`, 1);
      await s.call('listActivityExecutions', { query: query(s) });
      await s.call('countActivityExecutions', { query: query(s) });
    },
  })),
  {
    name: 'listActivityExecutions: of each status, counted by it, in pages, and not among workflows',
    run: async (s) => {
      const more = { searchAttributes: { indexedFields: { RowKeyword: json(s.id('k')) } } };
      await started(s, { ...more, scheduleToStartTimeout: soon });
      await s.call('pollActivityExecution', { activityId: s.id('a') });
      await started(s, { ...more, activityId: s.id('b') });
      await s.do('terminateActivityExecution', { activityId: s.id('b') });
      await started(s, { ...more, activityId: s.id('c') });
      await s.do('requestCancelActivityExecution', { activityId: s.id('c') });
      await started(s, { ...more, activityId: s.id('d') });
      const query = `RowKeyword = '${s.id('k')}'`;
      await listed(s, query, 4);
      await listed(s, `${query} AND ExecutionStatus = 'Running'`, 1);
      await s.call('listActivityExecutions', { query });
      await s.call('countActivityExecutions', { query: `${query} GROUP BY ExecutionStatus` });
      const page = await s.call('listActivityExecutions', { query, pageSize: 3 });
      await s.call('listActivityExecutions', { query, pageSize: 3, nextPageToken: page?.nextPageToken });
      await s.call('listWorkflowExecutions', { query });
      await s.call('countWorkflowExecutions', { query });
    },
  },
  ...(['listActivityExecutions', 'countActivityExecutions'] as const).map((method): Row => ({
    name: `${method}: what is wrong with its query`,
    run: async (s) => {
      for (const query of [
        'this is no query',
        "Nope = 'x'",
        "ExecutionStatus = 'Nope'",
        "WorkflowId = 'x'",
        "WorkflowType = 'x'",
        'GROUP BY ActivityType',
        'GROUP BY ExecutionStatus, ActivityType',
        'ActivityId = 3',
        'ORDER BY StartTime',
      ])
        await s.call(method, { query }, query);
      await s.call(method, { namespace: 'nowhere' }, 'namespace unknown');
      await s.call(method, { namespace: '' }, 'namespace empty');
    },
  })),
  ...operated.map((method): Row => ({
    name: `${method}: an activity of its own`,
    run: async (s) => {
      await started(s);
      await s.call(method, { activityId: s.id('a') });
      await s.call(method, { activityId: '' }, 'id empty');
      await s.call(method, { activityId: s.id('a'), namespace: 'nowhere' }, 'namespace unknown');
    },
  })),
  {
    name: 'listActivityExecutions: page token garbage',
    run: (s) => s.call('listActivityExecutions', { nextPageToken: Buffer.from([1, 2, 3]) }),
  },
];
