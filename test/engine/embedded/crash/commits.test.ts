import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../../engine/embedded/persistence/database.ts';
import {
  CommandType,
  UpdateWorkflowExecutionLifecycleStage,
} from '../../../../engine/embedded/protocol/proto.ts';
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

describe('a commit that fails while a run has updates', () => {
  const update = (updateId: string): Answer =>
    life.ask('UpdateWorkflowExecution', {
      namespace,
      workflowExecution: { workflowId: 'w' },
      request: { meta: { updateId }, input: { name: 'bump' } },
      waitPolicy: {
        lifecycleStage:
          UpdateWorkflowExecutionLifecycleStage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ACCEPTED,
      },
    });
  const messages = async (): Promise<unknown> => (await poll('Workflow'))['messages'];

  beforeEach(async () => {
    const first = poll('Workflow');
    await start();
    const { taskToken } = await first;
    await life.ask('RespondWorkflowTaskCompleted', { namespace, taskToken });
  });

  /** Asks until a worker has the update; nobody answers it. */
  async function expectAnother(updateId: string): Promise<void> {
    const another = update(updateId).catch((error: unknown) => error);
    expect(await messages()).toHaveLength(1);
    jest.advanceTimersByTime(60_000);
    await another;
  }

  test('tells whoever waits, who can have it by asking again', async () => {
    const waiting = update('u').catch((error: unknown) => error);
    expect(await messages()).toHaveLength(1);
    disk.arm('refused', 1);
    const signal = life.ask('SignalWorkflowExecution', {
      namespace,
      workflowExecution: { workflowId: 'w' },
      signalName: 's',
      requestId: 'r',
    });
    await expect(signal).rejects.toThrow(NotTold);
    expect(await waiting).toBeInstanceOf(NotTold);
    await expectAnother('u');
  });

  test('leaves no task behind that nobody is given, also when a refused request brought it on', async () => {
    const waiting = Array.from({ length: 10 }, (_, n) => update(`u${n}`).catch((error: unknown) => error));
    disk.arm('refused', 2);
    await new Promise(setImmediate);
    const { commits } = disk;
    const other = life.ask('StartWorkflowExecution', {
      namespace,
      taskQueue: { name: 'elsewhere' },
      workflowId: 'other',
      requestId: 'other',
      workflowType: { name: 't' },
    });
    const refused = update('eleventh').catch((error: unknown) => error);
    await expect(other).rejects.toThrow(NotTold);
    expect(disk.commits).toBe(commits + 1);
    expect(await refused).toBeInstanceOf(Error);
    expect((await Promise.all(waiting)).every((each) => each instanceof NotTold)).toBe(true);
    await expectAnother('later');
  });
});
