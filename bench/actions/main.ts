import { cpus } from 'node:os';
import type { ActionRequest } from '@steadyhand/contracts';
import { performAll } from '../../sandbox/client/actions.ts';
import { quantile, writeResult } from '../lib/figures.ts';
import { openSandboxes } from '../lib/sandboxes.ts';

/** What the sandbox itself adds to an action (client, daemon, both records on the disk, guest), and what one call for many saves. */
const N = 200;
const BATCH = 20;
const { sandboxes, close } = openSandboxes();
let keys = 0;
const bash = (command: string): ActionRequest => ({
  key: `actions-${keys++}`,
  tool: { type: 'bash_20250124', name: 'bash' },
  input: { command },
});
const rows: { what: string; n: number; p50: number; p95: number }[] = [];
try {
  const { id } = await sandboxes.create({ display: { width: 1024, height: 768 } });
  const time = async (what: string, n: number, step: () => Promise<unknown>): Promise<void> => {
    const times: number[] = [];
    for (let i = 0; i < n; i++) {
      const started = performance.now();
      await step();
      times.push(performance.now() - started);
    }
    const at = (q: number): number => Math.round(quantile(times, q) * 10) / 10;
    rows.push({ what, n, p50: at(0.5), p95: at(0.95) });
  };
  const many = (): ActionRequest[] => Array.from({ length: BATCH }, () => bash('true'));
  await sandboxes.perform(id, bash('true'));
  await time('bash: true', N, () => sandboxes.perform(id, bash('true')));
  await time(`${BATCH} of them, a call each`, N / BATCH, async () => {
    for (const action of many()) await sandboxes.perform(id, action);
  });
  await time(`${BATCH} of them in one call`, N / BATCH, () => performAll(sandboxes, id, many()));
  await sandboxes.delete(id);
} finally {
  close();
}
console.table(rows);
const result = { unit: 'ms', cpus: cpus().length, node: process.version, rows };
writeResult('actions', result);
