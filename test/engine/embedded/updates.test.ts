import { status } from '@grpc/grpc-js';
import { Connection, WithStartWorkflowOperation, WorkflowUpdateFailedError } from '@temporalio/client';
import { UpdateWorkflowExecutionLifecycleStage } from '../../../engine/embedded/protocol/proto.ts';
import { until } from '../until.ts';
import { eventTypes, endedTask } from './support/event-types.ts';
import { startTestEngine } from './support/engine.ts';
import { RawWorker, closeCommand } from './support/raw.ts';
import { expectReplays, startTestWorker, replayAll, onQueue } from './support/worker.ts';
import { openedForAll } from '../../support/opened.ts';

const taskQueue = 'updates';
const namespace = 'default';

const engine = openedForAll(() => startTestEngine({ limits: { updateWaitMs: 1000 } }));
openedForAll(() => startTestWorker(engine, taskQueue));

const counter = (workflowId: string) => engine.client.workflow.start('counter', { taskQueue, workflowId });

const types = async (workflowId: string): Promise<string[]> => {
  const { events } = await engine.client.workflow.getHandle(workflowId).fetchHistory();
  return eventTypes(events);
};

/** Whether the run has taken the update, which no worker has answered. */
async function isAdmitted(workflowId: string, updateId: string): Promise<boolean> {
  const updateRef = { workflowExecution: { workflowId }, updateId };
  return await engine.connection.workflowService.pollWorkflowExecutionUpdate({ namespace, updateRef }).then(
    ({ stage }) =>
      stage === UpdateWorkflowExecutionLifecycleStage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ADMITTED,
    () => false,
  );
}

/** Asks for an update by a connection that does not ask again. */
async function askOnce(workflowId: string, updateId: string): Promise<unknown> {
  const once = await Connection.connect({ ...engine.engine.connection, interceptors: [] });
  const lifecycleStage =
    UpdateWorkflowExecutionLifecycleStage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ACCEPTED;
  try {
    return await once.workflowService.updateWorkflowExecution({
      namespace,
      workflowExecution: { workflowId },
      request: { meta: { updateId }, input: { name: 'bump' } },
      waitPolicy: { lifecycleStage },
    });
  } finally {
    await once.close();
  }
}

const messageIds = ({ messages }: { messages?: { id?: string | null }[] | null }) =>
  messages?.map(({ id }) => id);

test('accepted, failed, rejected and slow updates answer as their handlers decide', async () => {
  const handle = await counter('outcomes');
  expect(await handle.executeUpdate('bump', { args: [2] })).toBe(2);
  const failed = await handle.executeUpdate('bump', { args: [13] }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(WorkflowUpdateFailedError);
  expect((failed as Error).cause).toMatchObject({ message: 'unlucky', type: 'Unlucky' });
  const rejected = await handle.executeUpdate('bump', { args: [-1] }).catch((error: unknown) => error);
  expect((rejected as Error).cause).toMatchObject({ message: 'negative', type: 'Negative' });
  const slow = await handle.startUpdate('bump', { args: [1500], waitForStage: 'ACCEPTED' });
  expect(await slow.result()).toBe(1502); // Longer than one long poll lasts.
  await handle.signal('finish');
  expect(await handle.result()).toBe(1502);
  await expectReplays(engine.client, 'outcomes');
});

test('a rejected update of an idle workflow leaves no trace', async () => {
  const handle = await counter('untouched');
  await until(async () => (await types('untouched')).length === 4);
  await handle.executeUpdate('bump', { args: [-1] }).catch(() => undefined);
  expect(await types('untouched')).toHaveLength(4);
  expect(await handle.executeUpdate('bump', { args: [5] })).toBe(5);
  await handle.signal('finish');
  await handle.result();
  await expectReplays(engine.client, 'untouched');
});

test('the same update id is applied once, also when the run has closed', async () => {
  const handle = await counter('same-id');
  const call = () => handle.executeUpdate('bump', { args: [7], updateId: 'only-once' });
  expect(await Promise.all([call(), call(), call()])).toEqual([7, 7, 7]);
  await handle.signal('finish');
  expect(await handle.result()).toBe(7);
  expect(await handle.getUpdateHandle('only-once').result()).toBe(7);
});

test('many updates at once are all applied', async () => {
  const handle = await counter('many');
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, i) => handle.executeUpdate<number, [number]>('bump', { args: [i] })),
  );
  expect(Math.max(...all)).toBe(28);
  await handle.signal('finish');
  expect(await handle.result()).toBe(28);
  await expectReplays(engine.client, 'many');
});

test('a run that closes over an accepted update fails it', async () => {
  const handle = await engine.client.workflow.start('closesOverUpdate', { taskQueue, workflowId: 'closes' });
  const error = await handle.executeUpdate('bump', { args: [1] }).catch((e: unknown) => e);
  expect((error as Error).cause).toMatchObject({
    type: 'AcceptedUpdateCompletedWorkflow',
    message: 'Workflow Update failed because the Workflow completed before the Update completed.',
  });
  expect(await handle.result()).toBe('closed');
});

test('a run that closes over an update no worker has seen says so', async () => {
  const handle = await engine.client.workflow.start('counter', onQueue('nobody', 'aborted'));
  const update = handle.executeUpdate('bump', { args: [1], updateId: 'unseen' }).catch((e: unknown) => e);
  await until(() => isAdmitted('aborted', 'unseen'));
  await handle.terminate();
  expect(await update).toMatchObject({
    name: 'WorkflowNotFoundError',
    message: 'workflow update was aborted by closing workflow',
  });
});

