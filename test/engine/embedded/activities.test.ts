import { TaskQueueKind } from '../../../engine/embedded/protocol/proto.ts';
import { until } from '../until.ts';
import { eventTypes, endedTask } from './support/event-types.ts';
import { entered } from './support/activities.ts';
import { startTestEngine } from './support/engine.ts';
import { errorOf } from './support/rpc-error.ts';
import { expectReplays, startTestWorker, replayAll, onQueue } from './support/worker.ts';
import { openedForAll } from '../../support/opened.ts';

const taskQueue = 'activities';

const engine = openedForAll(startTestEngine);
openedForAll(() => startTestWorker(engine, taskQueue));

const run = async (workflowId: string, options: object, name: string, args: unknown[]): Promise<string> => {
  const result: unknown = await engine.client.workflow.execute(
    'withOptions',
    onQueue(taskQueue, workflowId, options, name, args),
  );
  await expectReplays(engine.client, workflowId);
  return result as string;
};

const fast = { initialInterval: '50ms', backoffCoefficient: 1 };

test('retries until it succeeds, and history shows the last attempt alone', async () => {
  expect(await run('retried', { startToCloseTimeout: '5s', retry: fast }, 'flaky', ['retried', 2])).toBe(
    'ok 3',
  );
  const { events } = await engine.client.workflow.getHandle('retried').fetchHistory();
  const started = (events ?? []).filter((event) => event.activityTaskStartedEventAttributes);
  expect(started).toHaveLength(1);
  expect(started[0]?.activityTaskStartedEventAttributes).toMatchObject({
    attempt: 3,
    lastFailure: { message: 'attempt 2' },
  });
});

test('stops when its attempts are used up, at a failure that must not be retried, and by its type', async () => {
  const limited = { startToCloseTimeout: '5s', retry: { ...fast, maximumAttempts: 2 } };
  expect(await run('exhausted', limited, 'failWith', [{ type: 'Twice' }])).toBe(
    'ActivityFailure MAXIMUM_ATTEMPTS_REACHED < ApplicationFailure Twice',
  );
  expect(entered.get('Twice')).toBe(2);
  expect(await run('final', limited, 'failWith', [{ type: 'Final', nonRetryable: true }])).toBe(
    'ActivityFailure NON_RETRYABLE_FAILURE < ApplicationFailure Final',
  );
  expect(entered.get('Final')).toBe(1);
  const listed = { startToCloseTimeout: '5s', retry: { ...fast, nonRetryableErrorTypes: ['Listed'] } };
  expect(await run('listed', listed, 'failWith', [{ type: 'Listed' }])).toBe(
    'ActivityFailure NON_RETRYABLE_FAILURE < ApplicationFailure Listed',
  );
});

test('a failure may say when to retry', async () => {
  const options = { startToCloseTimeout: '5s', retry: { initialInterval: '1h', maximumAttempts: 2 } };
  expect(await run('delay', options, 'failWith', [{ type: 'Delay', nextRetryDelay: 50 }])).toMatch(/Delay/);
  expect(entered.get('Delay')).toBe(2);
});

describe('timeouts', () => {
  const once = { maximumAttempts: 1 };

  test('start to close', async () => {
    expect(
      await run('start-to-close', { startToCloseTimeout: '300ms', retry: once }, 'slow', ['s2c', 3000]),
    ).toBe('ActivityFailure MAXIMUM_ATTEMPTS_REACHED < TimeoutFailure START_TO_CLOSE');
  });

  test('heartbeat', async () => {
    const options = { startToCloseTimeout: '10s', heartbeatTimeout: '300ms', retry: once };
    expect(await run('heartbeat', options, 'slow', ['hb', 3000])).toBe(
      'ActivityFailure MAXIMUM_ATTEMPTS_REACHED < TimeoutFailure HEARTBEAT',
    );
  });

  test('schedule to start, which is never retried', async () => {
    const options = { taskQueue: 'nobody', scheduleToStartTimeout: '300ms', startToCloseTimeout: '5s' };
    expect(await run('schedule-to-start', options, 'echo', ['x'])).toBe(
      'ActivityFailure TIMEOUT < TimeoutFailure SCHEDULE_TO_START',
    );
  });

  test('schedule to close, which gives up before a retry that would be too late', async () => {
    const options = {
      scheduleToCloseTimeout: '4s',
      retry: { initialInterval: '2500ms', backoffCoefficient: 1 },
    };
    expect(await run('schedule-to-close', options, 'failWith', [{ type: 'Late' }])).toBe(
      'ActivityFailure TIMEOUT < TimeoutFailure SCHEDULE_TO_CLOSE',
    );
    const { events } = await engine.client.workflow.getHandle('schedule-to-close').fetchHistory();
    const timedOut = (events ?? []).map((event) => event.activityTaskTimedOutEventAttributes).find(Boolean);
    expect(timedOut?.failure?.cause?.message).toBe('Late');
  });
});

test('a retry finds what the attempt before it left in its heartbeat', async () => {
  const options = { startToCloseTimeout: '5s', heartbeatTimeout: '2s', retry: fast };
  expect(await run('details', options, 'leaveDetails', [])).toBe('ok {"offset":42}');
});

