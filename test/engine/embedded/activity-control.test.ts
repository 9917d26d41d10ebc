import { randomUUID } from 'node:crypto';
import { CommandType, PendingActivityState, TaskQueueKind } from '../../../engine/embedded/protocol/proto.ts';
import { duration } from '../../../engine/embedded/protocol/values.ts';
import { until } from '../until.ts';
import { EngineProcess } from './support/engine-process.ts';
import { type TestEngine, startTestEngine } from './support/engine.ts';
import { BY_HAND, RawWorker, closeCommand } from './support/raw.ts';
import { errorOf, refusal } from './support/rpc-error.ts';
import { onQueue } from './support/worker.ts';

jest.setTimeout(60_000);

type Target = Pick<TestEngine, 'connection' | 'client'>;
type Service = TestEngine['connection']['workflowService'];

const namespace = 'default';
const {
  PENDING_ACTIVITY_STATE_SCHEDULED: SCHEDULED,
  PENDING_ACTIVITY_STATE_STARTED: STARTED,
  PENDING_ACTIVITY_STATE_PAUSED: PAUSED,
  PENDING_ACTIVITY_STATE_PAUSE_REQUESTED: PAUSE_REQUESTED,
} = PendingActivityState;

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.close());

/** A run with one activity, on queues of its own. */
async function withActivity(target: Target, workflowId: string, retryMs: number) {
  const worker = new RawWorker(target, workflowId);
  await target.client.workflow.start('any', onQueue(workflowId, workflowId));
  await worker.complete(await worker.poll(), [
    {
      commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
      scheduleActivityTaskCommandAttributes: {
        activityId: 'one',
        activityType: { name: 'work' },
        taskQueue: { name: workflowId },
        startToCloseTimeout: duration(60_000),
        retryPolicy: { initialInterval: duration(retryMs) },
      },
    },
  ]);
  const { workflowService: service } = target.connection;
  const named = { namespace, execution: { workflowId }, id: 'one', identity: 'operator' };
  const pending = async () => {
    const { raw } = await target.client.workflow.getHandle(workflowId).describe();
    const [activity] = raw.pendingActivities ?? [];
    if (!activity) throw new Error('nothing is pending');
    return activity;
  };
  const poll = (queue = workflowId) =>
    target.connection.withDeadline(Date.now() + 10_000, () =>
      service.pollActivityTaskQueue({
        namespace,
        taskQueue: { name: queue, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
        identity: BY_HAND,
      }),
    );
  const fail = (taskToken: Uint8Array) =>
    service.respondActivityTaskFailed({ namespace, taskToken, failure: { message: 'no' } });
  return { worker, service, named, pending, poll, fail };
}

test('a paused activity goes to nobody until it is unpaused', async () => {
  const { service, named, pending, poll } = await withActivity(engine, 'paused', 1000);
  await service.pauseActivity({ ...named, reason: 'wait' });
  const held = await pending();
  expect([held.state, held.paused, held.pauseInfo?.manual]).toMatchObject([
    PAUSED,
    true,
    { identity: 'operator', reason: 'wait' },
  ]);
  const polled = poll();
  await service.unpauseActivity(named);
  expect((await polled).attempt).toBe(1);
  expect((await pending()).state).toBe(STARTED);
});

test('a worker learns of a pause by its heartbeat, and the next attempt waits', async () => {
  const { worker, service, named, pending, poll, fail } = await withActivity(engine, 'started', 1);
  const { taskToken } = await poll();
  await service.pauseActivity({ ...named, id: '', type: 'work' });
  expect((await pending()).state).toBe(PAUSE_REQUESTED);
  expect(await service.recordActivityTaskHeartbeat({ namespace, taskToken })).toMatchObject({
    activityPaused: true,
  });
  await fail(taskToken);
  const held = await pending();
  expect([held.state, held.attempt, held.nextAttemptScheduleTime]).toEqual([PAUSED, 2, null]);
  await service.unpauseActivity({ ...named, resetAttempts: true });
  const again = await poll();
  expect(again.attempt).toBe(1);
  await service.respondActivityTaskCompleted({ namespace, taskToken: again.taskToken });
  await worker.complete(await worker.poll(), [closeCommand]);
});

test('a reset begins with the first attempt, at once, and tells a worker that has the activity', async () => {
  const { service, named, pending, poll, fail } = await withActivity(engine, 'reset', 600_000);
  const first = await poll();
  await service.recordActivityTaskHeartbeat({
    namespace,
    taskToken: first.taskToken,
    details: { payloads: [{ data: Buffer.from('1') }] },
  });
  await fail(first.taskToken);
  await service.resetActivity(named);
  const second = await poll();
  expect([second.attempt, second.heartbeatDetails?.payloads?.length]).toEqual([1, 1]);
  await service.resetActivity({ ...named, resetHeartbeat: true });
  const { taskToken } = second;
  expect(await service.recordActivityTaskHeartbeat({ namespace, taskToken })).toMatchObject({
    activityReset: true,
  });
  await fail(taskToken);
  expect([(await pending()).attempt, (await pending()).heartbeatDetails]).toEqual([2, null]);
});

/** Starts a batch operation and waits until it is over. */
async function batch(service: Service, operation: object): Promise<number[]> {
  const jobId = randomUUID();
  await service.startBatchOperation({ namespace, jobId, reason: 'why', ...operation });
  await until(async () => Number((await service.describeBatchOperation({ namespace, jobId })).state) !== 1);
  const done = await service.describeBatchOperation({ namespace, jobId });
  return [done.completeOperationCount, done.failureOperationCount].map(Number);
}

test('batch operations unpause and reset activities, and change their options and their runs', async () => {
  const { service, named, pending, poll, fail } = await withActivity(engine, 'many', 600_000);
  const executions = [{ workflowId: 'many' }];
  const type = 'work';
  await service.pauseActivity(named);
  const { raw } = await engine.client.workflow.getHandle('many').describe();
  const shown = raw.workflowExecutionInfo?.searchAttributes?.indexedFields?.['TemporalPauseInfo'];
  expect(Buffer.from(shown?.data ?? []).toString()).toBe('["property:activityType=work"]');
  const query = "TemporalPauseInfo = 'property:activityType=work'";
  await until(async () => Number((await service.countWorkflowExecutions({ namespace, query })).count) === 1);
  expect(await batch(service, { visibilityQuery: query, unpauseActivitiesOperation: { type } })).toEqual([
    1, 0,
  ]);
  await fail((await poll()).taskToken);
  expect((await pending()).attempt).toBe(2);
  expect(await batch(service, { executions, resetActivitiesOperation: { matchAll: true } })).toEqual([1, 0]);
  expect((await pending()).attempt).toBe(1);
  const options = {
    activityOptions: { startToCloseTimeout: duration(7000) },
    updateMask: { paths: ['start_to_close_timeout'] },
  };
  expect(await batch(service, { executions, updateActivityOptionsOperation: { type, ...options } })).toEqual([
    1, 0,
  ]);
  expect(Number((await pending()).activityOptions?.startToCloseTimeout?.seconds)).toBe(7);
  const upgraded = {
    workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
    updateMask: { paths: ['versioning_override'] },
  };
  expect(await batch(service, { executions, updateWorkflowOptionsOperation: upgraded })).toEqual([1, 0]);
  const { events } = await engine.client.workflow.getHandle('many').fetchHistory();
  expect(
    events?.at(-1)?.workflowExecutionOptionsUpdatedEventAttributes?.versioningOverride?.autoUpgrade,
  ).toBe(true);
});

test('options are changed by the mask, moved to another queue, and restored', async () => {
  const { service, named, pending, poll } = await withActivity(engine, 'options', 1000);
  const changed = await service.updateActivityOptions({
    ...named,
    activityOptions: { startToCloseTimeout: duration(5000), taskQueue: { name: 'elsewhere' } },
    updateMask: { paths: ['start_to_close_timeout', 'taskQueue.name'] },
  });
  expect(changed.activityOptions?.taskQueue?.name).toBe('elsewhere');
  expect((await pending()).state).toBe(SCHEDULED);
  const task = await poll('elsewhere');
  expect(Number(task.startToCloseTimeout?.seconds)).toBe(5);
  const restored = await service.updateActivityOptions({ ...named, restoreOriginal: true });
  expect(Number(restored.activityOptions?.startToCloseTimeout?.seconds)).toBe(60);
  const update = (more: object) => errorOf(service.updateActivityOptions({ ...named, ...more }));
  expect(await update({})).toEqual(refusal(3, 'ActivityOptions are not provided'));
  expect(await update({ activityOptions: {} })).toEqual(refusal(3, 'UpdateMask is not provided'));
  expect(
    await update({
      activityOptions: { startToCloseTimeout: duration(-1000) },
      updateMask: { paths: ['startToCloseTimeout'] },
    }),
  ).toEqual(refusal(3, 'invalid StartToCloseTimeout: negative duration'));
  expect(await errorOf(service.pauseActivity({ ...named, id: '' }))).toEqual(
    refusal(3, 'Either Activity.Id or Activity.Type should be set on request.'),
  );
  expect(await errorOf(service.resetActivity({ ...named, id: 'two' }))).toEqual(
    refusal(
      5,
      "Can't find pending activity with such ID. Invalid activityID or activity already completed",
      'NotFoundFailure',
    ),
  );
});

test('a new retry policy shortens the wait for the next attempt', async () => {
  const { service, named, poll, fail } = await withActivity(engine, 'sooner', 600_000);
  await fail((await poll()).taskToken);
  await service.updateActivityOptions({
    ...named,
    activityOptions: { retryPolicy: { initialInterval: duration(10) } },
    updateMask: { paths: ['retry_policy.initial_interval'] },
  });
  expect((await poll()).attempt).toBe(2);
});

test('a pause survives a kill', async () => {
  const server = new EngineProcess();
  await server.start();
  const target = await server.connect();
  const { service, named, pending, poll } = await withActivity(target, 'killed', 1000);
  await service.pauseActivity(named);
  await server.restart();
  expect((await pending()).state).toBe(PAUSED);
  await service.unpauseActivity(named);
  expect((await poll()).attempt).toBe(1);
  await target.connection.close();
  await server.close();
});

test('an eager start answers with the first workflow task, which is given out again when its worker is gone', async () => {
  const server = new EngineProcess();
  await server.start();
  const { connection, client } = await server.connect();
  const start = (workflowId: string, more = {}) =>
    connection.workflowService.startWorkflowExecution({
      namespace,
      workflowId,
      workflowType: { name: 'any' },
      taskQueue: { name: 'eager' },
      requestEagerExecution: true,
      ...more,
    });
  const { eagerWorkflowTask: task } = await start('eager');
  const events = task?.history?.events ?? [];
  expect(events[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted).toBe(true);
  expect(events).toHaveLength(3);
  const { eagerWorkflowTask } = await start('delayed', { workflowStartDelay: duration(60_000) });
  expect(eagerWorkflowTask ?? null).toBeNull();
  await server.restart();
  const worker = new RawWorker({ connection }, 'eager');
  await worker.complete(await worker.poll(), [closeCommand]);
  expect((await client.workflow.getHandle('eager').describe()).status.name).toBe('COMPLETED');
  await connection.close();
  await server.close();
});
