import type { ActivityTask, Method, Request, Row, RowClient } from '../row-client.ts';
import { NO_RUN, command, json, long, payloads, seconds } from './values.ts';

const schedule = (s: RowClient, more: Request = {}): Request =>
  command('scheduleActivityTask', {
    activityId: 'a',
    activityType: { name: 't' },
    taskQueue: { name: s.queue },
    startToCloseTimeout: seconds(60),
    retryPolicy: { maximumAttempts: 1 },
    ...more,
  });

/** A run with one activity, which a worker has. */
async function begun(s: RowClient, more: Request = {}): Promise<ActivityTask> {
  await s.start();
  await s.complete(await s.task(), [schedule(s, more)]);
  return await s.activityTask();
}

const ends: readonly [string, Method, Request][] = [
  ['completed', 'respondActivityTaskCompleted', { result: payloads('r'), identity: 'worker' }],
  ['failed', 'respondActivityTaskFailed', { failure: failure('f'), identity: 'worker' }],
  ['failed without a failure', 'respondActivityTaskFailed', { identity: 'worker' }],
  ['canceled without a request', 'respondActivityTaskCanceled', { details: payloads('d') }],
  ['completed with too large a result', 'respondActivityTaskCompleted', { result: tooLarge() }],
  [
    'failed with too large a failure',
    'respondActivityTaskFailed',
    { failure: { message: 'f', applicationFailureInfo: { details: tooLarge() } } },
  ],
  ['told of by too large a heartbeat', 'recordActivityTaskHeartbeat', { details: tooLarge() }],
  ['completed by an identity of 1001', 'respondActivityTaskCompleted', { identity: long(1001) }],
  ['told of by a heartbeat', 'recordActivityTaskHeartbeat', { details: payloads('d') }],
];
function failure(message: string, more: Request = {}): Request {
  return { message, source: 'Raw', applicationFailureInfo: { type: 'Broken', ...more } };
}
function tooLarge(): Request {
  return { payloads: [{ data: Buffer.alloc(2 * 1024 * 1024) }] };
}

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

const wrongIds: readonly [string, (s: RowClient) => Request][] = [
  ['workflow id empty', () => ({ workflowId: '' })],
  ['activity id empty', () => ({ activityId: '' })],
  ['workflow unknown', (s) => ({ workflowId: s.id('unknown') })],
  ['run unknown', () => ({ runId: NO_RUN })],
  ['run id that is none', () => ({ runId: 'x' })],
  ['activity unknown', () => ({ activityId: 'unknown' })],
  ['namespace unknown', () => ({ namespace: 'nowhere' })],
];

