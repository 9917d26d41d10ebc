import { randomUUID } from 'node:crypto';
import { CommandType } from '../../../engine/embedded/protocol/proto.ts';
import { long } from '../../../engine/embedded/protocol/values.ts';
import { until } from '../until.ts';
import { type TestEngine, startTestEngine } from './support/engine.ts';
import { EngineProcess } from './support/engine-process.ts';
import { endedTask, eventTypes } from './support/event-types.ts';
import { type RawCommand, RawWorker, closeCommand, timerCommand } from './support/raw.ts';
import { errorOf, refusal } from './support/rpc-error.ts';
import { expectReplays, onQueue, startTestWorker } from './support/worker.ts';

jest.setTimeout(120_000);

type ResetRequest = Parameters<TestEngine['connection']['workflowService']['resetWorkflowExecution']>[0];
type More = Partial<Exclude<ResetRequest, { toJSON(): unknown }>>;
type Target = Pick<TestEngine, 'connection' | 'client'>;

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.close());

const reset = (target: Target, workflowId: string, runId: string, eventId: number, more: More = {}) =>
  target.connection.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId, runId },
    reason: 'why',
    requestId: randomUUID(),
    workflowTaskFinishEventId: long(eventId),
    ...more,
  });

const events = async ({ client }: Target, workflowId: string, runId?: string) =>
  (await client.workflow.getHandle(workflowId, runId).fetchHistory()).events ?? [];
const types = async (target: Target, workflowId: string, runId?: string) =>
  eventTypes(await events(target, workflowId, runId));

/** A run with a timer, then a signal, then an idle worker: its tasks end with the events 4 and 9. */
async function signalled(target: Target, workflowId: string) {
  const worker = new RawWorker(target, `queue-${workflowId}`);
  const handle = await target.client.workflow.start('any', onQueue(worker.queue, workflowId));
  await worker.complete(await worker.poll(), [timerCommand('t', 3_600_000)]);
  await handle.signal('late', 1);
  await worker.complete(await worker.poll());
  return { worker, handle, runId: handle.firstExecutionRunId };
}

const FORKED = ['WORKFLOW_EXECUTION_STARTED', ...endedTask('FAILED')];

test('a reset takes over the history before the task, fails the task and delivers later signals', async () => {
  const { worker, runId } = await signalled(engine, 'open');
  const made = await reset(engine, 'open', runId, 4);
  expect(await types(engine, 'open', made.runId)).toEqual([
    ...FORKED,
    'WORKFLOW_EXECUTION_SIGNALED',
    'WORKFLOW_TASK_SCHEDULED',
  ]);
  const [, , , failed] = await events(engine, 'open', made.runId);
  expect(failed?.workflowTaskFailedEventAttributes).toMatchObject({
    baseRunId: runId,
    newRunId: made.runId,
    failure: { message: 'why', resetWorkflowFailureInfo: {} },
  });
  const old = await engine.client.workflow.getHandle('open', runId).describe();
  const now = await engine.client.workflow.getHandle('open').describe();
  expect([old.status.name, now.status.name, now.runId]).toEqual(['TERMINATED', 'RUNNING', made.runId]);
  expect(old.raw.workflowExtendedInfo?.resetRunId).toBe(made.runId);
  expect(now.raw.workflowExtendedInfo?.originalStartTime).toEqual(old.raw.workflowExecutionInfo?.startTime);
  const task = await worker.poll();
  expect([task.attempt, task.history?.events?.length]).toEqual([1, 7]);
  await worker.complete(task, [closeCommand]);
});

test('a closed run is reset too, and a run by its started task event', async () => {
  const { worker, handle, runId } = await signalled(engine, 'closed');
  await handle.signal('end');
  await worker.complete(await worker.poll(), [closeCommand]);
  const made = await reset(engine, 'closed', runId, 3);
  const [, , started] = await events(engine, 'closed', made.runId);
  expect(started?.workflowTaskStartedEventAttributes?.identity).toBe('history-service');
  expect((await types(engine, 'closed', made.runId)).slice(0, 4)).toEqual(FORKED);
  expect((await engine.client.workflow.getHandle('closed', runId).describe()).status.name).toBe('COMPLETED');
  await engine.client.workflow.getHandle('closed').terminate();
});

test.each([
  ['all', {}, 1],
  ['signals alone', { resetReapplyType: 1 }, 1],
  ['nothing', { resetReapplyType: 2 }, 0],
  ['no signals', { resetReapplyExcludeTypes: [1] }, 0],
  ['no updates', { resetReapplyExcludeTypes: [2] }, 1],
])('a reset that reapplies %s', async (name, more, signals) => {
  const { runId } = await signalled(engine, `reapply ${name}`);
  const made = await reset(engine, `reapply ${name}`, runId, 4, more);
  const seen = await types(engine, `reapply ${name}`, made.runId);
  expect(seen.filter((type) => type === 'WORKFLOW_EXECUTION_SIGNALED')).toHaveLength(signals);
  await engine.client.workflow.getHandle(`reapply ${name}`).terminate();
});

