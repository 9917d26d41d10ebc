import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Spread, spread, writeResult } from '../lib/figures.ts';
import { openSandboxes } from '../lib/sandboxes.ts';
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

interface Row extends Spread {
  readonly step: string;
  readonly size: string;
  readonly n: number;
}

const { sandboxes, close } = openSandboxes(values.isolation);
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
  close();
}

console.table(rows.map(({ step, size, n, p50, p95, max }) => ({ step, size, n, p50, p95, max })));
const goal = rows.find(({ size }) => size === '1024x768');
const result = { unit: 'ms', cpus: cpus().length, node: process.version, rows };
writeResult('click', result);
if (goal !== undefined) console.log(`p50 at 1024x768: ${goal.p50} ms (goal: at most 120)`);
process.exit(goal === undefined || goal.p50 <= 120 ? 0 : 1);

function row(step: string, size: string, times: readonly number[]): Row {
  return { step, size, n: times.length, ...spread(times) };
}