test('update-with-start starts the workflow and updates it in one call', async () => {
  const start = (workflowId: string) =>
    new WithStartWorkflowOperation('counter', {
      taskQueue,
      workflowId,
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  const first = start('with-start');
  const update = (operation: typeof first, n: number) =>
    engine.client.workflow.executeUpdateWithStart('bump', {
      args: [n],
      startWorkflowOperation: operation,
    });
  expect(await update(first, 4)).toBe(4);
  expect(await update(start('with-start'), 3)).toBe(7);
  const handle = await first.workflowHandle();
  await handle.signal('finish');
  expect(await handle.result()).toBe(7);
  await expectReplays(engine.client, 'with-start');
});

test('a speculative task becomes real when something else happens to the run', async () => {
  const raw = new RawWorker(engine, 'speculative');
  const handle = await engine.client.workflow.start('counter', onQueue('speculative', 'speculative'));
  await raw.complete(await raw.poll());
  const update = handle.executeUpdate('bump', { args: [1], updateId: 'u' }).catch((e: unknown) => e);
  const task = await raw.poll();
  expect(task.messages?.map(({ id }) => id)).toEqual(['u/request']);
  expect(Number(task.startedEventId)).toBe(6);
  await handle.signal('add', 1);
  await raw.complete(task);
  expect(((await update) as Error).cause).toMatchObject({ type: 'UnprocessedUpdate' });
  const next = await raw.poll();
  await raw.complete(next, [closeCommand]);
  // started, scheduled, started, completed | scheduled, started, completed, signalled | scheduled, started, completed, closed
  expect(await types('speculative')).toEqual([
    'WORKFLOW_EXECUTION_STARTED',
    ...endedTask('COMPLETED'),
    ...endedTask('COMPLETED'),
    'WORKFLOW_EXECUTION_SIGNALED',
    ...endedTask('COMPLETED'),
    'WORKFLOW_EXECUTION_COMPLETED',
  ]);
});

test('an update whose task fails goes with the next attempt, for which a worker already waits', async () => {
  const raw = new RawWorker(engine, 'carried');
  const handle = await engine.client.workflow.start('counter', onQueue('carried', 'carried'));
  await raw.complete(await raw.poll());
  const update = handle.executeUpdate('bump', { args: [1], updateId: 'u' }).catch((e: unknown) => e);
  const task = await raw.poll();
  const next = raw.poll();
  await raw.fail(task);
  const { attempt, messages, taskToken } = await next;
  expect([attempt, messages?.map(({ id }) => id)]).toEqual([2, ['u/request']]);
  await raw.service.respondWorkflowTaskCompleted({ namespace, taskToken, commands: [closeCommand] });
  expect(await update).toBeInstanceOf(Error);
});

test('an update waits no longer than a long poll lasts, and can be asked for again', async () => {
  const handle = await engine.client.workflow.start('counter', onQueue('nobody', 'no-worker'));
  const { workflowService } = engine.connection;
  const response = await workflowService.updateWorkflowExecution({
    namespace,
    workflowExecution: { workflowId: handle.workflowId },
    request: { meta: { updateId: 'waiting' }, input: { name: 'bump' } },
    waitPolicy: {
      lifecycleStage:
        UpdateWorkflowExecutionLifecycleStage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED,
    },
  });
  expect(response.stage).toBe(
    UpdateWorkflowExecutionLifecycleStage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ADMITTED,
  );
  const polled = await workflowService.pollWorkflowExecutionUpdate({
    namespace,
    updateRef: { workflowExecution: { workflowId: handle.workflowId }, updateId: 'waiting' },
  });
  expect(polled.stage).toBe(
    UpdateWorkflowExecutionLifecycleStage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ADMITTED,
  );
});

test('an accepted update counts among the ten in flight, also when nobody waits for it', async () => {
  const handle = await counter('ten');
  for (let n = 0; n < 10; n++)
    await handle.startUpdate('bump', { args: [3600_000], waitForStage: 'ACCEPTED' });
  await expect(askOnce('ten', 'eleventh')).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  await handle.terminate();
});

test('the ten that wait for a worker get one, also when an eleventh was refused meanwhile', async () => {
  const raw = new RawWorker(engine, 'refused');
  const handle = await engine.client.workflow.start('counter', onQueue('refused', 'refused'));
  await raw.complete(await raw.poll());
  const ids = Array.from({ length: 10 }, (_, n) => `u${n}`);
  const ten = ids.map((id) => askOnce('refused', id).catch(() => undefined));
  for (const id of ids) await until(() => isAdmitted('refused', id));
  await expect(askOnce('refused', 'eleventh')).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  const task = await raw.poll();
  expect(messageIds(task)?.toSorted()).toEqual(ids.map((id) => `${id}/request`));
  await handle.terminate();
  await Promise.all(ten);
});

test('an update whose answer is refused goes with the next attempt', async () => {
  const raw = new RawWorker(engine, 'bad-answer');
  const handle = await engine.client.workflow.start('counter', onQueue('bad-answer', 'bad-answer'));
  await raw.complete(await raw.poll());
  const update = handle.executeUpdate('bump', { args: [1], updateId: 'u' }).catch((e: unknown) => e);
  const { taskToken } = await raw.poll();
  const messages = [{ id: 'm', protocolInstanceId: 'u', body: { type_url: 'type.googleapis.com/nonsense' } }];
  await expect(
    raw.service.respondWorkflowTaskCompleted({ namespace, taskToken, messages }),
  ).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
  const next = await raw.poll();
  expect([next.attempt, messageIds(next)]).toEqual([2, ['u/request']]);
  await raw.complete(next, [closeCommand]);
  expect(await update).toBeInstanceOf(Error);
});

test('every history that these tests made replays', async () => {
  expect(await replayAll(engine.client)).toBeGreaterThan(0);
}, 180_000);
