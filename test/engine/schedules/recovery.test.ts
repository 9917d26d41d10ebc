import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ScheduleDescription,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import Database from 'libsql';
import { ScheduleMessage, fromEncoded, toEncoded } from '../../../engine/embedded/protocol/proto.ts';
import { EngineProcess } from '../embedded/support/engine-process.ts';
import { type TestEngine, startTestEngine } from '../embedded/support/engine.ts';
import { until } from '../until.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const action = {
  type: 'startWorkflow',
  workflowType: 'act',
  taskQueue: 'nobody',
  workflowId: 'run',
} as const;

describe('an engine that was off for a while', () => {
  let folder: string;
  let engine: TestEngine;
  let ahead = 0;

  const start = async (): Promise<void> => {
    engine = await startTestEngine({ dbPath: join(folder, 'engine.db'), now: () => Date.now() + ahead });
  };
  const isOffFor = async (ms: number): Promise<void> => {
    await engine.close();
    ahead += ms;
    await start();
  };
  const create = async (scheduleId: string, options: Partial<ScheduleOptions>): Promise<void> => {
    await engine.client.schedule.create({
      scheduleId,
      spec: { intervals: [{ every: HOUR }] },
      action,
      ...options,
    });
  };
  const describeSchedule = (scheduleId: string): Promise<ScheduleDescription> =>
    engine.client.schedule.getHandle(scheduleId).describe();

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'schedules-'));
    // Far from the full hour, so that none passes while a test is at work.
    ahead = HOUR - (Date.now() % HOUR) + HOUR / 2;
    await start();
  });
  afterEach(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('catches up with what it missed, by overlap policy', async () => {
    const policies = [
      ['SKIP', 1, 4, 0],
      ['BUFFER_ONE', 1, 3, 1],
      ['BUFFER_ALL', 1, 0, 4],
      ['ALLOW_ALL', 5, 0, 0],
    ] as const;
    for (const [overlap] of policies) {
      await create(overlap, {
        policies: { overlap, catchupWindow: DAY },
        action: { ...action, workflowId: overlap },
      });
    }
    await isOffFor(5 * HOUR);
    for (const [overlap, taken, skipped, buffered] of policies) {
      const { info, raw } = await describeSchedule(overlap);
      expect([
        overlap,
        info.numActionsTaken,
        info.numActionsSkippedOverlap,
        Number(raw.info?.bufferSize ?? 0),
      ]).toEqual([overlap, taken, skipped, buffered]);
      expect(info.numActionsMissedCatchupWindow).toBe(0);
    }
  });

  test('leaves out what lies further back than the catch-up window, and counts it once', async () => {
    await create('s', { policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL, catchupWindow: 2 * HOUR } });
    await isOffFor(5 * HOUR);
    const { info } = await describeSchedule('s');
    expect([info.numActionsTaken, info.numActionsMissedCatchupWindow]).toEqual([2, 3]);
    await create('none', { policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL, catchupWindow: 10_000 } });
    await isOffFor(3 * HOUR);
    await isOffFor(0);
    const none = await describeSchedule('none');
    expect([none.info.numActionsTaken, none.info.numActionsMissedCatchupWindow]).toEqual([0, 3]);
  });

  test('a paused time is not caught up with', async () => {
    await create('s', { state: { paused: true } });
    await isOffFor(5 * HOUR);
    const handle = engine.client.schedule.getHandle('s');
    await handle.unpause();
    const { info } = await handle.describe();
    expect([info.numActionsTaken, info.numActionsMissedCatchupWindow]).toEqual([0, 0]);
    expect(info.nextActionTimes[0]?.getTime()).toBeGreaterThan(Date.now() + ahead);
  });

  test('a long absence of a busy schedule is worked off in parts', async () => {
    await create('s', {
      spec: { intervals: [{ every: 1000 }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP },
    });
    await isOffFor(12 * HOUR);
    await until(async () => (await describeSchedule('s')).info.numActionsSkippedOverlap > 4 * 1000);
    await until(async () => {
      const [next] = (await describeSchedule('s')).info.nextActionTimes;
      return (next?.getTime() ?? 0) > Date.now() + ahead - 1000;
    });
    expect((await describeSchedule('s')).info.numActionsTaken).toBe(1);
  });

  test('a schedule with nothing left to do is removed after a week', async () => {
    await create('done', { spec: {} });
    await create('resting', { spec: {}, state: { paused: true } });
    await isOffFor(6 * DAY);
    expect((await describeSchedule('done')).info.numActionsTaken).toBe(0);
    await isOffFor(2 * DAY);
    await expect(describeSchedule('done')).rejects.toBeInstanceOf(ScheduleNotFoundError);
    expect((await describeSchedule('resting')).state.paused).toBe(true);
    const { count } = await engine.client.workflowService.countSchedules({ namespace: 'default' });
    expect(count?.toString()).toBe('1');
  });

  test('an update long after the last action brings no times from before it', async () => {
    await create('s', { spec: {} });
    await isOffFor(5 * DAY);
    const handle = engine.client.schedule.getHandle('s');
    await handle.update((previous) => ({ ...previous, spec: { intervals: [{ every: 1000 }], jitter: 500 } }));
    const { info } = await handle.describe();
    expect(info.numActionsTaken).toBeLessThan(2);
    expect(info.numActionsMissedCatchupWindow + info.numActionsSkippedOverlap).toBeLessThan(2);
    expect(info.nextActionTimes[0]?.getTime()).toBeGreaterThan(Date.now() + ahead - 5000);
  });

  test('a schedule whose time zone is no longer known says so, and the others go on', async () => {
    await create('lost', { spec: { cronExpressions: ['0 * * * *'], timezone: 'Europe/Berlin' } });
    await create('fine', {});
    await engine.close();
    const db = new Database(join(folder, 'engine.db'));
    const row = db.prepare("SELECT definition FROM schedules WHERE schedule_id = 'lost'").get() as {
      definition: string;
    };
    const definition = fromEncoded(ScheduleMessage, row.definition);
    if (definition.spec) definition.spec.timezoneName = 'Mars/Olympus';
    db.prepare("UPDATE schedules SET definition = ? WHERE schedule_id = 'lost'").run(
      toEncoded(ScheduleMessage, ScheduleMessage.create(definition)),
    );
    db.close();
    ahead += 2 * HOUR;
    await start();
    const { raw } = await describeSchedule('lost');
    expect(raw.info?.invalidScheduleError).toBe('unknown time zone Mars/Olympus');
    expect(raw.info?.futureActionTimes).toEqual([]);
    expect((await describeSchedule('fine')).info.numActionsTaken).toBe(1);
  });

  test('a deleted schedule stays deleted, and its runs go on', async () => {
    await create('s', { state: { triggerImmediately: true } });
    const [action] = (await describeSchedule('s')).info.recentActions;
    await engine.client.schedule.getHandle('s').delete();
    await isOffFor(3 * HOUR);
    await expect(describeSchedule('s')).rejects.toBeInstanceOf(ScheduleNotFoundError);
    const run = engine.client.workflow.getHandle(action?.action.workflow.workflowId ?? '');
    expect((await run.describe()).status.name).toBe('RUNNING');
    expect((await engine.client.workflow.count('')).count).toBe(1);
  });

  test('everything of a schedule is there again', async () => {
    await create('s', {
      spec: {
        cronExpressions: ['30 2 * * MON#at night'],
        jitter: '5m',
        timezone: 'Europe/Berlin',
        skip: [{ month: 'JULY' }],
      },
      memo: { a: 1 },
      policies: { overlap: ScheduleOverlapPolicy.BUFFER_ALL, pauseOnFailure: true },
      state: { note: 'n', remainingActions: 9, triggerImmediately: true },
    });
    const before = await describeSchedule('s');
    await isOffFor(0);
    const { raw: _before, ...rest } = before;
    const { raw: _after, ...after } = await describeSchedule('s');
    expect(JSON.stringify(after)).toBe(JSON.stringify(rest));
    expect(after.info.recentActions).toHaveLength(1);
  });
});

