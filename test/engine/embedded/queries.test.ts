import { QueryNotRegisteredError } from '@temporalio/client';
import { QueryRejectCondition, QueryResultType } from '../../../engine/embedded/protocol/proto.ts';
import { until } from '../until.ts';
import { type TestEngine, startTestEngine } from './support/engine.ts';
import { type RawTask, RawWorker } from './support/raw.ts';
import { type TestWorker, startTestWorker, replayAll, onQueue } from './support/worker.ts';

let engine: TestEngine;
let worker: TestWorker;
const taskQueue = 'queries';

beforeAll(async () => {
  engine = await startTestEngine();
  worker = await startTestWorker(engine, taskQueue);
});
afterAll(async () => {
  await worker.close();
  await engine.close();
});

const counter = (workflowId: string) => engine.client.workflow.start('counter', { taskQueue, workflowId });

test('a query sees every signal that was answered before it', async () => {
  const handle = await counter('consistent');
  for (let i = 1; i <= 10; i++) {
    await handle.signal('add', 1);
    expect(await handle.query('total')).toBe(i);
  }
});

test('an idle and a closed workflow answer, and so does one that no worker has in its cache', async () => {
  const handle = await counter('cold');
  expect(await handle.executeUpdate('bump', { args: [4] })).toBe(4);
  expect(await handle.query('total')).toBe(4);
  await worker.close();
  worker = await startTestWorker(engine, taskQueue);
  expect(await handle.query('total')).toBe(4);
  await handle.signal('finish');
  await handle.result();
  expect(await handle.query('total')).toBe(4);
});

test('an unknown query is refused, and a reject condition is honoured', async () => {
  const handle = await counter('refused');
  await expect(handle.query('nothing')).rejects.toThrow(QueryNotRegisteredError);
  await handle.terminate();
  const { workflowService } = engine.connection;
  const response = await workflowService.queryWorkflow({
    namespace: 'default',
    execution: { workflowId: 'refused' },
    query: { queryType: 'total' },
    queryRejectCondition: QueryRejectCondition.QUERY_REJECT_CONDITION_NOT_COMPLETED_CLEANLY,
  });
  expect(response.queryRejected?.status).toBe(5);
  expect(response.queryResult).toBeNull();
});

/** The first workflow task that carries a query: one that came a moment after the poll goes with the next attempt. */
async function taskWithQuery(raw: RawWorker): Promise<RawTask> {
  let task = await raw.poll();
  while (Object.keys(task.queries ?? {}).length === 0) {
    await raw.fail(task);
    task = await raw.poll();
  }
  return task;
}

const answering = (id: string, value: number) => ({
  [id]: {
    resultType: QueryResultType.QUERY_RESULT_TYPE_ANSWERED,
    answer: {
      payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(String(value)) }],
    },
  },
});

test('queries travel with the task that is due, wait for the one at work, and leave no event', async () => {
  const raw = new RawWorker(engine, 'raw-queries');
  const handle = await engine.client.workflow.start('counter', onQueue('raw-queries', 'raw'));
  const due = handle.query<number>('total');
  const task = await taskWithQuery(raw);
  const [id = ''] = Object.keys(task.queries ?? {});
  await raw.service.respondWorkflowTaskCompleted({
    namespace: 'default',
    taskToken: task.taskToken,
    queryResults: answering(id, 9),
  });
  expect(await due).toBe(9);
  const before = (await handle.fetchHistory()).events?.length;
  const alone = handle.query<number>('total');
  const queryTask = await raw.poll();
  expect(queryTask.query?.queryType).toBe('total');
  expect(queryTask.history?.events).toHaveLength(before ?? -1);
  await raw.service.respondQueryTaskCompleted({
    namespace: 'default',
    taskToken: queryTask.taskToken,
    completedType: QueryResultType.QUERY_RESULT_TYPE_ANSWERED,
    queryResult: {
      payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('10') }],
    },
  });
  expect(await alone).toBe(10);
  expect((await handle.fetchHistory()).events).toHaveLength(before ?? -1);
});

