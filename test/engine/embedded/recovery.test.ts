import type { Client, Connection } from '@temporalio/client';
import { CommandType, TaskQueueKind } from '../../../engine/embedded/protocol/proto.ts';
import { until } from '../until.ts';
import { entered, openGate } from './support/activities.ts';
import { EngineProcess } from './support/engine-process.ts';
import { type TestWorker, expectReplays, startTestWorker, onQueue } from './support/worker.ts';

jest.setTimeout(120_000);

let server: EngineProcess;
let client: Client;
let connection: Connection;
const workers: TestWorker[] = [];

beforeAll(async () => {
  server = new EngineProcess();
  await server.start();
  ({ client, connection } = await server.connect());
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
});

afterAll(async () => {
  await connection.close();
  await server.close();
});

async function worker(taskQueue: string, options = {}): Promise<TestWorker> {
  const started = await startTestWorker(server, taskQueue, options);
  workers.push(started);
  return started;
}

const names = async (workflowId: string): Promise<string[]> => {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).map(
    (event) => Object.keys(event).find((key) => key.endsWith('EventAttributes')) ?? '',
  );
};

/** When the engine wrote the run's first event of this kind, in ms since the epoch. */
const writtenAt = async (workflowId: string, name: string): Promise<number> => {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const event = (events ?? []).find((one) => (one as Record<string, unknown>)[name] != null);
  const { seconds = Number.NaN, nanos } = event?.eventTime ?? {};
  return Number(seconds) * 1000 + (nanos ?? 0) / 1e6;
};

const written = async (workflowId: string, name: string): Promise<number> =>
  (await names(workflowId)).filter((one) => one === name).length;

test('timers that passed while the engine was dead fire at once, later ones in time', async () => {
  await worker('timers');
  const start = (ms: number) =>
    client.workflow.start('sleeper', { taskQueue: 'timers', workflowId: `sleeper-${ms}`, args: [ms] });
  const [short, long] = [await start(800), await start(4000)];
  await until(async () => (await written('sleeper-4000', 'timerStartedEventAttributes')) === 1);
  await until(async () => (await written('sleeper-800', 'timerStartedEventAttributes')) === 1);
  const due = (await writtenAt('sleeper-800', 'timerStartedEventAttributes')) + 800;
  await server.kill();
  await until(() => Date.now() > due);
  await server.start();
  const ready = Date.now();
  expect(await short.result()).toBe('awake');
  // Not 800 ms after the start, as one that began anew.
  expect(await writtenAt('sleeper-800', 'timerFiredEventAttributes')).toBeLessThan(ready + 700);
  expect(await long.result()).toBe('awake');
  await expectReplays(client, 'sleeper-800', 'sleeper-4000');
});

