import type { Request, Row, RowClient } from '../row-client.ts';
import { NO_RUN, command, completion, json, long, payloads, seconds } from './values.ts';

const activity = (more: Request = {}): Request =>
  command('scheduleActivityTask', {
    activityId: 'a',
    activityType: { name: 't' },
    taskQueue: { name: 'nobody' },
    startToCloseTimeout: seconds(60),
    ...more,
  });
const timer = (more: Request = {}): Request =>
  command('startTimer', { timerId: 't', startToFireTimeout: seconds(3600), ...more });
const child = (more: Request = {}): Request =>
  command('startChildWorkflowExecution', {
    workflowId: 'not-started',
    workflowType: { name: 't' },
    taskQueue: { name: 'nobody' },
    ...more,
  });
const signal = (more: Request = {}): Request =>
  command('signalExternalWorkflowExecution', {
    execution: { workflowId: 'nobody-has-this' },
    signalName: 's',
    ...more,
  });
const cancel = (more: Request = {}): Request =>
  command('requestCancelExternalWorkflowExecution', { workflowId: 'nobody-has-this', ...more });
const carryOn = (more: Request = {}): Request => command('continueAsNewWorkflowExecution', more);
const upsert = (fields: Request): Request =>
  command('upsertWorkflowSearchAttributes', { searchAttributes: { indexedFields: fields } });
const memo = (fields: Request): Request => command('modifyWorkflowProperties', { upsertedMemo: { fields } });
const marker = (more: Request = {}): Request => command('recordMarker', { markerName: 'm', ...more });
const tooLarge = { payloads: [{ data: Buffer.alloc(2 * 1024 * 1024) }] };

