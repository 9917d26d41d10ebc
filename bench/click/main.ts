import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSandboxes } from '../../sandbox/client/sandboxes.ts';
import { buildSandbox } from './build-sandbox.ts';
import { Desktop } from './desktop.ts';

/**
 * Click to settled screenshot through the whole sandbox (client, daemon, ledger, X), beside a step as the reference takes it
 * (xdotool, two seconds, scrot, convert) on the same desktop in the same run.
 */
const { values } = parseArgs({
  options: {
    clicks: { type: 'string', default: '90' },
    reference: { type: 'string', default: '8' },
    sizes: { type: 'string', default: '1024x768,1920x1080' },
    isolation: { type: 'string', default: 'auto' },
    keep: { type: 'string' },
  },
});

interface Row {
  readonly step: string;
  readonly size: string;
  readonly n: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

const folder = mkdtempSync(join(tmpdir(), 'bench-click-'));
const sandboxes = createSandboxes({
  dir: folder,
  ...buildSandbox(),
  isolation: values.isolation === 'none' ? 'none' : 'auto',
  logger: { info: () => undefined, warn: (fields, message) => console.error(message, fields) },
});
const rows: Row[] = [];
try {
  for (const size of values.sizes.split(',')) {
    const [width = 0, height = 0] = size.split('x').map(Number);
    const desktop = await Desktop.open(sandboxes, { width, height });
    if (values.keep !== undefined) writeFileSync(`${values.keep}-${size}.png`, await desktop.screenshot());
    rows.push(row('click, settled, screenshot', size, await desktop.clicks(Number(values.clicks))));
    rows.push(row('reference-style click', size, await desktop.referenceClicks(Number(values.reference))));
    rows.push(row('mouse_move', size, await desktop.moves(20)));
    rows.push(row('key', size, await desktop.keys(20)));
    rows.push(row('type of 50 characters', size, await desktop.typings(20)));
    rows.push(row('screenshot', size, await desktop.screenshots(20)));
    await desktop.close();
  }
} finally {
  sandboxes.close();
  rmSync(folder, { recursive: true, force: true });
}

console.table(rows.map(({ step, size, n, p50, p95, max }) => ({ step, size, n, p50, p95, max })));
const goal = rows.find(({ size }) => size === '1024x768');
const result = { unit: 'ms', cpus: cpus().length, node: process.version, rows };
mkdirSync('bench/results', { recursive: true });
writeFileSync('bench/results/click.json', `${JSON.stringify(result, null, 2)}\n`);
if (goal !== undefined) console.log(`p50 at 1024x768: ${goal.p50} ms (goal: at most 120)`);
process.exit(goal === undefined || goal.p50 <= 120 ? 0 : 1);

function row(step: string, size: string, times: readonly number[]): Row {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (q: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN);
  return { step, size, n: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}
