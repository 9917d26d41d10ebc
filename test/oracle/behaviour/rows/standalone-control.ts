import type { ActivityTask, Request, Row, RowClient } from '../row-client.ts';
import { json, long, payloads, seconds } from './values.ts';

const start = (s: RowClient, more: Request = {}): Promise<unknown> =>
  s.do('startActivityExecution', {
    activityId: s.id('a'),
    activityType: { name: 't' },
    taskQueue: { name: s.queue },
    startToCloseTimeout: seconds(60),
    identity: 'client',
    ...more,
  });

async function begun(s: RowClient, more: Request = {}): Promise<ActivityTask> {
  await start(s, more);
  return await s.activityTask();
}

const one = (s: RowClient, more: Request = {}): Request => ({
  activityId: s.id('a'),
  identity: 'operator',
  ...more,
});

const described = (s: RowClient, call = 'described'): Promise<unknown> =>
  s.call(
    'describeActivityExecution',
    { activityId: s.id('a'), includeOutcome: true, includeHeartbeatDetails: true, includeLastFailure: true },
    call,
  );

const failed = (s: RowClient, { taskToken }: ActivityTask, more: Request = {}): Promise<unknown> =>
  s.call('respondActivityTaskFailed', {
    taskToken,
    failure: { message: 'f', source: 'Raw', applicationFailureInfo: { type: 'Broken', ...more } },
  });

const polled = (s: RowClient): Promise<unknown> =>
  s.call('pollActivityTaskQueue', { taskQueue: { name: s.queue }, identity: 'worker' });

const methods = [
  'pauseActivityExecution',
  'unpauseActivityExecution',
  'resetActivityExecution',
  'updateActivityExecutionOptions',
] as const;

/** What an update is asked beside its activity. */
const updates: readonly [string, Request][] = [
  ['neither options nor a mask', {}],
  ['options without a mask', { activityOptions: { heartbeatTimeout: seconds(5) } }],
  ['an empty mask', { activityOptions: {}, updateMask: {} }],
  [
    'a mask and the original',
    { activityOptions: {}, updateMask: { paths: ['priority'] }, restoreOriginal: true },
  ],
  ['an unknown path', { activityOptions: {}, updateMask: { paths: ['nope'] } }],
  ['a path of a queue', { activityOptions: {}, updateMask: { paths: ['task_queue'] } }],
  ['no queue', { activityOptions: {}, updateMask: { paths: ['task_queue.name'] } }],
  [
    'a negative timeout',
    {
      activityOptions: { startToCloseTimeout: seconds(-1) },
      updateMask: { paths: ['start_to_close_timeout'] },
    },
  ],
  [
    'a negative priority',
    { activityOptions: { priority: { priorityKey: -1 } }, updateMask: { paths: ['priority'] } },
  ],
  [
    'a coefficient of a half',
    {
      activityOptions: { retryPolicy: { backoffCoefficient: 0.5 } },
      updateMask: { paths: ['retry_policy.backoff_coefficient'] },
    },
  ],
  [
    'a maximum below the initial interval',
    {
      activityOptions: { retryPolicy: { maximumInterval: { nanos: 1 } } },
      updateMask: { paths: ['retry_policy.maximum_interval'] },
    },
  ],
  [
    'neither timeout',
    { activityOptions: {}, updateMask: { paths: ['start_to_close_timeout', 'schedule_to_close_timeout'] } },
  ],
  [
    'a start delay when it is over',
    { activityOptions: { startDelay: seconds(9) }, updateMask: { paths: ['start_delay'] } },
  ],
  [
    'timeouts',
    {
      activityOptions: {
        scheduleToCloseTimeout: seconds(100),
        scheduleToStartTimeout: seconds(200),
        startToCloseTimeout: seconds(300),
        heartbeatTimeout: seconds(400),
      },
      updateMask: {
        paths: [
          'schedule_to_close_timeout',
          'schedule_to_start_timeout',
          'start_to_close_timeout',
          'heartbeat_timeout',
        ],
      },
    },
  ],
  [
    'a retry policy, which is filled in',
    {
      activityOptions: { retryPolicy: { maximumAttempts: 7 } },
      updateMask: { paths: ['retry_policy'] },
    },
  ],
  [
    'parts of a retry policy',
    {
      activityOptions: { retryPolicy: { initialInterval: seconds(3), maximumAttempts: 8 } },
      updateMask: { paths: ['retry_policy.initial_interval', 'retry_policy.maximum_attempts'] },
    },
  ],
  [
    'parts of a priority',
    {
      activityOptions: { priority: { priorityKey: 4, fairnessKey: 'k' } },
      updateMask: { paths: ['priority.priority_key', 'priority.fairness_key'] },
    },
  ],
  ['no priority', { activityOptions: {}, updateMask: { paths: ['priority'] } }],
];