test('a workflow task that a worker had is given out again at once, and the former worker is refused', async () => {
  await client.workflow.start('empty', { taskQueue: 'raw', workflowId: 'in-flight' });
  const poll = () =>
    connection.withDeadline(Date.now() + 30_000, () =>
      connection.workflowService.pollWorkflowTaskQueue({
        namespace: 'default',
        taskQueue: { name: 'raw', kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
        identity: 'by hand',
      }),
    );
  const first = await poll();
  await server.restart();
  // Its first attempt still, with no timeout in its history.
  const second = await poll();
  expect(second.workflowExecution).toEqual(first.workflowExecution);
  expect(Number(second.startedEventId)).toBe(3);
  expect(second.attempt).toBe(1);
  const answer = (taskToken: Uint8Array) =>
    connection.workflowService.respondWorkflowTaskCompleted({
      namespace: 'default',
      taskToken,
      commands: [
        {
          commandType: CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
          completeWorkflowExecutionCommandAttributes: {},
        },
      ],
    });
  await expect(answer(first.taskToken)).rejects.toMatchObject({
    code: 5,
    details: 'Workflow task not found.',
  });
  await answer(second.taskToken);
  expect(await names('in-flight')).toEqual([
    'workflowExecutionStartedEventAttributes',
    'workflowTaskScheduledEventAttributes',
    'workflowTaskStartedEventAttributes',
    'workflowTaskCompletedEventAttributes',
    'workflowExecutionCompletedEventAttributes',
  ]);
});

test('a run bound to a sticky queue does not wait for its timeout', async () => {
  const first = await worker('sticky');
  const handle = await client.workflow.start('counter', { taskQueue: 'sticky', workflowId: 'sticky-run' });
  await until(async () => (await written('sticky-run', 'workflowTaskCompletedEventAttributes')) === 1);
  await first.close();
  await handle.signal('add', 2);
  await server.restart();
  await worker('sticky');
  await handle.signal('finish');
  expect(await handle.result()).toBe(2);
  expect(await written('sticky-run', 'workflowTaskTimedOutEventAttributes')).toBe(0);
  await expectReplays(client, 'sticky-run');
});

test('an activity that no worker had started is still delivered', async () => {
  await worker('workflows-only');
  const handle = await client.workflow.start(
    'withOptions',
    onQueue(
      'workflows-only',
      'unstarted',
      { taskQueue: 'activities-later', startToCloseTimeout: '10s' },
      'echo',
      ['late'],
    ),
  );
  await until(async () => (await written('unstarted', 'activityTaskScheduledEventAttributes')) === 1);
  await server.restart();
  await worker('activities-later');
  expect(await handle.result()).toBe('ok "echo:late"');
  await expectReplays(client, 'unstarted');
});

test('a started activity is not started twice, and its late answer counts', async () => {
  await worker('gates');
  const handle = await client.workflow.start('gated', onQueue('gates', 'gated', 'over-the-crash'));
  await until(() => entered.get('over-the-crash') === 1);
  await server.restart();
  openGate('over-the-crash');
  expect(await handle.result()).toBe('passed over-the-crash');
  expect(entered.get('over-the-crash')).toBe(1);
  await expectReplays(client, 'gated');
});

test('the time that a started activity had before the crash counts for its timeout', async () => {
  await worker('timeouts');
  const handle = await client.workflow.start(
    'withOptions',
    onQueue(
      'timeouts',
      'timed-out',
      { startToCloseTimeout: '1500ms', retry: { maximumAttempts: 1 } },
      'slow',
      ['slow-over-the-crash', 20_000],
    ),
  );
  await until(() => entered.get('slow-over-the-crash') === 1);
  const due = Date.now() + 1500;
  await server.kill();
  await until(() => Date.now() > due);
  await server.start();
  const ready = Date.now();
  expect(await handle.result()).toMatch(/TimeoutFailure START_TO_CLOSE/);
  // Not 1500 ms after the start, as if its time began anew.
  expect(await writtenAt('timed-out', 'activityTaskTimedOutEventAttributes')).toBeLessThan(ready + 1300);
});

test('an activity waiting for its retry is retried after the restart, with the right attempt', async () => {
  await worker('retries');
  const handle = await client.workflow.start(
    'flakyStep',
    onQueue('retries', 'retried', 'flaky-over-the-crash', 1, 2500),
  );
  await until(async () => {
    const { raw } = await handle.describe();
    return raw.pendingActivities?.[0]?.attempt === 2;
  });
  await server.restart();
  expect(await handle.result()).toBe(2);
  expect(entered.get('flaky-over-the-crash')).toBe(2);
  await expectReplays(client, 'retried');
});

test('what was answered before the kill is there after it', async () => {
  await client.workflow.start('counter', { taskQueue: 'nobody', workflowId: 'acknowledged' });
  const handle = client.workflow.getHandle('acknowledged');
  let answered = 0;
  let isOver = false;
  const sender = (async () => {
    while (!isOver) {
      await handle.signal('add', 1);
      answered++;
    }
  })();
  await until(() => answered >= 50);
  await server.kill();
  isOver = true;
  await server.start();
  // The client asks again for the one that was under way.
  await sender;
  const signals = await written('acknowledged', 'workflowExecutionSignaledEventAttributes');
  expect(signals).toBe(answered);
});

test('runs that are killed at random moments end as if nothing had happened', async () => {
  await worker('chaos');
  const ids = Array.from({ length: 6 }, (_, i) => `chaos-${i}`);
  const handles = await Promise.all(
    ids.map((workflowId, i) =>
      i % 2 === 0
        ? client.workflow.start('steps', { taskQueue: 'chaos', workflowId, args: [40] })
        : client.workflow.start('parentOf', onQueue('chaos', workflowId, `${workflowId}-child`, 300)),
    ),
  );
  for (let kill = 0; kill < 4; kill++) {
    const length = async (): Promise<number> => (await names('chaos-0')).length;
    const goal = (await length()) + 3 * kill + 1;
    await until(
      async () => (await handles[0]?.describe())?.status.name !== 'RUNNING' || (await length()) >= goal,
    );
    await server.restart();
  }
  const results = await Promise.all(handles.map((handle) => handle.result() as Promise<unknown>));
  expect(results).toEqual([40, 'awake', 40, 'awake', 40, 'awake']);
  await expectReplays(client, ...ids);
});
