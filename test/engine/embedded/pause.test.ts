import { randomUUID } from 'node:crypto';
import { CommandType, HistoryEventFilterType } from '../../../engine/embedded/protocol/proto.ts';
import { long } from '../../../engine/embedded/protocol/values.ts';
import { until } from '../until.ts';
import { EngineProcess } from './support/engine-process.ts';
import { type TestEngine, startTestEngine } from './support/engine.ts';
import { eventTypes } from './support/event-types.ts';
import { type RawCommand, RawWorker, closeCommand, timerCommand } from './support/raw.ts';
import { errorOf, refusal } from './support/rpc-error.ts';
import { onQueue } from './support/worker.ts';

/** What happens to a paused run; expected is what the dev server 1.32.0 did with frontend.WorkflowPauseEnabled. */

jest.setTimeout(120_000);

type Target = Pick<TestEngine, 'connection' | 'client'>;

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.close());

const pauseIt = (id: string, more = {}, { connection }: Target = engine) =>
  connection.workflowService.pauseWorkflowExecution({
    namespace: 'default',
    workflowId: id,
    identity: 'me',
    reason: 'why',
    requestId: 'first',
    ...more,
  });
const unpauseIt = (id: string, { connection }: Target = engine) =>
  connection.workflowService.unpauseWorkflowExecution({ namespace: 'default', workflowId: id, reason: 'go' });
const types = async (id: string, { client }: Target = engine) =>
  eventTypes((await client.workflow.getHandle(id).fetchHistory()).events ?? []).map((type) =>
    type.replace('WORKFLOW_EXECUTION_', '').replace('WORKFLOW_TASK', 'TASK'),
  );
const shown = async (id: string, { client }: Target = engine) => {
  const { raw } = await client.workflow.getHandle(id).describe();
  const { status, searchAttributes } = raw.workflowExecutionInfo ?? {};
  const info = searchAttributes?.indexedFields?.['TemporalPauseInfo'];
  const { pauseInfo } = raw.workflowExtendedInfo ?? {};
  return {
    status,
    info: info && (JSON.parse(Buffer.from(info.data ?? []).toString()) as unknown),
    by: pauseInfo ? [pauseInfo.identity, pauseInfo.reason] : undefined,
    task: raw.pendingWorkflowTask?.state,
  };
};
const PAUSED = 8;
const RUNNING = 1;

async function started(id: string, target: Target = engine, options = {}): Promise<RawWorker> {
  await target.client.workflow.start('any', { ...onQueue(`queue ${id}`, id), ...options });
  return new RawWorker(target, `queue ${id}`);
}

const activity = (worker: RawWorker, more = {}): RawCommand => ({
  commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
  scheduleActivityTaskCommandAttributes: {
    activityId: 'a',
    activityType: { name: 'a' },
    taskQueue: { name: worker.queue },
    startToCloseTimeout: { seconds: long(60) },
    ...more,
  },
});

const pollActivity = ({ connection }: Target, queue: string, ms: number) =>
  connection.withDeadline(Date.now() + ms, () =>
    connection.workflowService.pollActivityTaskQueue({ namespace: 'default', taskQueue: { name: queue } }),
  );

const isIdle = async (worker: RawWorker): Promise<boolean> =>
  (await worker.poll({ deadlineMs: 2200 })).taskToken.length === 0;

test('a task that waits is taken back, and what comes meanwhile waits for the run to go on', async () => {
  const worker = await started('waiting');
  await pauseIt('waiting');
  expect(await shown('waiting')).toEqual({
    status: PAUSED,
    info: ['Workflow:waiting', 'Reason:why'],
    by: ['me', 'why'],
    task: undefined,
  });
  const { client } = engine;
  const handle = client.workflow.getHandle('waiting');
  await handle.signal('s');
  await handle.cancel();
  expect(await isIdle(worker)).toBe(true);
  const before = ['STARTED', 'TASK_SCHEDULED', 'TASK_FAILED', 'PAUSED', 'SIGNALED', 'CANCEL_REQUESTED'];
  expect(await types('waiting')).toEqual(before);
  const listed = async (status: string): Promise<boolean> => {
    for await (const { workflowId } of client.workflow.list({ query: `ExecutionStatus = '${status}'` }))
      if (workflowId === 'waiting') return true;
    return false;
  };
  expect([await listed('Paused'), await listed('Running')]).toEqual([true, false]);
  await unpauseIt('waiting');
  expect(await types('waiting')).toEqual([...before, 'UNPAUSED', 'TASK_SCHEDULED']);
  expect(await shown('waiting')).toEqual({ status: RUNNING, info: undefined, by: undefined, task: 1 });
  expect([await listed('Paused'), await listed('Running')]).toEqual([false, true]);
  const task = await worker.poll();
  expect(task.attempt).toBe(1);
  await worker.complete(task, [closeCommand]);
});

test('a worker finishes the task that it has; its activities and timers wait', async () => {
  const worker = await started('at work');
  const task = await worker.poll();
  await pauseIt('at work');
  expect(await types('at work')).toEqual(['STARTED', 'TASK_SCHEDULED', 'TASK_STARTED']);
  expect((await shown('at work')).status).toBe(PAUSED);
  const eager = { requestEagerExecution: true };
  const answer = await worker.complete(task, [activity(worker, eager), timerCommand('t', 100)]);
  expect(answer.activityTasks).toEqual([]);
  const done = ['TASK_COMPLETED', 'ACTIVITY_TASK_SCHEDULED', 'TIMER_STARTED', 'PAUSED', 'TIMER_FIRED'];
  await until(async () => (await types('at work')).includes('TIMER_FIRED'));
  expect((await types('at work')).slice(3)).toEqual(done);
  expect((await pollActivity(engine, worker.queue, 2200)).taskToken).toHaveLength(0);
  await unpauseIt('at work');
  expect((await pollActivity(engine, worker.queue, 10_000)).activityId).toBe('a');
  expect((await worker.poll()).history?.events).toHaveLength(11);
  await engine.client.workflow.getHandle('at work').terminate();
});