test('cancellation reaches a running activity through its heartbeat', async () => {
  const result: unknown = await engine.client.workflow.execute(
    'cancelsActivity',
    onQueue(taskQueue, 'cancelled', 'cancelled', 300),
  );
  expect(result).toMatch(/^ActivityFailure .*< CancelledFailure/);
  await expectReplays(engine.client, 'cancelled');
});

test('an activity that nobody took is cancelled at once', async () => {
  const result: unknown = await engine.client.workflow.execute(
    'cancelsUnstarted',
    onQueue(taskQueue, 'unstarted'),
  );
  expect(result).toMatch(/CancelledFailure/);
  const { events } = await engine.client.workflow.getHandle('unstarted').fetchHistory();
  expect(eventTypes(events).slice(9)).toEqual([
    'WORKFLOW_TASK_COMPLETED',
    'ACTIVITY_TASK_CANCEL_REQUESTED',
    'ACTIVITY_TASK_CANCELED',
    ...endedTask('COMPLETED'),
    'WORKFLOW_EXECUTION_COMPLETED',
  ]);
  await expectReplays(engine.client, 'unstarted');
});

test('an activity can be completed elsewhere, by token and by id', async () => {
  const { workflowService } = engine.connection;
  const start = (workflowId: string) =>
    engine.client.workflow.start(
      'withOptions',
      onQueue(
        taskQueue,
        workflowId,
        { taskQueue: 'elsewhere', startToCloseTimeout: '10s', heartbeatTimeout: '5s' },
        'echo',
        ['x'],
      ),
    );
  const poll = () =>
    engine.connection.withDeadline(Date.now() + 10_000, () =>
      workflowService.pollActivityTaskQueue({
        namespace: 'default',
        taskQueue: { name: 'elsewhere', kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
        identity: 'by hand',
      }),
    );
  const result = {
    payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('1') }],
  };
  const byToken = await start('by-token');
  const task = await poll();
  expect(task.startToCloseTimeout).toBeTruthy();
  expect(task.scheduleToCloseTimeout).toBeTruthy();
  expect(task.heartbeatTimeout).toBeTruthy();
  await workflowService.recordActivityTaskHeartbeat({ namespace: 'default', taskToken: task.taskToken });
  await workflowService.respondActivityTaskCompleted({
    namespace: 'default',
    taskToken: task.taskToken,
    result,
  });
  expect(await byToken.result()).toBe('ok 1');
  const stale = await errorOf(
    workflowService.respondActivityTaskCompleted({ namespace: 'default', taskToken: task.taskToken }),
  );
  expect(stale).toMatchObject({ code: 5, message: 'workflow execution already completed' });
  const byId = await start('by-id');
  await poll();
  await workflowService.respondActivityTaskCompletedById({
    namespace: 'default',
    workflowId: 'by-id',
    activityId: '1',
    result,
  });
  expect(await byId.result()).toBe('ok 1');
});

test('a worker that lost an activity to a timeout is refused', async () => {
  const { workflowService } = engine.connection;
  await engine.client.workflow.start(
    'withOptions',
    onQueue(taskQueue, 'fenced', { taskQueue: 'fenced', startToCloseTimeout: '300ms', retry: fast }, 'echo', [
      'x',
    ]),
  );
  const poll = () =>
    engine.connection.withDeadline(Date.now() + 10_000, () =>
      workflowService.pollActivityTaskQueue({
        namespace: 'default',
        taskQueue: { name: 'fenced', kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
      }),
    );
  const lost = await poll();
  const next = await poll();
  expect([lost.attempt, next.attempt]).toEqual([1, 2]);
  expect(
    await errorOf(
      workflowService.respondActivityTaskCompleted({ namespace: 'default', taskToken: lost.taskToken }),
    ),
  ).toEqual({
    code: 5,
    message: 'invalid activityID or activity already timed out or invoking workflow is completed',
    details: ['NotFoundFailure'],
  });
});

test('a pending activity is described with what its last attempt left', async () => {
  const handle = await engine.client.workflow.start(
    'flakyStep',
    onQueue(taskQueue, 'described', 'described', 1, 60_000),
  );
  await until(async () => (await handle.describe()).raw.pendingActivities?.[0]?.attempt === 2);
  const { raw } = await handle.describe();
  expect(raw.pendingActivities?.[0]).toMatchObject({
    activityId: '1',
    state: 1,
    attempt: 2,
    lastFailure: { message: 'attempt 1' },
  });
  expect(raw.pendingActivities?.[0]?.nextAttemptScheduleTime).toBeTruthy();
  await handle.terminate();
});

test('local activities leave a marker and no activity', async () => {
  const handle = await engine.client.workflow.start('localStep', onQueue(taskQueue, 'local', 'x'));
  expect(await handle.result()).toBe('echo:x');
  const { events } = await handle.fetchHistory();
  expect(eventTypes(events)).toEqual([
    'WORKFLOW_EXECUTION_STARTED',
    ...endedTask('COMPLETED'),
    'MARKER_RECORDED',
    'WORKFLOW_EXECUTION_COMPLETED',
  ]);
  await expectReplays(engine.client, 'local');
});

test('a hundred activities of one task all run', async () => {
  const options = { taskQueue, workflowId: 'fan-out', args: [100] as [number] };
  expect(await engine.client.workflow.execute('fanOut', options)).toBe(100);
  await expectReplays(engine.client, 'fan-out');
});

test('every history that these tests made replays', async () => {
  expect(await replayAll(engine.client)).toBeGreaterThan(0);
}, 180_000);