const lists: readonly [string, readonly Request[]][] = [
  ['none', []],
  ['without a type', [{}]],
  ['activity: attributes unset', [command('scheduleActivityTask', null)]],
  ['activity: id empty', [activity({ activityId: '' })]],
  ['activity: id of 1001', [activity({ activityId: long(1001) })]],
  ['activity: type empty', [activity({ activityType: { name: '' } })]],
  ['activity: type unset', [activity({ activityType: null })]],
  ['activity: type of 1001', [activity({ activityType: { name: long(1001) } })]],
  ['activity: no timeouts', [activity({ startToCloseTimeout: null })]],
  ['activity: negative timeout', [activity({ startToCloseTimeout: seconds(-1) })]],
  ['activity: negative schedule-to-close', [activity({ scheduleToCloseTimeout: seconds(-1) })]],
  ['activity: negative heartbeat', [activity({ heartbeatTimeout: seconds(-1) })]],
  [
    'activity: schedule-to-close alone',
    [activity({ startToCloseTimeout: null, scheduleToCloseTimeout: seconds(9) })],
  ],
  [
    'activity: all timeouts',
    [
      activity({
        scheduleToCloseTimeout: seconds(50),
        scheduleToStartTimeout: seconds(70),
        startToCloseTimeout: seconds(60),
        heartbeatTimeout: seconds(90),
      }),
    ],
  ],
  ['activity: no queue', [activity({ taskQueue: null })]],
  ['activity: queue reserved', [activity({ taskQueue: { name: '/_sys/q' } })]],
  ['activity: queue of 1001', [activity({ taskQueue: { name: long(1001) } })]],
  ['activity: retry policy wrong', [activity({ retryPolicy: { backoffCoefficient: 0.3 } })]],
  ['activity: retry policy with defaults', [activity({ retryPolicy: { maximumAttempts: 4 } })]],
  ['activity: input too large', [activity({ input: tooLarge })]],
  ['activity: priority wrong', [activity({ priority: { priorityKey: -2 } })]],
  [
    'activity: header, input, priority',
    [activity({ header: { fields: { h: json(1) } }, input: payloads(1), priority: { priorityKey: 4 } })],
  ],
  ['activity: the same id twice', [activity(), activity()]],
  [
    'activity: cancel of one that is not there',
    [command('requestCancelActivityTask', { scheduledEventId: 99 })],
  ],
  [
    'activity: cancel of one of the same task',
    [activity(), command('requestCancelActivityTask', { scheduledEventId: 5 })],
  ],
  ['activity: cancel without an id', [command('requestCancelActivityTask', {})]],
  ['activity: cancel without attributes', [command('requestCancelActivityTask', null)]],
  ['timer', [timer()]],
  ['timer: attributes unset', [command('startTimer', null)]],
  ['timer: id empty', [timer({ timerId: '' })]],
  ['timer: id of 1001', [timer({ timerId: long(1001) })]],
  ['timer: negative', [timer({ startToFireTimeout: seconds(-1) })]],
  ['timer: the same id twice', [timer(), timer()]],
  ['timer: canceled in the same task', [timer(), command('cancelTimer', { timerId: 't' })]],
  ['timer: cancel of an unknown one', [command('cancelTimer', { timerId: 'unknown' })]],
  ['timer: cancel without an id', [command('cancelTimer', {})]],
  ['timer: cancel without attributes', [command('cancelTimer', null)]],
  [
    'timer: id used again after it was canceled',
    [timer(), command('cancelTimer', { timerId: 't' }), timer()],
  ],
  ['marker', [marker({ details: { d: payloads(1) }, header: { fields: { h: json(1) } } })]],
  ['marker: failure', [marker({ failure: { message: 'f' } })]],
  ['marker: name empty', [marker({ markerName: '' })]],
  ['marker: name of 1001', [marker({ markerName: long(1001) })]],
  ['marker: attributes unset', [command('recordMarker', null)]],
  ['marker: details too large', [marker({ details: { d: tooLarge } })]],
  [
    'marker: of a local activity',
    [
      marker({
        markerName: 'core_local_activity',
        details: { data: payloads({ seq: 1 }), result: payloads('r') },
      }),
    ],
  ],
  [
    'marker: of a patch and its search attribute',
    [
      marker({
        markerName: 'core_patch',
        details: { 'patch-data': payloads({ id: 'p', deprecated: false }) },
      }),
      upsert({ TemporalChangeVersion: json(['p']) }),
    ],
  ],
  [
    'marker: of a side effect and of a version',
    [
      marker({ markerName: 'SideEffect', details: { data: payloads('x') } }),
      marker({ markerName: 'Version', details: { 'change-id': payloads('c'), version: payloads(1) } }),
    ],
  ],
  ['search attributes', [upsert({ RowKeyword: json('k'), RowInt: json(1) })]],
  ['search attributes: none', [upsert({})]],
  ['search attributes: attributes unset', [command('upsertWorkflowSearchAttributes', null)]],
  ['search attributes: unknown', [upsert({ Nope: json('k') })]],
  ['search attributes: of the system', [upsert({ WorkflowId: json('k') })]],
  ['search attributes: of a wrong type', [upsert({ RowInt: json('k') })]],
  ['search attributes: removed', [upsert({ RowKeyword: json('k') }), upsert({ RowKeyword: json([]) })]],
  ['memo', [memo({ one: json(1) }), memo({ one: { metadata: { encoding: Buffer.from('binary/null') } } })]],
  ['memo: none', [command('modifyWorkflowProperties', {})]],
  ['memo: attributes unset', [command('modifyWorkflowProperties', null)]],
  ['memo: too large', [memo({ one: { data: Buffer.alloc(2 * 1024 * 1024) } })]],
  ['child: attributes unset', [command('startChildWorkflowExecution', null)]],
  ['child: id empty', [child({ workflowId: '' })]],
  ['child: id of 1001', [child({ workflowId: long(1001) })]],
  ['child: type empty', [child({ workflowType: { name: '' } })]],
  ['child: type of 1001', [child({ workflowType: { name: long(1001) } })]],
  ['child: queue reserved', [child({ taskQueue: { name: '/_sys/q' } })]],
  ['child: namespace unknown', [child({ namespace: 'nowhere' })]],
  ['child: negative execution timeout', [child({ workflowExecutionTimeout: seconds(-1) })]],
  ['child: negative run timeout', [child({ workflowRunTimeout: seconds(-1) })]],
  ['child: negative task timeout', [child({ workflowTaskTimeout: seconds(-1) })]],
  ['child: retry policy wrong', [child({ retryPolicy: { maximumAttempts: -1 } })]],
  ['child: cron wrong', [child({ cronSchedule: 'x' })]],
  ['child: search attribute unknown', [child({ searchAttributes: { indexedFields: { Nope: json(1) } } })]],
  ['child: memo too large', [child({ memo: { fields: { m: { data: Buffer.alloc(2 * 1024 * 1024) } } } })]],
  ['external signal: attributes unset', [command('signalExternalWorkflowExecution', null)]],
  ['external signal: execution unset', [signal({ execution: null })]],
  ['external signal: id empty', [signal({ execution: { workflowId: '' } })]],
  ['external signal: run id that is none', [signal({ execution: { workflowId: 'x', runId: 'y' } })]],
  ['external signal: name empty', [signal({ signalName: '' })]],
  ['external signal: namespace unknown', [signal({ namespace: 'nowhere' })]],
  ['external signal: input too large', [signal({ input: tooLarge })]],
  ['external cancel: attributes unset', [command('requestCancelExternalWorkflowExecution', null)]],
  ['external cancel: id empty', [cancel({ workflowId: '' })]],
  ['external cancel: run id that is none', [cancel({ runId: 'x' })]],
  ['external cancel: namespace unknown', [cancel({ namespace: 'nowhere' })]],
  ['completion with a result', [command('completeWorkflowExecution', { result: payloads('r') })]],
  ['completion: attributes unset', [command('completeWorkflowExecution', null)]],
  ['completion: result too large', [command('completeWorkflowExecution', { result: tooLarge })]],
  ['completion twice', [completion, completion]],
  ['completion before a timer', [completion, timer()]],
  ['completion after a timer and an activity', [timer(), activity(), completion]],
  [
    'failure',
    [command('failWorkflowExecution', { failure: { message: 'f', applicationFailureInfo: { type: 'T' } } })],
  ],
  ['failure unset', [command('failWorkflowExecution', {})]],
  ['failure: attributes unset', [command('failWorkflowExecution', null)]],
  [
    'failure too large',
    [
      command('failWorkflowExecution', {
        failure: { message: 'f', applicationFailureInfo: { details: tooLarge } },
      }),
    ],
  ],
  ['cancellation', [command('cancelWorkflowExecution', { details: payloads('d') })]],
  ['cancellation: attributes unset', [command('cancelWorkflowExecution', null)]],
  ['continue as new: attributes unset', [command('continueAsNewWorkflowExecution', null)]],
  ['continue as new: type of 1001', [carryOn({ workflowType: { name: long(1001) } })]],
  [
    'continue as new: queue reserved',
    [carryOn({ workflowType: { name: 't' }, taskQueue: { name: '/_sys/q' } })],
  ],
  [
    'continue as new: negative run timeout',
    [carryOn({ workflowType: { name: 't' }, workflowRunTimeout: seconds(-1) })],
  ],
  [
    'continue as new: negative task timeout',
    [carryOn({ workflowType: { name: 't' }, workflowTaskTimeout: seconds(-1) })],
  ],
  [
    'continue as new: negative back-off',
    [carryOn({ workflowType: { name: 't' }, backoffStartInterval: seconds(-1) })],
  ],
  ['continue as new: retry policy wrong', [carryOn({ retryPolicy: { backoffCoefficient: 0.1 } })]],
  [
    'continue as new: search attribute unknown',
    [carryOn({ searchAttributes: { indexedFields: { Nope: json(1) } } })],
  ],
  ['continue as new: input too large', [carryOn({ input: tooLarge })]],
  ['protocol message that is not there', [command('protocolMessage', { messageId: 'none' })]],
  ['protocol message: id empty', [command('protocolMessage', {})]],
  ['metadata of a user', [{ ...timer(), userMetadata: { summary: json('s') } }]],
];

