import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { EngineClock } from '../../../engine/embedded/primitives/clock.ts';
import { until } from '../until.ts';
import { type TestEngine, startTestEngine } from './support/engine.ts';
import { type TestWorker, expectReplays, startTestWorker } from './support/worker.ts';

const DAY_MS = 86_400_000;

describe('the clock', () => {
  const told: number[] = [];
  const at = { wall: 0, elapsed: 0 };
  const clockFrom = (lastKnown?: number): EngineClock =>
    new EngineClock({
      wall: () => at.wall,
      elapsed: () => at.elapsed,
      lastKnown,
      onBehind: (ms) => told.push(ms),
    });
  const passes = (ms: number): void => {
    at.wall += ms;
    at.elapsed += ms;
  };

  beforeEach(() => {
    told.length = 0;
    Object.assign(at, { wall: 10 * DAY_MS, elapsed: 5 });
  });

  test('tells what the machine’s clock tells, also when that leaps ahead', () => {
    const { now } = clockFrom();
    expect(now()).toBe(10 * DAY_MS);
    passes(1500);
    expect(now()).toBe(10 * DAY_MS + 1500);
    at.wall += DAY_MS;
    expect(now()).toBe(11 * DAY_MS + 1500);
    expect(told).toEqual([]);
  });

  test('goes on at the pace of real time while the machine’s clock is behind, and says so once', () => {
    const { now } = clockFrom();
    now();
    at.wall -= DAY_MS;
    passes(2000);
    expect(now()).toBe(10 * DAY_MS + 2000);
    passes(2000);
    expect(now()).toBe(10 * DAY_MS + 4000);
    expect(told).toEqual([DAY_MS]);
    at.wall += 2 * DAY_MS;
    expect(now()).toBe(11 * DAY_MS + 4000);
    at.wall -= 5000;
    now();
    expect(told).toEqual([DAY_MS, 5000]);
  });

  test('starts no earlier than where it was when its data was last written', () => {
    const { now } = clockFrom(12 * DAY_MS);
    expect(now()).toBe(12 * DAY_MS);
    passes(100);
    expect(now()).toBe(12 * DAY_MS + 100);
    expect(clockFrom(9 * DAY_MS).now()).toBe(at.wall);
  });
});

describe('an engine whose machine sets its clock back', () => {
  const taskQueue = 'clock';
  let folder: string;
  let engine: TestEngine;
  let worker: TestWorker;
  let step = 0;
  let warned: string[] = [];

  const start = async (): Promise<void> => {
    const quiet = (): void => undefined;
    engine = await startTestEngine({
      dbPath: join(folder, 'engine.db'),
      now: () => Date.now() + step,
      logger: { debug: quiet, info: quiet, warn: (_, message) => warned.push(message), error: quiet },
    });
    worker = await startTestWorker(engine, taskQueue);
  };
  const stop = async (): Promise<void> => {
    await worker.close();
    await engine.close();
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'clock-'));
    step = 0;
    warned = [];
    await start();
  });
  afterEach(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const asleep = async (ms: number): Promise<WorkflowHandle> => {
    const handle = await engine.client.workflow.start('sleeper', { taskQueue, workflowId: 's', args: [ms] });
    await until(async () => {
      const { events } = await handle.fetchHistory();
      return events?.some((event) => event.timerStartedEventAttributes != null) === true;
    });
    return handle;
  };
  const neverGoesBack = async (handle: WorkflowHandle): Promise<void> => {
    const { events } = await handle.fetchHistory();
    const times = (events ?? []).map(
      ({ eventTime }) => Number(eventTime?.seconds) * 1000 + (eventTime?.nanos ?? 0) / 1e6,
    );
    expect(times).toEqual([...times].sort((a, b) => a - b));
    await expectReplays(engine.client, handle.workflowId);
  };

  test('timers fire when they would have, workers are served, and no history goes back', async () => {
    const handle = await asleep(1000);
    step = -DAY_MS;
    await handle.result();
    await neverGoesBack(handle);
    expect(warned).toEqual(["the machine's clock went back: timers keep what they had left to wait"]);
    const second = await asleep(100);
    await second.result();
  });

  test('after a restart too, what was left to wait is waited and no more', async () => {
    await asleep(3000);
    await stop();
    step = -DAY_MS;
    await start();
    const handle = engine.client.workflow.getHandle('s');
    expect(await handle.result()).toBeDefined();
    await neverGoesBack(handle);
  });
});