test('signals to the runs that followed are delivered as well', async () => {
  const { worker, runId } = await signalled(engine, 'chain');
  const continues: RawCommand = {
    commandType: CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION,
    continueAsNewWorkflowExecutionCommandAttributes: {},
  };
  await engine.client.workflow.getHandle('chain').signal('next');
  await worker.complete(await worker.poll(), [continues]);
  await engine.client.workflow.getHandle('chain').signal('to the second run');
  const made = await reset(engine, 'chain', runId, 4);
  const names = (await events(engine, 'chain', made.runId)).flatMap(
    (event) => event.workflowExecutionSignaledEventAttributes?.signalName ?? [],
  );
  expect(names).toEqual(['late', 'next', 'to the second run']);
  await engine.client.workflow.getHandle('chain').terminate();
});

test('events that end no task are refused, as are requests without an id', async () => {
  const { runId } = await signalled(engine, 'refused');
  const outside = 'Workflow task finish ID must be > 1 && <= workflow last event ID.';
  const inside = (id: number): string =>
    `StateRebuilder unable to Rebuild mutable state to event ID: ${id}, version: 0, this event must be at the boundary`;
  const idle =
    'Can only reset workflow to event ID in range [WorkflowTaskScheduled +1, WorkflowTaskStarted + 1]: 6';
  for (const [eventId, message] of [
    [1, outside],
    [99, outside],
    [2, inside(1)],
    [5, inside(4)],
    [6, idle],
  ] as const) {
    expect(await errorOf(reset(engine, 'refused', runId, eventId))).toEqual(refusal(3, message));
  }
  expect(await errorOf(reset(engine, 'refused', runId, 4, { requestId: '' }))).toEqual(
    refusal(3, 'RequestId is not set on request.'),
  );
  const { status } = await engine.client.workflow.getHandle('refused').describe();
  expect(status.name).toBe('RUNNING');
  await engine.client.workflow.getHandle('refused').terminate();
});

test('the same request makes one run', async () => {
  const { runId } = await signalled(engine, 'twice');
  const requestId = randomUUID();
  const first = await reset(engine, 'twice', runId, 4, { requestId });
  expect(await reset(engine, 'twice', runId, 4, { requestId })).toEqual(first);
  await engine.client.workflow.getHandle('twice').terminate();
});

test('an open child stays with the new run, which learns of its end', async () => {
  const parent = new RawWorker(engine, 'reset-parent');
  const child = new RawWorker(engine, 'reset-child');
  const handle = await engine.client.workflow.start('any', onQueue(parent.queue, 'parent'));
  await parent.complete(await parent.poll(), [
    {
      commandType: CommandType.COMMAND_TYPE_START_CHILD_WORKFLOW_EXECUTION,
      startChildWorkflowExecutionCommandAttributes: {
        workflowId: 'child',
        workflowType: { name: 'any' },
        taskQueue: { name: child.queue },
      },
    },
  ]);
  await parent.complete(await parent.poll());
  const done = (await types(engine, 'parent')).lastIndexOf('WORKFLOW_TASK_COMPLETED') + 1;
  const made = await reset(engine, 'parent', handle.firstExecutionRunId, done);
  expect((await engine.client.workflow.getHandle('child').describe()).status.name).toBe('RUNNING');
  const { raw } = await engine.client.workflow.getHandle('parent', made.runId).describe();
  expect(raw.pendingChildren?.map(({ workflowId }) => workflowId)).toEqual(['child']);
  await child.complete(await child.poll(), [closeCommand]);
  await until(async () =>
    (await types(engine, 'parent', made.runId)).includes('CHILD_WORKFLOW_EXECUTION_COMPLETED'),
  );
  await parent.complete(await parent.poll(), [closeCommand]);
});

test('a reset workflow runs to its end on a worker, with an update that came later', async () => {
  const worker = await startTestWorker(engine, 'reset-worker');
  const { client } = engine;
  const handle = await client.workflow.start('counter', onQueue('reset-worker', 'updated', 0));
  await until(async () => (await types(engine, 'updated')).includes('WORKFLOW_TASK_COMPLETED'));
  expect(await handle.executeUpdate('bump', { args: [5], updateId: 'five' })).toBe(5);
  const made = await reset(engine, 'updated', handle.firstExecutionRunId, 4);
  const after = client.workflow.getHandle('updated', made.runId);
  expect(await after.getUpdateHandle('five').result()).toBe(5);
  const seen = await types(engine, 'updated', made.runId);
  expect(seen.slice(3, 5)).toEqual(['WORKFLOW_TASK_FAILED', 'WORKFLOW_EXECUTION_UPDATE_ADMITTED']);
  await expectReplays(client, 'updated');
  await after.terminate();
  await worker.close();
});

test('a reset survives a kill: timers, admitted updates and the pending task go on', async () => {
  const server = new EngineProcess();
  await server.start();
  const first = await server.connect();
  const worker = await startTestWorker(server, 'killed');
  const handle = await first.client.workflow.start('counter', onQueue('killed', 'killed', 0));
  await until(async () => (await types(first, 'killed')).includes('WORKFLOW_TASK_COMPLETED'));
  await handle.executeUpdate('bump', { args: [7], updateId: 'seven' });
  await worker.close();
  const made = await reset(first, 'killed', handle.firstExecutionRunId, 4);
  await server.restart();
  const { client } = first;
  const again = await startTestWorker(server, 'killed');
  expect(await client.workflow.getHandle('killed', made.runId).getUpdateHandle('seven').result()).toBe(7);
  await expectReplays(client, 'killed');
  await again.close();
  await first.connection.close();
  await server.close();
});
