import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { startEmbeddedEngine } from '../../engine/index.ts';
import { writeResult } from '../lib/figures.ts';

/**
 * What it takes to remove closed runs once their retention is over: the time, the longest that the event loop was held, and
 * the size of the database before and after.
 */
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5000' }, signals: { type: 'string', default: '10' } },
});
const runs = Number(values.runs);
const dir = mkdtempSync(join(tmpdir(), 'bench-retention-'));
const dbPath = join(dir, 'engine.db');
const quiet = (): void => undefined;
const logger = { debug: quiet, info: quiet, warn: console.warn, error: console.error };
let ahead = 0;
const open = () =>
  startEmbeddedEngine({ dbPath, port: 0, fallbackToFreePort: false, logger, now: () => Date.now() + ahead });
const mib = (): number => Math.round((statSync(dbPath).size / 1024 / 1024) * 10) / 10;

const first = await open();
const connection = await Connection.connect(first.connection);
const { workflow } = new Client({ connection });
const note = 'x'.repeat(500);
const lane = async (from: number): Promise<void> => {
  for (let n = from; n < runs; n += 20) {
    const handle = await workflow.start('never', { taskQueue: 'nobody', workflowId: `w${n}`, args: [note] });
    for (let signal = 0; signal < Number(values.signals); signal++) await handle.signal('note', note);
    await handle.terminate();
  }
};
await Promise.all(Array.from({ length: 20 }, (_, n) => lane(n)));
await connection.close();
await first.stop();
const before = mib();

ahead = 2 * 86_400_000;
const delay = monitorEventLoopDelay({ resolution: 1 });
const engine = await open();
const second = await Connection.connect(engine.connection);
delay.enable();
const begun = performance.now();
const left = async (): Promise<number> =>
  Number((await second.workflowService.countWorkflowExecutions({ namespace: 'default' })).count);
while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
const removedMs = Math.round(performance.now() - begun);
for (let last = Infinity; mib() < last || mib() === before;) {
  last = mib();
  await new Promise((resolve) => setTimeout(resolve, 500));
}
delay.disable();
const after = mib();
await second.close();
await engine.stop();
rmSync(dir, { recursive: true });
const result = {
  runs,
  removed_ms: removedMs,
  longest_hold_ms: Math.round(delay.max / 1e6),
  before_mib: before,
  after_mib: after,
};
console.log(result);
writeResult('retention', result);
