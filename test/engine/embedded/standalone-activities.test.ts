import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActivityClient, ActivityHandle } from '@temporalio/client';
import Database from 'libsql';
import { until } from '../until.ts';
import { entered, type testActivities } from './support/activities.ts';
import { type TestEngine, startTestEngine } from './support/engine.ts';
import { type TestWorker, startTestWorker } from './support/worker.ts';

const DAY_MS = 86_400_000;
const taskQueue = 'standalone';

let folder: string;
let engine: TestEngine;
let worker: TestWorker | undefined;
let ahead = 0;

const open = async (): Promise<void> => {
  engine = await startTestEngine({
    dbPath: join(folder, 'engine.db'),
    now: () => Date.now() + ahead,
    limits: { retentionSweepMs: 20 },
    searchAttributes: { Label: 'Keyword' },
  });
};
const work = async (): Promise<void> => {
  worker = await startTestWorker(engine, taskQueue);
};
const close = async (): Promise<void> => {
  await worker?.close();
  worker = undefined;
  await engine.close();
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'standalone-'));
  ahead = 0;
  entered.clear();
  await open();
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const client = (): ActivityClient => engine.client.activity;
const start = (
  name: keyof typeof testActivities,
  id: string,
  args: unknown[],
  more: object = {},
): Promise<ActivityHandle> =>
  client().start(name, {
    id,
    taskQueue,
    args,
    startToCloseTimeout: '1 minute',
    retry: { initialInterval: '10ms' },
    ...more,
  });

/** The next activity of a queue that no worker polls. */
const byHand = () =>
  engine.connection.withDeadline(Date.now() + 10_000, () =>
    engine.connection.workflowService.pollActivityTaskQueue({
      namespace: 'default',
      taskQueue: { name: 'by-hand' },
    }),
  );

test('the official client starts activities, waits for them, and gets what they end with', async () => {
  await work();
  const options = { id: 'echo', taskQueue, startToCloseTimeout: '1 minute' };
  expect(await client().execute('echo', { ...options, args: ['hello'] })).toBe('echo:hello');
  const flaky = await start('flaky', 'flaky', ['flaky', 2]);
  expect(await flaky.result()).toBe(3);
  expect(await flaky.describe()).toMatchObject({ activityId: 'flaky', attempt: 3, status: 'COMPLETED' });
  const broken = await start('failWith', 'broken', [{ type: 'Broken', nonRetryable: true }]);
  await expect(broken.result()).rejects.toMatchObject({ cause: { type: 'Broken', message: 'Broken' } });
  expect(await (await start('leaveDetails', 'left', [])).result()).toEqual({ offset: 42 });
});

test('one is canceled through its heartbeats, one is terminated, and both are listed', async () => {
  await work();
  const typedSearchAttributes = [{ key: { name: 'Label', type: 'KEYWORD' }, value: 'here' }];
  const canceled = await start('untilCancelled', 'canceled', ['c'], {
    typedSearchAttributes,
    heartbeatTimeout: '10s',
  });
  await until(() => entered.get('c') === 1);
  await canceled.cancel('enough');
  await expect(canceled.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  const terminated = await start('echo', 'terminated', ['t'], { typedSearchAttributes, taskQueue: 'nobody' });
  await terminated.terminate('now');
  await expect(terminated.result()).rejects.toMatchObject({ cause: { message: 'now' } });
  const listed: string[] = [];
  for await (const { activityId, status } of client().list(`Label = 'here'`))
    listed.push(`${activityId} ${status}`);
  expect(listed.toSorted()).toEqual(['canceled CANCELED', 'terminated TERMINATED']);
  expect((await client().count(`Label = 'here' AND ExecutionStatus = 'Canceled'`)).count).toBe(1);
});

test('an operator pauses one, changes it and lets it go on', async () => {
  const handle = await start('echo', 'paused', ['x']);
  await handle.pause({ reason: 'later' });
  await work();
  expect(await handle.describe()).toMatchObject({ status: 'PAUSED' });
  const changed = await handle.updateOptions({ heartbeatTimeout: '7s', retry: { maximumAttempts: 4 } });
  expect(changed).toMatchObject({ retry: { maximumAttempts: 4 } });
  expect((await handle.restoreOriginalOptions()).retry).toMatchObject({ initialInterval: 10 });
  await handle.unpause();
  expect(await handle.result()).toBe('echo:x');
});

test('what waits, what backs off and what a worker has outlive a restart of the engine', async () => {
  const waiting = await start('echo', 'waiting', ['w']);
  const delayed = await start('echo', 'delayed', ['d'], { startDelay: '1s' });
  const { workflowService } = engine.connection;
  const raw = (activityId: string): Promise<unknown> =>
    workflowService.startActivityExecution({
      namespace: 'default',
      activityId,
      activityType: { name: 'echo' },
      taskQueue: { name: 'by-hand' },
      startToCloseTimeout: { seconds: 60 as never },
    });
  await raw('held');
  const { taskToken } = await byHand();
  await raw('failed');
  const failed = await byHand();
  await workflowService.respondActivityTaskFailed({
    taskToken: failed.taskToken,
    failure: { message: 'f' },
  });
  await close();
  await open();
  await work();
  expect(await client().getHandle(waiting.activityId).result()).toBe('echo:w');
  expect(await client().getHandle(delayed.activityId).result()).toBe('echo:d');
  // The worker that has it may still be at work.
  await engine.connection.workflowService.respondActivityTaskCompleted({ taskToken });
  expect(await client().getHandle('held').describe()).toMatchObject({ status: 'COMPLETED' });
  expect(await byHand()).toMatchObject({ activityId: 'failed', attempt: 2 });
});

test('a closed one goes once the retention is over, and its id is free; an open one stays', async () => {
  await work();
  await (await start('echo', 'closed', ['c'])).result();
  await start('echo', 'open', ['o'], { taskQueue: 'nobody' });
  ahead = DAY_MS + 60_000;
  const isThere = (id: string): Promise<boolean> =>
    client()
      .getHandle(id)
      .describe()
      .then(
        () => true,
        () => false,
      );
  await until(async () => !(await isThere('closed')));
  expect(await isThere('open')).toBe(true);
  await start('echo', 'closed', ['again'], { idReusePolicy: 'REJECT_DUPLICATE', taskQueue: 'nobody' });
  const db = new Database(join(folder, 'engine.db'), { readonly: true });
  expect(db.prepare('SELECT count(*) AS n FROM activities').get()).toMatchObject({ n: 2 });
  db.close();
});

test('a file that an engine without such activities has written is opened, and has them then', async () => {
  await close();
  const db = new Database(join(folder, 'engine.db'));
  db.exec(
    `DROP TABLE activities; UPDATE engine_meta SET value = CAST(value AS INTEGER) - 1 WHERE key = 'schema_version'`,
  );
  db.close();
  await open();
  await work();
  expect(await (await start('echo', 'new', ['n'])).result()).toBe('echo:n');
});

test('where time is skipped, its start delay and its back-off are', async () => {
  const skipping = await startTestEngine({ timeSkipping: 'unlocked' });
  const other = await startTestWorker(skipping, taskQueue);
  const options = { taskQueue, startToCloseTimeout: '1 minute', startDelay: '30 days' };
  const result: unknown = await skipping.client.activity.execute('flaky', {
    ...options,
    id: 'delayed',
    args: ['skipped', 1],
    retry: { initialInterval: '1 day' },
  });
  expect(result).toBe(2);
  await other.close();
  await skipping.close();
});
