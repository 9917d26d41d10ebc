import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../../engine/embedded/persistence/database.ts';
import { CommandType } from '../../../../engine/embedded/protocol/proto.ts';
import { duration } from '../../../../engine/embedded/protocol/values.ts';
import { seeded } from '../../../support/seeded.ts';
import { EngineLife, NotTold } from './engine-life.ts';
import { FaultDatabase } from './fault-database.ts';

type Answer = Promise<Record<string, unknown>>;

let folder: string;
let disk: FaultDatabase;
let life: EngineLife;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] });
  folder = mkdtempSync(join(tmpdir(), 'steadyhand-commits-'));
  const path = join(folder, 'engine.db');
  openDatabase(path, 'full').close();
  disk = new FaultDatabase(path, seeded(1), 100);
  life = new EngineLife(disk, { pollWaitMs: 60_000 });
  life.parts.namespaces.ensure('default');
  life.recover();
});
afterEach(async () => {
  // The polls that still wait end.
  jest.advanceTimersByTime(60_000);
  await life.end();
  jest.useRealTimers();
  rmSync(folder, { recursive: true });
});

const namespace = 'default';
const taskQueue = { name: 'q' };
const poll = (kind: 'Workflow' | 'Activity'): Answer =>
  life.ask(`Poll${kind}TaskQueue`, { namespace, taskQueue, identity: 'worker' });
const start = (): Answer =>
  life.ask('StartWorkflowExecution', {
    namespace,
    taskQueue,
    workflowId: 'w',
    requestId: 'start',
    workflowType: { name: 't' },
  });
const activity = {
  commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
  scheduleActivityTaskCommandAttributes: {
    activityId: 'a',
    activityType: { name: 't' },
    taskQueue,
    startToCloseTimeout: duration(60_000),
  },
};

/** How many commits something takes. */
async function commitsOf(work: () => Promise<unknown>): Promise<number> {
  const { commits } = disk;
  await work();
  return disk.commits - commits;
}

test('a worker that waits is given a task in the commit that makes it', async () => {
  let task = poll('Workflow');
  expect(await commitsOf(() => Promise.all([start(), task]))).toBe(1);
  const { taskToken } = await task;
  const given = poll('Activity');
  const answer = { namespace, taskToken, commands: [activity] };
  expect(await commitsOf(() => Promise.all([life.ask('RespondWorkflowTaskCompleted', answer), given]))).toBe(
    1,
  );
  task = poll('Workflow');
  const completed = { namespace, taskToken: (await given)['taskToken'] };
  expect(
    await commitsOf(() => Promise.all([life.ask('RespondActivityTaskCompleted', completed), task])),
  ).toBe(1);
  expect((await task)['taskToken']).toBeDefined();
});

test('so is one that waits for an activity without a workflow', async () => {
  const task = poll('Activity');
  const request = {
    namespace,
    taskQueue,
    activityId: 'a',
    activityType: { name: 't' },
    startToCloseTimeout: duration(60_000),
  };
  expect(await commitsOf(() => Promise.all([life.ask('StartActivityExecution', request), task]))).toBe(1);
  const { taskToken } = await task;
  expect(await commitsOf(() => life.ask('RespondActivityTaskCompleted', { namespace, taskToken }))).toBe(1);
});

test('a commit that fails leaves neither the change nor what was given, and both can be had again', async () => {
  const task = poll('Workflow');
  disk.arm('refused', 1);
  await expect(start()).rejects.toThrow(NotTold);
  await expect(task).rejects.toThrow(NotTold);
  expect(life.refs()).toEqual([]);
  const again = poll('Workflow');
  await start();
  expect(life.refs()).toHaveLength(1);
  expect((await again)['attempt']).toBe(1);
});

test('whoever waits for an update when a commit fails is told, and can have it by asking again', async () => {
  const first = poll('Workflow');
  await start();
  const { taskToken } = await first;
  await life.ask('RespondWorkflowTaskCompleted', { namespace, taskToken });
  const ask = (): Answer =>
    life.ask('UpdateWorkflowExecution', {
      namespace,
      workflowExecution: { workflowId: 'w' },
      request: { meta: { updateId: 'u' }, input: { name: 'bump' } },
      waitPolicy: { lifecycleStage: 2 },
    });
  const update = ask().catch((error: unknown) => error);
  const task = await poll('Workflow');
  expect(task['messages']).toHaveLength(1);
  disk.arm('refused', 1);
  await expect(
    life.ask('SignalWorkflowExecution', {
      namespace,
      workflowExecution: { workflowId: 'w' },
      signalName: 's',
      requestId: 'r',
    }),
  ).rejects.toThrow(NotTold);
  expect(await update).toBeInstanceOf(NotTold);
  const again = ask().catch((error: unknown) => error);
  expect((await poll('Workflow'))['messages']).toHaveLength(1);
  jest.advanceTimersByTime(60_000);
  await again;
});
