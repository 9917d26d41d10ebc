import { setImmediate } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import {
  HistoryEventFilterType,
  TaskQueueKind,
  TaskQueueType,
} from '../../../engine/embedded/protocol/proto.ts';
import { until } from '../until.ts';
import { eventTypes, endedTask } from './support/event-types.ts';
import { startTestEngine } from './support/engine.ts';
import { errorOf } from './support/rpc-error.ts';
import { RawWorker, closeCommand } from './support/raw.ts';
import { openedForEach } from '../../support/opened.ts';

const namespace = 'default';
type HistoryResponse = Pick<Awaited<ReturnType<typeof history>>, 'history' | 'nextPageToken'>;

const engine = openedForEach(() => startTestEngine({ limits: { historyWaitMs: 1000, pollWaitMs: 3000 } }));

const history = (workflowId: string, options: object = {}) =>
  engine.connection.workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId },
    ...options,
  });

const start = (workflowId: string, taskQueue = 'q') =>
  engine.client.workflow.start('empty', { workflowId, taskQueue });

test('a task poll needs a sensible deadline, and is answered empty before it passes', async () => {
  const { workflowService } = engine.connection;
  const poll = () =>
    workflowService.pollWorkflowTaskQueue({
      namespace,
      taskQueue: { name: 'q', kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
    });
  expect(await errorOf(poll())).toMatchObject({
    code: status.INVALID_ARGUMENT,
    message: 'Context timeout is not set.',
  });
  const raw = new RawWorker(engine, 'q');
  expect(await errorOf(raw.poll({ deadlineMs: 1200 }))).toMatchObject({
    code: status.FAILED_PRECONDITION,
    message: 'Context timeout is too short.',
  });
  const before = Date.now();
  const empty = await raw.poll({ deadlineMs: 3000 });
  expect(empty.taskToken).toHaveLength(0);
  expect(Date.now() - before).toBeGreaterThan(1500);
  expect(Date.now() - before).toBeLessThan(3000);
});

test('a task goes to a poller that was waiting, at once', async () => {
  const raw = new RawWorker(engine, 'waiting');
  const polled = raw.poll();
  await until(async () => {
    const { pollers } = await raw.service.describeTaskQueue({
      namespace,
      taskQueue: { name: 'waiting', kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
      taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    });
    return (pollers ?? []).length === 1;
  });
  await start('for-a-waiting-poller', 'waiting');
  expect((await polled).workflowExecution?.workflowId).toBe('for-a-waiting-poller');
});

test('a cancelled poll never swallows a task', async () => {
  const raw = new RawWorker(engine, 'cancelled');
  for (let round = 0; round < 20; round++) {
    const abort = new AbortController();
    const cancelled = engine.connection
      .withAbortSignal(abort.signal, () => raw.poll())
      .then(
        (task) => task,
        () => undefined,
      );
    // At another moment each time, from the poll and its cancellation arriving together to a poll that is held. Not in the
    // same turn: grpc-js makes the call itself a turn later and lets it live on when it was cancelled before.
    for (let turn = 0; turn <= round; turn++) await setImmediate();
    abort.abort();
    if (round % 2 === 0) await cancelled;
    await start(`round-${round}`, 'cancelled');
    const task = (await cancelled) ?? (await raw.poll());
    expect(task.workflowExecution?.workflowId).toBe(`round-${round}`);
    await raw.complete(task, [closeCommand]);
  }
});

test('a worker that leaves gets its polls back, and the tasks of its sticky queue go to others', async () => {
  const raw = new RawWorker(engine, 'leaving');
  await start('stays', 'leaving');
  await raw.complete(await raw.poll(), [], { sticky: 'leaving-sticky' });
  const sticky = raw.poll({ queue: 'leaving-sticky', sticky: true });
  const normal = raw.poll();
  await until(async () => {
    const { pollers } = await raw.service.describeTaskQueue({
      namespace,
      taskQueue: { name: 'leaving-sticky', kind: TaskQueueKind.TASK_QUEUE_KIND_STICKY },
      taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    });
    return (pollers ?? []).length === 1;
  });
  await raw.service.shutdownWorker({
    namespace,
    stickyTaskQueue: 'leaving-sticky',
    taskQueue: 'leaving',
    identity: 'by hand',
  });
  expect((await sticky).taskToken).toHaveLength(0);
  expect((await normal).taskToken).toHaveLength(0);
  await engine.client.workflow.getHandle('stays').signal('add', 1);
  const task = await raw.poll();
  expect(task.workflowExecution?.workflowId).toBe('stays');
  expect(eventTypes(task.history?.events)[0]).toBe('WORKFLOW_EXECUTION_STARTED'); // Another worker: it gets the whole history.
});

test('a task in a sticky queue whose worker died waits no longer than its timeout', async () => {
  const raw = new RawWorker(engine, 'died');
  await start('survivor', 'died');
  const first = await raw.poll();
  await raw.poll({ queue: 'died-sticky', sticky: true, deadlineMs: 2200 }); // The worker was there a moment ago.
  await raw.complete(first, [], { sticky: 'died-sticky', stickyTimeoutMs: 500 });
  await engine.client.workflow.getHandle('survivor').signal('add', 1);
  const task = await raw.poll();
  expect(task.workflowExecution?.workflowId).toBe('survivor');
  const { history: whole } = await history('survivor');
  expect(eventTypes(whole?.events)).toEqual([
    'WORKFLOW_EXECUTION_STARTED',
    ...endedTask('COMPLETED'),
    'WORKFLOW_EXECUTION_SIGNALED',
    'WORKFLOW_TASK_SCHEDULED',
    'WORKFLOW_TASK_TIMED_OUT',
    'WORKFLOW_TASK_SCHEDULED',
    'WORKFLOW_TASK_STARTED',
  ]);
});

test('waiting for the end of a run: held, then a token, then exactly the closing event', async () => {
  await start('closing', 'closing');
  const raw = new RawWorker(engine, 'closing');
  expect(
    await history('closing', {
      historyEventFilterType: HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT,
    }),
  ).toMatchObject({
    history: { events: [] },
    nextPageToken: new Uint8Array(),
  });
  const before = Date.now();
  const held = await history('closing', {
    waitNewEvent: true,
    historyEventFilterType: HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT,
  });
  expect(Date.now() - before).toBeGreaterThanOrEqual(900);
  expect(held.history?.events).toHaveLength(0);
  expect(held.nextPageToken?.length).toBeGreaterThan(0);
  const waiting = history('closing', {
    waitNewEvent: true,
    historyEventFilterType: HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT,
    nextPageToken: held.nextPageToken,
  });
  await raw.complete(await raw.poll(), [closeCommand]);
  const { history: last, nextPageToken } = await waiting;
  expect(eventTypes(last?.events)).toEqual(['WORKFLOW_EXECUTION_COMPLETED']);
  expect(nextPageToken).toHaveLength(0);
});

test('waiting for all events: what is there at once, then each new one', async () => {
  await start('all', 'all');
  const first = await history('all', { waitNewEvent: true });
  expect(first.history?.events).toHaveLength(2);
  const next = history('all', { waitNewEvent: true, nextPageToken: first.nextPageToken });
  await engine.client.workflow.getHandle('all').signal('add', 1);
  const second = await next;
  expect(eventTypes(second.history?.events)).toEqual(['WORKFLOW_EXECUTION_SIGNALED']);
  await engine.client.workflow.getHandle('all').terminate();
  const third = await history('all', { waitNewEvent: true, nextPageToken: second.nextPageToken });
  expect(eventTypes(third.history?.events)).toEqual(['WORKFLOW_EXECUTION_TERMINATED']);
  expect(third.nextPageToken).toHaveLength(0);
});

test('pages end between batches, and reading backwards gives the same events', async () => {
  await start('paged', 'paged');
  const handle = engine.client.workflow.getHandle('paged');
  for (let i = 0; i < 300; i++) await handle.signal('add', i);
  const whole = (await history('paged', { maximumPageSize: 1000 })).history?.events ?? [];
  expect(whole).toHaveLength(302);
  const page = await history('paged', { maximumPageSize: 1 });
  expect(page.history?.events).toHaveLength(2); // Started and the first task were one change.
  const ids: number[] = [];
  for (let token: Uint8Array | null | undefined = new Uint8Array(); token;) {
    const { history: part, nextPageToken }: HistoryResponse = await history('paged', {
      maximumPageSize: 7,
      nextPageToken: token,
    });
    ids.push(...(part?.events ?? []).map(({ eventId }) => Number(eventId)));
    token = nextPageToken?.length ? nextPageToken : undefined;
  }
  expect(ids).toEqual(whole.map(({ eventId }) => Number(eventId)));
  const backwards: number[] = [];
  for (let token: Uint8Array | null | undefined = new Uint8Array(); token;) {
    const { history: part, nextPageToken }: HistoryResponse =
      await engine.connection.workflowService.getWorkflowExecutionHistoryReverse({
        namespace,
        execution: { workflowId: 'paged' },
        maximumPageSize: 7,
        nextPageToken: token,
      });
    backwards.push(...(part?.events ?? []).map(({ eventId }) => Number(eventId)));
    token = nextPageToken?.length ? nextPageToken : undefined;
  }
  expect(backwards).toEqual(ids.toReversed());
});

test('a page token that nobody gave is refused', async () => {
  await start('tokens', 'tokens');
  expect(await errorOf(history('tokens', { nextPageToken: Buffer.from('x') }))).toEqual({
    code: status.INVALID_ARGUMENT,
    message: 'Invalid NextPageToken.',
    details: [],
  });
});

test('stopping the engine ends what is waiting without delay', async () => {
  const other = await startTestEngine();
  const raw = new RawWorker(other, 'stopping');
  const polled = raw.poll({ deadlineMs: 120_000 }).then(
    () => 'over',
    () => 'over',
  );
  await until(async () => {
    const { pollers } = await raw.service.describeTaskQueue({
      namespace,
      taskQueue: { name: 'stopping', kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
      taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    });
    return (pollers ?? []).length === 1;
  });
  // The poll would last a minute yet, longer than this test may.
  await other.engine.stop();
  await other.engine.stop();
  expect(await polled).toBe('over');
  await other.close();
}, 40_000);