test('a schedule that was answered survives SIGKILL, and acts once for each of its times', async () => {
  const engine = new EngineProcess();
  await engine.start();
  const { client, connection } = await engine.connect();
  const create = (scheduleId: string): Promise<unknown> =>
    client.schedule.create({
      scheduleId,
      spec: { intervals: [{ every: 1000 }] },
      policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL },
      action: { ...action, workflowId: scheduleId },
      state: { remainingActions: 8 },
    });
  const ids = ['a', 'b', 'c'];
  for (const id of ids) await create(id);
  for (let kills = 0; kills < 4; kills++) {
    const taken = (await client.schedule.getHandle('a').describe()).info.numActionsTaken;
    // On a slow machine, what was missed during a restart is all that was left.
    await until(async () => {
      const { info, state } = await client.schedule.getHandle('a').describe();
      return info.numActionsTaken > taken || state.remainingActions === 0;
    });
    await engine.restart();
  }
  for (const id of ids) {
    await until(async () => (await client.schedule.getHandle(id).describe()).state.remainingActions === 0);
    const { count } = await client.workflow.count(`TemporalScheduledById = '${id}'`);
    expect(count).toBe(8);
    const starts: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query: `TemporalScheduledById = '${id}'` }))
      starts.push(workflowId);
    const seconds = starts
      .map((workflowId) => Date.parse(workflowId.slice(-20)) / 1000)
      .sort((a, b) => a - b);
    expect(seconds.map((second) => second - (seconds[0] ?? 0))).toEqual(seconds.map((_, index) => index));
  }
  await connection.close();
  await engine.close();
});
