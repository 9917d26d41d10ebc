import { parseArgs } from 'node:util';
import { Product } from '../../test/support/product.ts';
import { seeded } from '../../test/support/seeded.ts';
import { spread, writeResult } from '../lib/figures.ts';
import { crashRun, scriptAgent, type CrashRun } from './crash-run.ts';
import { mixedScript } from './mixed-script.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    steps: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'embedded' },
  },
});

const random = seeded(Number(values.seed));
const script = mixedScript(Number(values.steps));
const product = new Product({ ENGINE: values.engine, DEFAULT_MODEL: 'ocr' });
await product.start();
const agent = await scriptAgent(product.client);
const calm = await crashRun(product, agent, script, Number.POSITIVE_INFINITY);
console.log(`undisturbed: ${calm.duration} ms, lost ${calm.lost}, repeated ${calm.repeated}`);

const runs: CrashRun[] = [];
// A session that was over before its moment came does not count as one of the runs.
for (let n = 1; n <= Number(values.runs);) {
  const run = await crashRun(product, agent, script, Math.round(random() * calm.duration));
  runs.push(run);
  if (run.killedAt !== undefined) n++;
  const { killedAt, recovery, lost, repeated, unknown } = run;
  console.log(
    `${runs.length}: killed at ${killedAt ?? '-'} ms, recovered in ${recovery ?? '-'} ms, lost ${lost}, repeated ${repeated}, unknown ${unknown}`,
  );
}
await product.dispose();

const killed = runs.filter((run) => run.killedAt !== undefined);
const recoveries = killed.flatMap((run) => (run.recovery === undefined ? [] : [run.recovery]));
const sum = (pick: (run: CrashRun) => number): number => runs.reduce((total, run) => total + pick(run), 0);
const summary = {
  runs: runs.length,
  killed: killed.length,
  steps: runs.length * Number(values.steps),
  lost: sum((run) => run.lost),
  repeated: sum((run) => run.repeated),
  unknown: sum((run) => run.unknown),
  recovery_ms: spread(recoveries),
  undisturbed_ms: calm.duration,
  engine: values.engine,
  seed: Number(values.seed),
};
writeResult('crash', summary);
console.log(JSON.stringify(summary, null, 2));
process.exit(summary.lost + summary.repeated === 0 ? 0 : 1);