test('an activity that a worker has may end; a paused run may, too', async () => {
  const worker = await started('running');
  await worker.complete(await worker.poll(), [activity(worker)]);
  const { taskToken } = await pollActivity(engine, worker.queue, 10_000);
  await pauseIt('running');
  const { workflowService } = engine.connection;
  await workflowService.respondActivityTaskCompleted({ namespace: 'default', taskToken });
  expect((await types('running')).slice(-3)).toEqual([
    'PAUSED',
    'ACTIVITY_TASK_STARTED',
    'ACTIVITY_TASK_COMPLETED',
  ]);
  expect(await isIdle(worker)).toBe(true);
  await engine.client.workflow.getHandle('running').terminate();
  expect(await shown('running')).toMatchObject({ status: 5, info: ['Workflow:running', 'Reason:why'] });
});

test('timeouts count', async () => {
  await started('timed', engine, { workflowRunTimeout: '1s' });
  await pauseIt('timed');
  await until(async () => (await shown('timed')).status === 7);
  expect((await types('timed')).at(-1)).toBe('TIMED_OUT');
});

test('a failed task is not tried again before the run goes on', async () => {
  const worker = await started('failing');
  const task = await worker.poll();
  await pauseIt('failing');
  await worker.fail(task);
  expect((await types('failing')).slice(3)).toEqual(['TASK_FAILED', 'PAUSED']);
  expect(await isIdle(worker)).toBe(true);
  await unpauseIt('failing');
  expect((await worker.poll()).attempt).toBe(1);
  await engine.client.workflow.getHandle('failing').terminate();
});

test('queries and updates are refused', async () => {
  await started('asked');
  await pauseIt('asked');
  const { workflowService } = engine.connection;
  const workflowExecution = { workflowId: 'asked' };
  const query = { queryType: 'x' };
  expect(
    (await workflowService.queryWorkflow({ namespace: 'default', execution: workflowExecution, query }))
      .queryRejected,
  ).toEqual({ status: PAUSED });
  const updating = workflowService.updateWorkflowExecution({
    namespace: 'default',
    workflowExecution,
    waitPolicy: { lifecycleStage: 2 },
    request: { meta: { updateId: randomUUID() }, input: { name: 'x' } },
  });
  expect(await errorOf(updating)).toEqual(refusal(9, 'Workflow is paused. Cannot update the workflow.'));
});

test('requests that make no sense are refused, one that was sent again is not', async () => {
  await started('sense');
  expect(await errorOf(unpauseIt('sense'))).toEqual(refusal(9, 'workflow is not paused.'));
  await pauseIt('sense');
  await pauseIt('sense');
  expect(await errorOf(pauseIt('sense', { requestId: 'other' }))).toEqual(
    refusal(9, 'workflow is already paused.'),
  );
  const long = 'x'.repeat(1001);
  expect(await errorOf(pauseIt('sense', { reason: long }))).toEqual(refusal(3, 'reason is too long.'));
  expect(await errorOf(pauseIt('sense', { requestId: long }))).toEqual(refusal(3, 'request id is too long.'));
  await engine.client.workflow.getHandle('sense').terminate();
  expect((await errorOf(pauseIt('sense'))).message).toBe('workflow execution already completed');
  expect((await errorOf(pauseIt('nobody'))).code).toBe(5);
});

test('a paused run is so after a kill, and its activities wait on', async () => {
  const server = new EngineProcess();
  await server.start();
  const target = await server.connect();
  const worker = await started('killed', target);
  await worker.complete(await worker.poll(), [activity(worker)]);
  await pauseIt('killed', {}, target);
  await target.client.workflow.getHandle('killed').signal('s');
  await server.restart();
  expect((await shown('killed', target)).status).toBe(PAUSED);
  expect((await pollActivity(target, worker.queue, 2200)).taskToken).toHaveLength(0);
  await unpauseIt('killed', target);
  expect((await pollActivity(target, worker.queue, 10_000)).activityId).toBe('a');
  expect((await types('killed', target)).slice(-3)).toEqual(['SIGNALED', 'UNPAUSED', 'TASK_SCHEDULED']);
  await target.connection.close();
  await server.close();
});

test('a reset of a paused run goes on', async () => {
  const worker = await started('reset');
  await worker.complete(await worker.poll());
  await pauseIt('reset');
  await engine.connection.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: 'reset' },
    workflowTaskFinishEventId: long(4),
    requestId: 'again',
  });
  expect(await shown('reset')).toMatchObject({ status: RUNNING, info: undefined });
  expect((await worker.poll()).taskToken.length).toBeGreaterThan(0);
});

test('the namespace says that runs can be paused', async () => {
  const { namespaceInfo } = await engine.connection.workflowService.describeNamespace({
    namespace: 'default',
  });
  expect(namespaceInfo?.capabilities?.workflowPause).toBe(true);
});

test('a paused run shows its last event to who asks for the closing one, as the CLI does', async () => {
  await started('shown');
  await pauseIt('shown');
  const { history } = await engine.connection.workflowService.getWorkflowExecutionHistory({
    namespace: 'default',
    execution: { workflowId: 'shown' },
    historyEventFilterType: HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT,
  });
  expect(eventTypes(history?.events)).toEqual(['WORKFLOW_EXECUTION_PAUSED']);
});
