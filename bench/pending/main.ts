import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEngine } from '../../engine/index.ts';
import { quantile, round3, writeResult } from '../lib/figures.ts';
import { RawRun, activityCommand, timerCommand } from './raw-run.ts';

/**
 * What a step of a run costs while other activities and timers of the same run are pending: the step is an activity that is
 * scheduled, taken, completed, and told to the workflow. The worker is played by hand, so it adds little. The runs take turns,
 * so that all meet the same load. Afterwards all that is pending is taken and completed.
 */
const { values } = parseArgs({
  options: { steps: { type: 'string', default: '200' }, pending: { type: 'string', default: '0,100,1000' } },
});
const steps = Number(values.steps);
const counts = values.pending.split(',').map(Number);
const BATCH = 20;
/** Of the time at the most pending to that at the fewest. */
const GOAL = 1.5;

interface Side {
  readonly pending: number;
  readonly run: RawRun;
  readonly samples: number[];
  cpuMs: number;
  drainMs: number;
}

const folder = mkdtempSync(join(tmpdir(), 'bench-pending-'));
const engine = await startEngine({ kind: 'embedded', dataDir: folder, port: 0 });
const sides: Side[] = [];
try {
  for (const pending of counts) {
    const run = await RawRun.start(engine, `pending ${pending}`);
    const names = Array.from({ length: pending }, (_, index) => `waiting ${index}`);
    await run.answer([
      ...names.map((name) => activityCommand(name, `later ${pending}`)),
      ...names.map((name) => timerCommand(name)),
      activityCommand('first', `now ${pending}`),
    ]);
    await run.perform(`now ${pending}`);
    await run.next();
    sides.push({ pending, run, samples: [], cpuMs: 0, drainMs: 0 });
  }
  for (let done = -BATCH; done < steps; done += BATCH) {
    for (const side of sides) {
      const cpu = process.cpuUsage();
      for (let index = 0; index < BATCH; index += 1) {
        const ms = await step(side, `step ${done + index}`);
        if (done >= 0) side.samples.push(ms);
      }
      const { user, system } = process.cpuUsage(cpu);
      if (done >= 0) side.cpuMs += (user + system) / 1000;
    }
  }
  for (const side of sides) {
    const start = performance.now();
    for (let index = 0; index < side.pending; index += 1) await side.run.perform(`later ${side.pending}`);
    side.drainMs = performance.now() - start;
  }
} finally {
  for (const { run } of sides) await run.close().catch(() => undefined);
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
}

const rows = sides.map(({ pending, samples, cpuMs, drainMs }) => ({
  pending: `${pending} activities, ${pending} timers`,
  p50: round3(quantile(samples, 0.5)),
  p95: round3(quantile(samples, 0.95)),
  cpu: round3(cpuMs / samples.length),
  drain: pending === 0 ? 0 : round3(drainMs / pending),
}));
console.table(rows);
const ratio = round3((rows.at(-1)?.p50 ?? Number.NaN) / (rows[0]?.p50 ?? Number.NaN));
writeResult('pending', {
  node: process.version,
  cpus: cpus().length,
  load: round3(loadavg()[0] ?? 0),
  steps,
  rows,
  ratio,
  goal: GOAL,
});
console.log(`a step takes ${ratio} times as long with the most pending (goal: at most ${GOAL})`);
if (!(ratio <= GOAL)) process.exitCode = 1;

async function step({ run, pending }: Side, name: string): Promise<number> {
  const start = performance.now();
  await run.answer([activityCommand(name, `now ${pending}`)]);
  await run.perform(`now ${pending}`);
  await run.next();
  return performance.now() - start;
}