export const standaloneControl: readonly Row[] = [
  ...methods.flatMap((method): Row[] => [
    {
      name: `${method}: what is wrong with its ids`,
      run: async (s) => {
        await start(s);
        const more =
          method === 'updateActivityExecutionOptions'
            ? { activityOptions: {}, updateMask: { paths: ['priority'] } }
            : {};
        await s.call(method, one(s, { ...more, namespace: '' }), 'namespace empty');
        await s.call(method, one(s, { ...more, activityId: long(1001) }), 'id of 1001');
        await s.call(method, one(s, { ...more, activityId: 'unknown' }), 'unknown');
        await s.call(method, one(s, { ...more, runId: 'x' }), 'run id that is none');
        await s.call(method, one(s, { ...more, identity: long(1001) }), 'identity of 1001');
        await s.call(method, one(s, { ...more, requestId: long(1001) }), 'request id of 1001');
        await s.call(method, one(s, { ...more, jitter: seconds(-1) }), 'jitter negative');
      },
    },
    {
      name: `${method}: in each state`,
      run: async (s) => {
        const more =
          method === 'updateActivityExecutionOptions'
            ? {
                activityOptions: { heartbeatTimeout: seconds(9) },
                updateMask: { paths: ['heartbeat_timeout'] },
              }
            : {};
        const act = (activityId: string): Promise<unknown> =>
          s.call(method, one(s, { activityId: s.id(activityId), ...more }), activityId);
        const held = ['started', 'canceling', 'pausing', 'resetting', 'completed'];
        const waiting = ['scheduled', 'paused', 'terminated', 'canceled'];
        for (const activityId of held) {
          await begun(s, { activityId: s.id(activityId), taskQueue: { name: s.queue } });
        }
        await s.do('requestCancelActivityExecution', { activityId: s.id('canceling') });
        await s.do('pauseActivityExecution', { activityId: s.id('pausing') });
        await s.do('resetActivityExecution', { activityId: s.id('resetting') });
        await s.do('respondActivityTaskCompletedById', { activityId: s.id('completed') });
        for (const activityId of waiting) {
          await start(s, { activityId: s.id(activityId) });
        }
        await s.do('pauseActivityExecution', { activityId: s.id('paused') });
        await s.do('terminateActivityExecution', { activityId: s.id('terminated') });
        await s.do('requestCancelActivityExecution', { activityId: s.id('canceled') });
        for (const activityId of [...held, ...waiting]) {
          await act(activityId);
          await s.call(
            'describeActivityExecution',
            { activityId: s.id(activityId) },
            `${activityId} described`,
          );
        }
      },
    },
  ]),
  {
    name: 'activity of its own: paused before a worker has it, and unpaused',
    run: async (s) => {
      await start(s, { searchAttributes: { indexedFields: { RowKeyword: json(s.id('k')) } } });
      await s.call('pauseActivityExecution', one(s, { reason: 'why', requestId: 'once' }));
      await described(s);
      await s.call('pauseActivityExecution', one(s, { requestId: 'once' }), 'again');
      await s.call('pauseActivityExecution', one(s, { requestId: 'twice' }), 'another');
      await polled(s);
      await s.call('unpauseActivityExecution', one(s, { requestId: 'once' }));
      await s.call('unpauseActivityExecution', one(s, { requestId: 'once' }), 'again');
      await s.call('pauseActivityExecution', one(s, { requestId: 'once' }), 'the first once more');
      await polled(s);
      await described(s);
    },
  },
  {
    name: 'activity of its own: paused while a worker has it, fails, and is unpaused',
    run: async (s) => {
      const task = await begun(s, { retryPolicy: { initialInterval: { nanos: 10_000_000 } } });
      await s.call('pauseActivityExecution', one(s));
      await described(s);
      await s.call('recordActivityTaskHeartbeat', { taskToken: task.taskToken, details: payloads('here') });
      await failed(s, task);
      await described(s);
      await s.call('unpauseActivityExecution', one(s));
      await polled(s);
    },
  },
  {
    name: 'activity of its own: paused while a worker has it, and fails for good',
    run: async (s) => {
      const task = await begun(s);
      await s.call('pauseActivityExecution', one(s));
      await failed(s, task, { nonRetryable: true });
      await described(s);
    },
  },
  {
    name: 'activity of its own: paused and unpaused while a worker has it',
    run: async (s) => {
      const { taskToken } = await begun(s);
      await s.call('pauseActivityExecution', one(s));
      await s.call('unpauseActivityExecution', one(s));
      await s.call('recordActivityTaskHeartbeat', { taskToken });
      await described(s);
      await s.call('respondActivityTaskCompleted', { taskToken });
    },
  },
  ...(['requestCancelActivityExecution', 'terminateActivityExecution'] as const).map((method): Row => ({
    name: `${method}: one that is paused`,
    run: async (s) => {
      await start(s);
      await s.do('pauseActivityExecution', one(s));
      await s.call(method, one(s, { reason: 'why' }));
      await described(s);
    },
  })),
  {
    name: 'activity of its own: paused, and completed by its id',
    run: async (s) => {
      await start(s);
      await s.do('pauseActivityExecution', one(s));
      await s.call('respondActivityTaskCompletedById', { activityId: s.id('a'), result: payloads('r') });
      await described(s);
    },
  },
  {
    name: 'activity of its own: paused until it times out',
    run: async (s) => {
      await start(s, { scheduleToCloseTimeout: seconds(1) });
      await s.do('pauseActivityExecution', one(s));
      await s.call('pollActivityExecution', { activityId: s.id('a') });
    },
  },
  {
    name: 'activity of its own: reset while it waits for its next attempt',
    run: async (s) => {
      const task = await begun(s, { retryPolicy: { initialInterval: seconds(3600) } });
      await s.do('recordActivityTaskHeartbeat', { taskToken: task.taskToken, details: payloads('here') });
      await failed(s, task);
      await s.call('resetActivityExecution', one(s, { requestId: 'once' }));
      await described(s);
      await s.call('resetActivityExecution', one(s, { requestId: 'once' }), 'again');
      await polled(s);
    },
  },
  ...([false, true] as const).map((resetHeartbeat): Row => ({
    name: `activity of its own: reset while a worker has it, heartbeat ${resetHeartbeat ? 'dropped' : 'kept'}`,
    run: async (s) => {
      const task = await begun(s, { retryPolicy: { initialInterval: { nanos: 10_000_000 } } });
      await s.do('recordActivityTaskHeartbeat', { taskToken: task.taskToken, details: payloads('here') });
      await failed(s, task);
      const second = await s.activityTask();
      await s.call('resetActivityExecution', one(s, { resetHeartbeat }));
      await described(s);
      await s.call('recordActivityTaskHeartbeat', {
        taskToken: second.taskToken,
        details: payloads('there'),
      });
      await s.call('resetActivityExecution', one(s), 'again');
      await failed(s, second);
      await described(s);
      await polled(s);
    },
  })),
  ...([false, true] as const).flatMap((keepPaused): Row[] => [
    {
      name: `activity of its own: reset while it is paused, which it ${keepPaused ? 'stays' : 'does not stay'}`,
      run: async (s) => {
        const task = await begun(s, { retryPolicy: { initialInterval: { nanos: 10_000_000 } } });
        await failed(s, task);
        await s.do('pauseActivityExecution', one(s));
        await s.call('resetActivityExecution', one(s, { keepPaused }));
        await described(s);
        if (keepPaused) await s.call('unpauseActivityExecution', one(s));
        await polled(s);
      },
    },
    {
      name: `activity of its own: reset while it is to be paused, which it ${keepPaused ? 'stays' : 'does not stay'}`,
      run: async (s) => {
        const task = await begun(s, { retryPolicy: { initialInterval: { nanos: 10_000_000 } } });
        await s.do('pauseActivityExecution', one(s));
        await s.call('resetActivityExecution', one(s, { keepPaused }));
        await described(s);
        await s.call('recordActivityTaskHeartbeat', { taskToken: task.taskToken });
        await failed(s, task);
        await described(s);
      },
    },
  ]),
  {
    name: 'activity of its own: reset to its original options',
    run: async (s) => {
      await start(s, { heartbeatTimeout: seconds(30) });
      await s.call(
        'updateActivityExecutionOptions',
        one(s, {
          activityOptions: { heartbeatTimeout: seconds(9) },
          updateMask: { paths: ['heartbeat_timeout'] },
        }),
      );
      await s.call('resetActivityExecution', one(s, { restoreOriginalOptions: true }));
      await described(s);
      await s.call(
        'updateActivityExecutionOptions',
        one(s, {
          activityOptions: { heartbeatTimeout: seconds(9) },
          updateMask: { paths: ['heartbeat_timeout'] },
        }),
      );
      const task = await s.activityTask();
      await s.call('resetActivityExecution', one(s, { restoreOriginalOptions: true }));
      await described(s);
      await failed(s, task);
      await described(s);
    },
  },
  ...updates.map(([name, more]): Row => ({
    name: `updateActivityExecutionOptions: ${name}`,
    run: async (s) => {
      await start(s, { priority: { priorityKey: 2 }, retryPolicy: { maximumAttempts: 2 } });
      await s.call('updateActivityExecutionOptions', one(s, { requestId: 'once', ...more }));
      await described(s);
      await s.call(
        'updateActivityExecutionOptions',
        one(s, { requestId: 'two', restoreOriginal: true }),
        'restored',
      );
      await s.call(
        'updateActivityExecutionOptions',
        one(s, { requestId: 'two', restoreOriginal: true }),
        'again',
      );
    },
  })),
  {
    name: 'activity of its own: moved to another queue',
    run: async (s) => {
      await start(s);
      await s.call(
        'updateActivityExecutionOptions',
        one(s, {
          activityOptions: { taskQueue: { name: s.id('other') } },
          updateMask: { paths: ['task_queue.name'] },
        }),
      );
      await polled(s);
      await s.call('pollActivityTaskQueue', { taskQueue: { name: s.id('other') }, identity: 'worker' });
    },
  },
  {
    name: 'activity of its own: another retry policy while it waits for its next attempt',
    run: async (s) => {
      const task = await begun(s, { retryPolicy: { initialInterval: seconds(3600) } });
      await failed(s, task);
      await s.call(
        'updateActivityExecutionOptions',
        one(s, {
          activityOptions: { retryPolicy: { initialInterval: { nanos: 10_000_000 } } },
          updateMask: { paths: ['retry_policy.initial_interval'] },
        }),
      );
      await polled(s);
    },
  },
  {
    name: 'activity of its own: another start delay',
    run: async (s) => {
      await start(s, { startDelay: seconds(3600) });
      await s.call(
        'updateActivityExecutionOptions',
        one(s, { activityOptions: { startDelay: seconds(1) }, updateMask: { paths: ['start_delay'] } }),
      );
      await described(s);
      await polled(s);
    },
  },
  {
    name: 'activity of its own: a shorter timeout while a worker has it',
    run: async (s) => {
      await begun(s, { retryPolicy: { maximumAttempts: 1 } });
      await s.call(
        'updateActivityExecutionOptions',
        one(s, {
          activityOptions: { startToCloseTimeout: { nanos: 300_000_000 } },
          updateMask: { paths: ['start_to_close_timeout'] },
        }),
      );
      await s.call('pollActivityExecution', { activityId: s.id('a') });
    },
  },
];
