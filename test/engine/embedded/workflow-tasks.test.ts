import { CommandType } from '../../../engine/embedded/protocol/proto.ts';
import { until } from '../until.ts';
import { eventTypes, endedTask } from './support/event-types.ts';
import { startTestEngine } from './support/engine.ts';
import { RawWorker, closeCommand, timerCommand } from './support/raw.ts';
import { errorOf } from './support/rpc-error.ts';
import { expectReplays, startTestWorker, replayAll, onQueue } from './support/worker.ts';
import { openedForAll } from '../../support/opened.ts';

const engine = openedForAll(startTestEngine);

const started = async (workflowId: string, options: object = {}): Promise<RawWorker> => {
  await engine.client.workflow.start('empty', { workflowId, taskQueue: workflowId, ...options });
  return new RawWorker(engine, workflowId);
};

const types = async (workflowId: string): Promise<string[]> => {
  const { events } = await engine.client.workflow.getHandle(workflowId).fetchHistory();
  return eventTypes(events);
};

test('later attempts are shown but not written until one succeeds', async () => {
  const raw = await started('attempts');
  for (let attempt = 1; attempt <= 3; attempt++) {
    const task = await raw.poll();
    expect(task.attempt).toBe(attempt);
    expect(Number(task.startedEventId)).toBe(attempt === 1 ? 3 : 6);
    await raw.fail(task);
    expect(await types('attempts')).toEqual([
      'WORKFLOW_EXECUTION_STARTED',
      ...endedTask('FAILED'),
      'WORKFLOW_TASK_SCHEDULED',
    ]); // The last one is only promised.
  }
  await raw.complete(await raw.poll(), [closeCommand]);
  expect(await types('attempts')).toEqual([
    'WORKFLOW_EXECUTION_STARTED',
    ...endedTask('FAILED'),
    ...endedTask('COMPLETED'),
    'WORKFLOW_EXECUTION_COMPLETED',
  ]);
  const { events } = await engine.client.workflow.getHandle('attempts').fetchHistory();
  expect(events?.[4]?.workflowTaskScheduledEventAttributes?.attempt).toBe(4);
});

test('a signal between attempts makes the next one a first attempt again', async () => {
  const raw = await started('interrupted');
  await raw.fail(await raw.poll());
  await engine.client.workflow.getHandle('interrupted').signal('add', 1);
  const task = await raw.poll();
  expect(task.attempt).toBe(1);
  await raw.complete(task, [closeCommand]);
  expect(await types('interrupted')).toEqual([
    'WORKFLOW_EXECUTION_STARTED',
    ...endedTask('FAILED'),
    'WORKFLOW_EXECUTION_SIGNALED',
    ...endedTask('COMPLETED'),
    'WORKFLOW_EXECUTION_COMPLETED',
  ]);
});

test('a worker that keeps a task beyond its timeout loses it', async () => {
  const raw = await started('overdue', { workflowTaskTimeout: 2000 });
  const lost = await raw.poll();
  const task = await raw.poll();
  expect(task.attempt).toBe(2);
  expect((await errorOf(raw.complete(lost, [closeCommand]))).message).toBe('Workflow task not found.');
  await raw.complete(task, [closeCommand]);
  expect(await types('overdue')).toEqual([
    'WORKFLOW_EXECUTION_STARTED',
    ...endedTask('TIMED_OUT'),
    ...endedTask('COMPLETED'),
    'WORKFLOW_EXECUTION_COMPLETED',
  ]);
});

test('a run is not closed over a signal that its workflow has not seen', async () => {
  const raw = await started('unhandled');
  const task = await raw.poll();
  await engine.client.workflow.getHandle('unhandled').signal('add', 1);
  const error = await errorOf(raw.complete(task, [closeCommand]));
  expect(error.message).toBe('UnhandledCommand');
  await raw.complete(await raw.poll(), [closeCommand]);
  expect(await types('unhandled')).toEqual([
    'WORKFLOW_EXECUTION_STARTED',
    ...endedTask('FAILED'),
    'WORKFLOW_EXECUTION_SIGNALED',
    ...endedTask('COMPLETED'),
    'WORKFLOW_EXECUTION_COMPLETED',
  ]);
});