test.each([
  { next: 'for which a worker already waits', returnNewWorkflowTask: false },
  { next: 'which comes with the answer', returnNewWorkflowTask: true },
])('a query that is answered is not sent with the next task, $next', async ({ returnNewWorkflowTask }) => {
  const queue = `raw-answered-${String(returnNewWorkflowTask)}`;
  const raw = new RawWorker(engine, queue);
  const handle = await engine.client.workflow.start('counter', onQueue(queue, queue));
  const query = handle.query<number>('total');
  const task = await taskWithQuery(raw);
  const polled = returnNewWorkflowTask ? undefined : raw.poll();
  const [id = ''] = Object.keys(task.queries ?? {});
  const answer = await raw.service.respondWorkflowTaskCompleted({
    namespace: 'default',
    taskToken: task.taskToken,
    returnNewWorkflowTask,
    forceCreateNewWorkflowTask: true,
    queryResults: answering(id, 8),
  });
  const next = await (polled ?? answer.workflowTask);
  expect([next?.workflowExecution?.workflowId, next?.queries]).toEqual([queue, {}]);
  expect(await query).toBe(8);
});

describe('queries that need the whole history', () => {
  const answer = async (raw: RawWorker, taskToken: Uint8Array, value: number) =>
    await raw.service.respondQueryTaskCompleted({
      namespace: 'default',
      taskToken,
      completedType: QueryResultType.QUERY_RESULT_TYPE_ANSWERED,
      queryResult: {
        payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(String(value)) }],
      },
    });

  /** A worker drops one of two tasks with a whole history that it gets for one run at a time. */
  test('a worker has one of them at a time for each run', async () => {
    const raw = new RawWorker(engine, 'raw-turns');
    const handle = await engine.client.workflow.start('counter', onQueue('raw-turns', 'turns'));
    await raw.complete(await raw.poll());
    const answers = Promise.all([handle.query<number>('total'), handle.query<number>('total')]);
    for (const value of [1, 2]) {
      const task = await raw.poll();
      expect(task.query?.queryType).toBe('total');
      expect((await raw.poll({ deadlineMs: 3000 })).taskToken).toHaveLength(0);
      await answer(raw, task.taskToken, value);
    }
    expect(new Set(await answers)).toEqual(new Set([1, 2]));
  });

  test('one that a worker loses is sent again, with the next workflow task where there is one', async () => {
    const patient = await startTestEngine({ limits: { queryResendMs: 300 } });
    const raw = new RawWorker(patient, 'raw-lost');
    const handle = await patient.client.workflow.start('counter', onQueue('raw-lost', 'lost'));
    await raw.complete(await raw.poll());
    const first = handle.query<number>('total');
    const lost = await raw.poll();
    const again = await raw.poll();
    expect(again.query).toEqual(lost.query);
    await answer(raw, again.taskToken, 3);
    expect(await first).toBe(3);
    await expect(answer(raw, lost.taskToken, 4)).rejects.toMatchObject({ code: 5 });

    const second = handle.query<number>('total');
    expect((await raw.poll()).query?.queryType).toBe('total');
    await handle.signal('add', 1);
    let task = await raw.poll();
    while (task.query) task = await raw.poll(); // It was sent again before the signal came, and is lost again.
    // By the end of this poll the query is due again; it is not sent alone while a workflow task is at work.
    expect((await raw.poll({ deadlineMs: 5000 })).taskToken).toHaveLength(0);
    await raw.fail(task);
    task = await raw.poll();
    const [id = ''] = Object.keys(task.queries ?? {});
    await raw.service.respondWorkflowTaskCompleted({
      namespace: 'default',
      taskToken: task.taskToken,
      queryResults: answering(id, 5),
    });
    expect(await second).toBe(5);
    await patient.close();
  });
});

test('a query that nobody answers ends with its deadline', async () => {
  await engine.client.workflow.start('counter', { taskQueue: 'nobody', workflowId: 'unanswered' });
  const query = engine.client.withDeadline(Date.now() + 1500, () =>
    engine.client.workflow.getHandle('unanswered').query('total'),
  );
  await expect(query).rejects.toMatchObject({ cause: { code: 4 } });
  await until(async () => {
    const { raw } = await engine.client.workflow.getHandle('unanswered').describe();
    return raw.pendingWorkflowTask != null;
  });
});

test('every history that these tests made replays', async () => {
  expect(await replayAll(engine.client)).toBeGreaterThan(0);
}, 180_000);
