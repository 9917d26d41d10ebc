import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleWorkflowCode, DefaultLogger, Runtime } from '@temporalio/worker';
import { type EngineKind, EngineUnavailableError, startEngine } from '../../engine/index.ts';
import { round3, writeResult } from '../lib/figures.ts';
import { Stepper } from './stepper.ts';

/**
 * What a durable step costs: a loop of activities that do nothing, in one run and in many at once, on the embedded
 * engine beside the official dev server (when `temporal` is on the PATH). Both keep their state in a SQLite file with the
 * same guarantees; the engines take turns, and each figure is the median of the rounds after a round to warm up.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    /** In the one run. */
    steps: { type: 'string', default: '100' },
    runs: { type: 'string', default: '20' },
    /** In each of the many runs. */
    'steps-each': { type: 'string', default: '25' },
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
const kinds: readonly EngineKind[] = ['embedded', 'dev-server'];
const steppers = new Map<EngineKind, Stepper>();
const serial = new Map<EngineKind, number[]>(kinds.map((kind) => [kind, []]));
const parallel = new Map<EngineKind, number[]>(kinds.map((kind) => [kind, []]));

try {
  for (const kind of kinds) {
    try {
      const engine = await startEngine({ kind, dataDir: join(folder, kind), port: 0 });
      steppers.set(kind, await Stepper.open(engine, bundle));
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error;
      console.log(`without the dev server: ${error.message}`);
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
const peer = steppers.has('dev-server');
const ratios = peer
  ? {
      serial: round3(median(serial.get('embedded')) / median(serial.get('dev-server'))),
      parallel: round3(median(parallel.get('embedded')) / median(parallel.get('dev-server'))),
    }
  : undefined;
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
  ratios,
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

function rounded(samples: ReadonlyMap<EngineKind, readonly number[]>): Record<string, number[]> {
  return Object.fromEntries([...samples].map(([kind, all]) => [kind, all.map(round3)]));
}