export const activities: readonly Row[] = [
  ...ends.map(([name, method, request]): Row => ({
    name: `activity: ${name}`,
    run: async (s) => {
      const { taskToken } = await begun(s);
      await s.call(method, { taskToken, ...request });
      await s.history(s.id('w'));
    },
  })),
  ...byToken.flatMap((method): Row[] => [
    { name: `${method}: token unset`, run: (s) => s.call(method, {}) },
    { name: `${method}: token garbage`, run: (s) => s.call(method, { taskToken: Buffer.from([1, 2]) }) },
    {
      name: `${method}: namespace unknown`,
      run: (s) => s.call(method, { namespace: 'nowhere', taskToken: Buffer.from([1, 2]) }),
    },
    {
      name: `${method}: token of another namespace`,
      run: async (s) => {
        const { taskToken } = await begun(s);
        await s.call(method, { namespace: 'row-other', taskToken });
      },
    },
    {
      name: `${method}: after the end`,
      run: async (s) => {
        const { taskToken } = await begun(s);
        await s.do('respondActivityTaskCompleted', { taskToken });
        await s.call(method, { taskToken });
      },
    },
    {
      name: `${method}: after the run's end`,
      run: async (s) => {
        const { taskToken } = await begun(s);
        await s.do('terminateWorkflowExecution', { workflowExecution: { workflowId: s.id('w') } });
        await s.call(method, { taskToken });
      },
    },
  ]),
  ...byId.flatMap((method): Row[] => [
    {
      name: `${method}: a pending activity that nobody has begun`,
      run: async (s) => {
        await s.start();
        await s.complete(await s.task(), [schedule(s)]);
        await s.call(method, { workflowId: s.id('w'), activityId: 'a', identity: 'outside' });
        await s.history(s.id('w'));
      },
    },
    {
      name: `${method}: an activity that was begun`,
      run: async (s) => {
        await begun(s);
        await s.call(method, { workflowId: s.id('w'), activityId: 'a', identity: 'outside' });
        await s.history(s.id('w'));
      },
    },
    {
      name: `${method}: what is wrong with its ids`,
      run: async (s) => {
        await begun(s);
        for (const [name, request] of wrongIds) {
          await s.call(method, { workflowId: s.id('w'), activityId: 'a', ...request(s) }, name);
        }
      },
    },
  ]),
  {
    name: 'activity: fails, is tried again, and carries the details of its heartbeat',
    run: async (s) => {
      const first = await begun(s, {
        retryPolicy: { initialInterval: { nanos: 10_000_000 }, maximumAttempts: 3 },
        heartbeatTimeout: seconds(30),
      });
      await s.call('recordActivityTaskHeartbeat', { taskToken: first.taskToken, details: payloads('here') });
      await s.call('respondActivityTaskFailed', { taskToken: first.taskToken, failure: failure('first') });
      const second = await s.activityTask();
      await s.call('describeWorkflowExecution', { execution: { workflowId: s.id('w') } });
      await s.call('respondActivityTaskFailed', {
        taskToken: second.taskToken,
        failure: failure('second', { nonRetryable: true }),
        lastHeartbeatDetails: payloads('last'),
      });
      await s.history(s.id('w'));
    },
  },
  {
    name: 'activity: a failure that is not tried again, by its type',
    run: async (s) => {
      const { taskToken } = await begun(s, {
        retryPolicy: { maximumAttempts: 3, nonRetryableErrorTypes: ['Broken'] },
      });
      await s.call('respondActivityTaskFailed', { taskToken, failure: failure('f') });
      await s.history(s.id('w'));
    },
  },
  {
    name: 'activity: its own next retry delay',
    run: async (s) => {
      const { taskToken } = await begun(s, { retryPolicy: { maximumAttempts: 3 } });
      await s.call('respondActivityTaskFailed', {
        taskToken,
        failure: failure('f', { nextRetryDelay: seconds(3600) }),
      });
      await s.call('describeWorkflowExecution', { execution: { workflowId: s.id('w') } });
    },
  },
  ...(
    [
      [
        'schedule-to-start',
        { taskQueue: { name: 'row-nobody' }, scheduleToStartTimeout: { nanos: 50_000_000 } },
      ],
      [
        'schedule-to-close',
        {
          taskQueue: { name: 'row-nobody' },
          startToCloseTimeout: null,
          scheduleToCloseTimeout: { nanos: 50_000_000 },
        },
      ],
    ] satisfies [string, Request][]
  ).map(([name, more]): Row => ({
    name: `activity: ${name} timeout`,
    run: async (s) => {
      await s.start();
      await s.complete(await s.task(), [schedule(s, more)]);
      await s.task();
      await s.history(s.id('w'));
    },
  })),
  ...(
    [
      ['start-to-close', { startToCloseTimeout: { nanos: 50_000_000 } }],
      ['heartbeat', { heartbeatTimeout: { nanos: 500_000_000 } }],
      [
        'start-to-close, not tried again by its type,',
        {
          startToCloseTimeout: { nanos: 50_000_000 },
          retryPolicy: { maximumAttempts: 3, nonRetryableErrorTypes: ['TemporalTimeout:StartToClose'] },
        },
      ],
      [
        'heartbeat, not tried again by its type,',
        {
          heartbeatTimeout: { nanos: 500_000_000 },
          retryPolicy: { maximumAttempts: 3, nonRetryableErrorTypes: ['TemporalTimeout:Heartbeat'] },
        },
      ],
    ] satisfies [string, Request][]
  ).map(([name, more]): Row => ({
    name: `activity: ${name} timeout`,
    run: async (s) => {
      const { taskToken } = await begun(s, more);
      await s.task();
      await s.call('respondActivityTaskCompleted', { taskToken });
      await s.history(s.id('w'));
    },
  })),
  {
    name: 'activity: canceled by the workflow before it begins',
    run: async (s) => {
      await s.start();
      await s.complete(await s.task(), [schedule(s, { taskQueue: { name: 'row-nobody' } })]);
      await s.do('signalWorkflowExecution', {
        workflowExecution: { workflowId: s.id('w') },
        signalName: 's',
      });
      await s.complete(await s.task(), [command('requestCancelActivityTask', { scheduledEventId: 5 })]);
      await s.history(s.id('w'));
    },
  },
  {
    name: 'activity: canceled by the workflow, told by a heartbeat, and agreed to',
    run: async (s) => {
      const { taskToken } = await begun(s);
      await s.do('signalWorkflowExecution', {
        workflowExecution: { workflowId: s.id('w') },
        signalName: 's',
      });
      await s.complete(await s.task(), [command('requestCancelActivityTask', { scheduledEventId: 5 })]);
      await s.call('recordActivityTaskHeartbeat', { taskToken });
      await s.call('respondActivityTaskCanceled', { taskToken, details: payloads('d'), identity: 'worker' });
      await s.history(s.id('w'));
    },
  },
  {
    name: 'activity: the task that a worker gets',
    run: async (s) => {
      await s.start({ header: { fields: { no: json(1) } } });
      await s.complete(await s.task(), [
        schedule(s, {
          header: { fields: { yes: json(1) } },
          input: payloads('in'),
          heartbeatTimeout: seconds(5),
          priority: { priorityKey: 2 },
        }),
      ]);
      await s.call('pollActivityTaskQueue', { taskQueue: { name: s.queue }, identity: 'worker' });
      await s.call('describeWorkflowExecution', { execution: { workflowId: s.id('w') } });
    },
  },
  {
    name: 'activity: the eager task',
    run: async (s) => {
      await s.start();
      const { taskToken } = await s.task();
      await s.call('respondWorkflowTaskCompleted', {
        taskToken,
        identity: 'worker',
        commands: [schedule(s, { requestEagerExecution: true })],
      });
    },
  },
  ...(['pauseActivity', 'unpauseActivity', 'resetActivity', 'updateActivityOptions'] as const).flatMap(
    (method): Row[] => [
      {
        name: `${method}: what is wrong with the request`,
        run: async (s) => {
          await begun(s);
          const execution = { workflowId: s.id('w') };
          await s.call(method, {}, 'nothing');
          await s.call(method, { execution }, 'no activity');
          await s.call(method, { execution, id: 'unknown' }, 'activity unknown');
          await s.call(method, { execution, type: 'unknown' }, 'type unknown');
          await s.call(method, { execution: { workflowId: s.id('unknown') }, id: 'a' }, 'workflow unknown');
          await s.call(method, { execution: { ...execution, runId: NO_RUN }, id: 'a' }, 'run unknown');
          await s.call(method, { namespace: 'nowhere', execution, id: 'a' }, 'namespace unknown');
        },
      },
      {
        name: `${method}: an activity by its id`,
        run: async (s) => {
          await begun(s);
          await s.call(method, {
            execution: { workflowId: s.id('w') },
            id: 'a',
            identity: 'me',
            reason: 'why',
          });
          await s.call('describeWorkflowExecution', { execution: { workflowId: s.id('w') } });
        },
      },
    ],
  ),
  // As the CLI asks.
  ...(
    [
      'pauseActivityExecution',
      'unpauseActivityExecution',
      'resetActivityExecution',
      'updateActivityExecutionOptions',
    ] as const
  ).map((method): Row => ({
    name: `${method}: an activity of a workflow, and some that are not there`,
    run: async (s) => {
      await begun(s);
      const named = { workflowId: s.id('w'), activityId: 'a', identity: 'me', reason: 'why' };
      const options = {
        activityOptions: { startToCloseTimeout: seconds(7) },
        updateMask: { paths: ['start_to_close_timeout'] },
      };
      const request = method === 'updateActivityExecutionOptions' ? { ...named, ...options } : named;
      await s.call(method, request);
      await s.call('describeWorkflowExecution', { execution: { workflowId: s.id('w') } });
      await s.call(method, { ...request, activityId: 'unknown' }, 'activity unknown');
      await s.call(method, { ...request, workflowId: s.id('unknown') }, 'workflow unknown');
      await s.call(method, { ...request, runId: NO_RUN }, 'run unknown');
    },
  })),
];
