import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { type Engine, type EngineKind, ensureSearchAttributes, startEngine } from '../../../engine/index.ts';
import { replayHistories } from '../../support/replay-histories.ts';
import { IN_THIS_THREAD, quietRuntime } from '../../support/temporal-runtime.ts';
import { createActivities } from './activities.ts';
import { differences } from './compare.ts';
import { normalise, parseHistory } from './normalise.ts';
import { rawQueue } from './raw-queue.ts';
import { notRun, type Scenario, scenarios, type Stage } from './scenarios.ts';

/**
 * Runs the recorded workflows again and compares what the service writes with what the real server wrote. On the
 * embedded engine by default; STEADYHAND_TEST_ENGINE=dev-server (needs the Temporal CLI) or =cluster runs it elsewhere.
 */
const kind = (process.env['STEADYHAND_TEST_ENGINE'] ?? 'embedded') as EngineKind;
const only = process.env['STEADYHAND_TEST_SCENARIO'];
const folder = join(__dirname, 'histories');
const recorded = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
const golden = (name: string): History => parseHistory(readFileSync(join(folder, `${name}.json`), 'utf8'));
const chosen = scenarios.filter((s) => only === undefined || s.name === only);
/** Enough to hide their waits behind each other, few enough not to stretch each other's timing on a small machine. */
const atOnce = 12;

/** How often a scenario is run again whose history is not the recorded one. */
const AGAIN = 4;

/** For one scenario, from its turn on. */
const patienceMs = 90_000;

async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end within ${ms} ms`)), ms);
  });
  return await Promise.race([work, tooLong]).finally(() => clearTimeout(timer));
}

let bundle: WorkflowBundleWithSourceMap;
beforeAll(async () => {
  quietRuntime({
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
  bundle = await bundleWorkflowCode({
    workflowsPath: join(__dirname, 'workflows.ts'),
    logger: new DefaultLogger('ERROR'),
  });
}, 120_000);
afterAll(() => Runtime.instance().shutdown());

test('every recorded history is run again or listed with a reason', () => {
  const run = scenarios.flatMap((s) => s.goldens);
  expect([...run, ...Object.keys(notRun)].toSorted()).toEqual(recorded.toSorted());
});

describe(`on ${kind}`, () => {
  const written = new Map<string, History>();
  const outcomes = new Map<Scenario, Promise<Record<string, History>>>();
  let dir: string;
  let engine: Engine;
  let connection: Connection;
  let native: NativeConnection;
  let worker: Worker;
  let working: Promise<void>;
  let stage: Stage;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'conformance-'));
    engine = await startEngine({ kind, dataDir: dir, port: 0 });
    const attributes = {
      CustomKeywordField: 'Keyword',
      CustomIntField: 'Int',
      CustomTextField: 'Text',
    } as const;
    if (!(await ensureSearchAttributes(engine, attributes))) throw new Error('no search attributes');
    connection = await Connection.connect(engine.connection);
    native = await NativeConnection.connect(engine.connection);
    const { activities, tokens } = createActivities();
    const options = (taskQueue: string): WorkerOptions => ({
      connection: native,
      namespace: engine.namespace,
      taskQueue,
      identity: 'golden-worker',
      workflowBundle: bundle,
      activities,
      shutdownGraceTime: 0,
      maxHeartbeatThrottleInterval: '500ms',
      ...IN_THIS_THREAD,
    });
    const finishWithWorker = async (taskQueue: string, done: () => Promise<void>): Promise<void> => {
      const own = await Worker.create(options(taskQueue));
      await own.runUntil(() => within(patienceMs - 10_000, `the worker on ${taskQueue}`, done()));
    };
    worker = await Worker.create(options('golden'));
    working = worker.run();
    stage = {
      client: new Client({ connection, namespace: engine.namespace, identity: 'golden-client' }),
      taskQueue: 'golden',
      tokens,
      raw: (taskQueue) => rawQueue(connection, engine.namespace, taskQueue, finishWithWorker),
    };
    runAll();
  }, 120_000);

  /** The slow ones first. */
  function runAll(): void {
    const queue = chosen.toSorted((a, b) => Number(isSlow(b)) - Number(isSlow(a)));
    const starts = new Map<Scenario, () => void>();
    for (const scenario of queue) {
      const turn = new Promise<void>((resolve) => starts.set(scenario, resolve));
      const outcome = turn.then(() => within(patienceMs, scenario.name, scenario.run(stage)));
      outcome.catch(() => undefined).finally(next);
      outcomes.set(scenario, outcome);
    }
    function next(): void {
      const scenario = queue.shift();
      if (scenario !== undefined) starts.get(scenario)?.();
    }
    for (let i = 0; i < atOnce; i += 1) next();
  }
  const isSlow = (s: Scenario): boolean => s.name === 'local-activity-task-heartbeat';

  afterAll(async () => {
    await Promise.allSettled(outcomes.values());
    worker.shutdown();
    await working;
    await native.close();
    await connection.close();
    await engine.stop();
    await rm(dir, { recursive: true, force: true });
  }, 180_000);

  const historyOf = async (
    name: string,
    outcome: Promise<Record<string, History>> | undefined,
  ): Promise<History> => {
    const history = (await outcome)?.[name];
    if (history === undefined) throw new Error(`the scenario made no history ${name}`);
    return history;
  };
  const compare = (name: string, scenario: Scenario, history: History): string[] =>
    differences(normalise(history), normalise(golden(name)), scenario.tolerances?.[name]);

  const runs = chosen.flatMap((s) => s.goldens.map((name): [string, Scenario] => [name, s]));

  test.each(runs)(
    '%s is written as the real server wrote it',
    async (name, scenario) => {
      let history = await historyOf(name, outcomes.get(scenario));
      let found = compare(name, scenario, history);
      // Timeouts of a second or two do not survive every busy moment of a small machine: again then, undisturbed by the others.
      for (let again = 0; found.length > 0 && again < AGAIN; again += 1) {
        await Promise.allSettled(outcomes.values());
        history = await historyOf(name, within(patienceMs, scenario.name, scenario.run(stage)));
        found = compare(name, scenario, history);
      }
      expect(found.join('\n')).toBe('');
      written.set(name, history);
    },
    360_000,
  );

  test('and all of them replay', async () => {
    const histories = [...written].map(([workflowId, history]) => ({ workflowId, history }));
    expect(await replayHistories(bundle, histories)).toBe(runs.length);
  }, 360_000);
});

test('every recorded history replays', async () => {
  const histories = recorded.map((name) => ({ workflowId: name, history: golden(name) }));
  expect(await replayHistories(bundle, histories)).toBe(recorded.length);
}, 360_000);