test('a bad command fails the task and changes nothing else', async () => {
  const raw = await started('bad-command');
  const error = await errorOf(
    raw.complete(await raw.poll(), [
      timerCommand('kept-out', 1000),
      {
        commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
        scheduleActivityTaskCommandAttributes: { taskQueue: { name: 'bad-command' } },
      },
    ]),
  );
  expect(error.message).toBe('BadScheduleActivityAttributes: activityId is not set');
  expect(await types('bad-command')).toEqual([
    'WORKFLOW_EXECUTION_STARTED',
    ...endedTask('FAILED'),
    'WORKFLOW_TASK_SCHEDULED',
  ]);
  await raw.complete(await raw.poll(), [closeCommand]);
  expect(await types('bad-command')).toEqual([
    'WORKFLOW_EXECUTION_STARTED',
    ...endedTask('FAILED'),
    ...endedTask('COMPLETED'),
    'WORKFLOW_EXECUTION_COMPLETED',
  ]);
});

test('terminating a run fails the task that a worker has', async () => {
  const raw = await started('terminated');
  await raw.poll();
  await engine.client.workflow.getHandle('terminated').terminate('enough');
  expect(await types('terminated')).toEqual([
    'WORKFLOW_EXECUTION_STARTED',
    ...endedTask('FAILED'),
    'WORKFLOW_EXECUTION_TERMINATED',
  ]);
});

test('a timer that fires during a task and is cancelled by its answer has not fired', async () => {
  const raw = await started('late-timer');
  await raw.complete(await raw.poll(), [timerCommand('1', 1000)]);
  const handle = engine.client.workflow.getHandle('late-timer');
  await handle.signal('add', 1);
  const task = await raw.poll();
  // While a worker has a task, nothing but the timer writes to the run.
  const writes = async (): Promise<number> =>
    Number((await handle.describe()).raw.workflowExecutionInfo?.stateTransitionCount);
  const before = await writes();
  await until(async () => (await writes()) > before);
  await raw.complete(task, [
    { commandType: CommandType.COMMAND_TYPE_CANCEL_TIMER, cancelTimerCommandAttributes: { timerId: '1' } },
    closeCommand,
  ]);
  expect(await types('late-timer')).toEqual([
    'WORKFLOW_EXECUTION_STARTED',
    ...endedTask('COMPLETED'),
    'TIMER_STARTED',
    'WORKFLOW_EXECUTION_SIGNALED',
    ...endedTask('COMPLETED'),
    'TIMER_CANCELED',
    'WORKFLOW_EXECUTION_COMPLETED',
  ]);
});

test('an answer takes the next task along when one is due', async () => {
  const raw = await started('inline');
  const task = await raw.poll();
  await engine.client.workflow.getHandle('inline').signal('add', 1);
  const { workflowTask } = await raw.complete(task, [], { returnNewWorkflowTask: true });
  // The worker has seen what was before.
  expect(eventTypes(workflowTask?.history?.events)).toEqual([
    'WORKFLOW_TASK_COMPLETED',
    'WORKFLOW_EXECUTION_SIGNALED',
    'WORKFLOW_TASK_SCHEDULED',
    'WORKFLOW_TASK_STARTED',
  ]);
});

test('a history of several pages reaches a worker that starts from nothing', async () => {
  const first = await startTestWorker(engine, 'long');
  const handle = await engine.client.workflow.start('steps', onQueue('long', 'long', 120));
  await handle.result();
  await first.close();
  await expectReplays(engine.client, 'long');
  const counter = await engine.client.workflow.start('counter', { taskQueue: 'long', workflowId: 'cold' });
  await Promise.all(Array.from({ length: 300 }, () => counter.signal('add', 1)));
  const second = await startTestWorker(engine, 'long', { maxCachedWorkflows: 0 });
  await counter.signal('finish');
  expect(await counter.result()).toBe(300);
  await second.close();
});

test('every history that these tests made replays', async () => {
  expect(await replayAll(engine.client)).toBeGreaterThan(0);
}, 180_000);