const task = (name: string, play: (s: RowClient) => Promise<unknown>): Row => ({
  name: `workflow task: ${name}`,
  run: play,
});
const respond = (s: RowClient, request: Request): Promise<unknown> =>
  s.call('respondWorkflowTaskCompleted', request);
const garbage = Buffer.from([1, 2, 3]);

/** A command and what follows from it by itself, which the history tells once it has happened. */
const followed = (name: string, commandOf: () => Request, type: string): Row => ({
  name: `commands: ${name}`,
  run: async (s) => {
    const { workflowId } = await s.start();
    const { taskToken } = await s.task();
    await respond(s, { taskToken, identity: 'worker', commands: [commandOf()] });
    await s.until(workflowId, (types) => types.includes(`EVENT_TYPE_${type}`));
    await s.history(workflowId);
  },
});

export const commands: readonly Row[] = [
  ...lists.map(([name, list]): Row => ({ name: `commands: ${name}`, run: (s) => s.commands(list) })),
  followed('timer: no time', () => timer({ startToFireTimeout: null }), 'TIMER_FIRED'),
  followed('timer: zero', () => timer({ startToFireTimeout: seconds(0) }), 'TIMER_FIRED'),
  followed(
    'external signal: name of 1001',
    () => signal({ signalName: long(1001) }),
    'SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED',
  ),
  task('token unset', (s) => respond(s, {})),
  task('token garbage', (s) => respond(s, { taskToken: garbage })),
  task('token unset, in a namespace that is not there', (s) => respond(s, { namespace: 'nowhere' })),
  task('token of another namespace', async (s) => {
    await s.start();
    const { taskToken } = await s.task();
    await respond(s, { taskToken, namespace: 'row-other' });
  }),
  task('failed with a token of another namespace', async (s) => {
    await s.start();
    const { taskToken } = await s.task();
    await s.call('respondWorkflowTaskFailed', { namespace: 'row-other', taskToken });
    await s.call('respondWorkflowTaskFailed', { namespace: 'nowhere', taskToken }, 'of an unknown one');
    await s.call('respondWorkflowTaskFailed', { namespace: '', taskToken }, 'of none');
  }),
  task('failed with a token that is unset', (s) => s.call('respondWorkflowTaskFailed', {})),
  task('failed with a token that is garbage', (s) =>
    s.call('respondWorkflowTaskFailed', { taskToken: garbage }),
  ),
  task('identity of 1001', async (s) => {
    await s.start();
    const { taskToken } = await s.task();
    await respond(s, { taskToken, identity: long(1001), commands: [completion] });
  }),
  task('answered twice', async (s) => {
    await s.start();
    const { taskToken } = await s.task();
    await respond(s, { taskToken });
    await respond(s, { taskToken });
    await s.call('respondWorkflowTaskFailed', { taskToken });
  }),
  task('failed, tried again and done', async (s) => {
    const { workflowId } = await s.start();
    const { taskToken } = await s.task();
    await s.call('respondWorkflowTaskFailed', {
      taskToken,
      cause: 'WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR',
      failure: { message: 'no' },
      identity: 'worker',
    });
    const next = await s.task();
    await s.history(workflowId);
    await s.complete(next, [completion]);
    await s.history(workflowId);
  }),
  task('closing with a signal that came meanwhile', async (s) => {
    const { workflowId } = await s.start();
    const { taskToken } = await s.task();
    await s.do('signalWorkflowExecution', { workflowExecution: { workflowId }, signalName: 'sig' });
    await respond(s, { taskToken, commands: [completion] });
    await s.history(workflowId);
  }),
  task('a new one at once', async (s) => {
    const { workflowId } = await s.start();
    const { taskToken } = await s.task();
    await respond(s, {
      taskToken,
      identity: 'worker',
      forceCreateNewWorkflowTask: true,
      returnNewWorkflowTask: true,
    });
    await s.history(workflowId);
  }),
  task('a timer that has fired', async (s) => {
    const { workflowId } = await s.start();
    await s.complete(await s.task(), [timer({ startToFireTimeout: { nanos: 10_000_000 } })]);
    await s.complete(await s.task(), [completion]);
    await s.history(workflowId);
  }),
  task('continued as new', async (s) => {
    const { workflowId, runId } = await s.commands(
      [carryOn({ workflowType: { name: 'next' }, input: payloads(2), memo: { fields: { m: json(1) } } })],
      { memo: { fields: { first: json(1) } }, searchAttributes: { indexedFields: { RowInt: json(3) } } },
    );
    await s.call('describeWorkflowExecution', { execution: { workflowId, runId } }, 'the first run');
  }),
  task('version and SDK of the worker', async (s) => {
    const { workflowId } = await s.start();
    const { taskToken } = await s.task();
    await respond(s, {
      taskToken,
      identity: 'worker',
      sdkMetadata: { langUsedFlags: [1], sdkName: 'raw', sdkVersion: '1' },
      meteringMetadata: { nonfirstLocalActivityExecutionAttempts: 2 },
      binaryChecksum: 'sum',
      commands: [timer()],
    });
    await s.history(workflowId);
    await s.call('describeWorkflowExecution', { execution: { workflowId } });
  }),
  task('run id of another', (s) =>
    s.call('getWorkflowExecutionHistory', { execution: { workflowId: s.id('w'), runId: NO_RUN } }),
  ),
];
