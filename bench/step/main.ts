import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleWorkflowCode, DefaultLogger, Runtime } from '@temporalio/worker';
import {
  type Engine,
  type EngineKind,
  EngineUnavailableError,
  startEmbeddedEngine,
  startEngine,
} from '../../engine/index.ts';
import { round3, writeResult } from '../lib/figures.ts';
import { RestateStepper } from './restate.ts';
import { Stepper } from './stepper.ts';

type Contender = Pick<Stepper, 'time' | 'close'>;

/**
 * What a durable step costs: a loop of activities that do nothing, in one run and in many at once, on the embedded
 * engine beside the official dev server (when `temporal` is on the PATH), both of which keep their state in a SQLite file with the
 * same guarantees. Further peers: the embedded engine with its state in memory alone, the Temporal server at `--address`, for
 * example on PostgreSQL, and Restate, whose npm packages are in the folder `--restate`. They take turns, and each figure is the
 * median of the rounds after a round to warm up.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    /** In the one run. */
    steps: { type: 'string', default: '100' },
    runs: { type: 'string', default: '20' },
    /** In each of the many runs. */
    'steps-each': { type: 'string', default: '25' },
    address: { type: 'string' },
    restate: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const steps = Number(values.steps);
const runs = Number(values.runs);
const stepsEach = Number(values['steps-each']);
const goals = { serial: 0.2, parallel: 1.5 };

Runtime.install({ logger: new DefaultLogger('ERROR') });
const bundle = await bundleWorkflowCode({
  workflowsPath: join(process.cwd(), 'bench/step/workflows.ts'),
  logger: new DefaultLogger('ERROR'),
});
const folder = mkdtempSync(join(tmpdir(), 'bench-step-'));
const start = (kind: EngineKind): Promise<Engine> =>
  startEngine({ kind, dataDir: join(folder, kind), port: 0, address: values.address });
const contenders: readonly (readonly [name: string, open: () => Promise<Contender>])[] = [
  ['embedded', async () => await Stepper.open(await start('embedded'), bundle)],
  ['in memory', async () => await Stepper.open(await inMemory(), bundle)],
  ['dev server', async () => await Stepper.open(await start('dev-server'), bundle)],
  ...(values.address === undefined
    ? []
    : [['cluster', async () => await Stepper.open(await start('cluster'), bundle)] as const]),
  ...(values.restate === undefined
    ? []
    : [['Restate', async () => await RestateStepper.open(resolve(values.restate ?? ''))] as const]),
];
const steppers = new Map<string, Contender>();
const serial = new Map<string, number[]>(contenders.map(([name]) => [name, []]));
const parallel = new Map<string, number[]>(contenders.map(([name]) => [name, []]));

try {
  for (const [name, open] of contenders) {
    try {
      steppers.set(name, await open());
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error;
      console.log(`without ${name}: ${error.message}`);
    }
  }
  for (const stepper of steppers.values()) {
    await stepper.time(1, steps);
    await stepper.time(runs, stepsEach);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, stepper] of steppers) serial.get(kind)?.push((await stepper.time(1, steps)) / steps);
    for (const [kind, stepper] of steppers) {
      parallel.get(kind)?.push((runs * stepsEach * 1000) / (await stepper.time(runs, stepsEach)));
    }
  }
} finally {
  for (const stepper of steppers.values()) await stepper.close();
  rmSync(folder, { recursive: true, force: true });
}

const rows = [...steppers.keys()].map((engine) => ({
  engine,
  'ms a step, one run': median(serial.get(engine)),
  [`steps/s, ${runs} runs at once`]: median(parallel.get(engine)),
}));
console.table(rows);
const ratiosTo = (peer: string) => ({
  serial: round3(median(serial.get('embedded')) / median(serial.get(peer))),
  parallel: round3(median(parallel.get('embedded')) / median(parallel.get(peer))),
});
const ratios = steppers.has('dev server') ? ratiosTo('dev server') : undefined;
const others = Object.fromEntries(
  [...steppers.keys()].filter((name) => name !== 'embedded').map((name) => [name, ratiosTo(name)]),
);
console.table(others);
const result = {
  node: process.version,
  cpus: cpus().length,
  load: round3(loadavg()[0] ?? 0),
  rounds,
  steps,
  runs,
  stepsEach,
  serialMsPerStep: rounded(serial),
  parallelStepsPerSecond: rounded(parallel),
  ratios: others,
  goals,
};
writeResult('step', result);
if (ratios !== undefined) {
  console.log(
    `embedded / dev server: ${ratios.serial} of its time a step (goal: at most ${goals.serial}), ` +
      `${ratios.parallel} times its steps/s (goal: at least ${goals.parallel})`,
  );
  if (ratios.serial > goals.serial || ratios.parallel < goals.parallel) process.exitCode = 1;
}

function median(samples: readonly number[] | undefined): number {
  const sorted = (samples ?? []).toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return round3((low + high) / 2);
}

function silent(): void {}

/** The same engine without a file: what a step costs whoever keeps nothing. */
async function inMemory(): Promise<Engine> {
  return await startEmbeddedEngine({
    dbPath: ':memory:',
    port: 0,
    fallbackToFreePort: true,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  });
}

function rounded(samples: ReadonlyMap<string, readonly number[]>): Record<string, number[]> {
  return Object.fromEntries([...samples].map(([kind, all]) => [kind, all.map(round3)]));
}
