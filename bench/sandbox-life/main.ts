import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ToolDefinition } from '@steadyhand/contracts';
import { newestInstance } from '../../sandbox/instance-lock.ts';
import { type Spread, spread, writeResult } from '../lib/figures.ts';
import { familyOf } from '../lib/processes.ts';
import { openSandboxes } from '../lib/sandboxes.ts';
import { memoryOf, processorMsOf } from './processes.ts';

/**
 * A sandbox's life: from `create` to its first screenshot, what an idle one takes of memory and processor, and many of them
 * active side by side: each in turn a shell command, a click with its settled picture, and a picture.
 */
const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '30' },
    idle: { type: 'string', default: '30' },
    many: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '10' },
  },
});
const GOALS = { first_screenshot_p50_ms: 1_000, idle_mb: 120 };
const SIZE = { width: 1024, height: 768 };
const COMPUTER: ToolDefinition = {
  type: 'computer_20250124',
  name: 'computer',
  display_width_px: SIZE.width,
  display_height_px: SIZE.height,
};
const BASH: ToolDefinition = { type: 'bash_20250124', name: 'bash' };

const { folder, sandboxes, close } = openSandboxes();
let keys = 0;

try {
  await sandboxes.capabilities();
  const started = await starts(Number(values.starts));
  const idle = await rest(Number(values.idle));
  const many = await sideBySide(Number(values.many), Number(values.rounds));
  const machine = { cpus: cpus().length, node: process.version, load: loadavg()[0] };
  const result = { machine, goals: GOALS, started, idle, many };
  console.log(JSON.stringify(result, null, 2));
  writeResult('sandbox-life', result);
  process.exitCode =
    started.first_screenshot_ms.p50 <= GOALS.first_screenshot_p50_ms && idle.total_mb <= GOALS.idle_mb
      ? 0
      : 1;
} finally {
  for (const { id } of await sandboxes.list()) await sandboxes.delete(id);
  close();
}

async function starts(n: number): Promise<{ n: number; create_ms: Spread; first_screenshot_ms: Spread }> {
  const creates: number[] = [];
  const firsts: number[] = [];
  for (let i = 0; i < n; i += 1) {
    const begun = performance.now();
    const { id } = await sandboxes.create({ display: SIZE });
    creates.push(performance.now() - begun);
    await sandboxes.screenshot(id);
    firsts.push(performance.now() - begun);
    await sandboxes.delete(id);
  }
  return { n, create_ms: spread(creates), first_screenshot_ms: spread(firsts) };
}

/**
 * After a click and its picture, so that all is loaded that work loads: first while what the work left behind is cleared up, then
 * at rest.
 */
async function rest(seconds: number): Promise<{
  by_program_mb: Readonly<Record<string, number>>;
  total_mb: number;
  processor_ms: { readonly after_work: number; readonly at_rest: number };
  seconds: number;
}> {
  const { id } = await sandboxes.create({ display: SIZE });
  await perform(id, COMPUTER, { action: 'left_click', coordinate: [700, 300] });
  await perform(id, COMPUTER, { action: 'key', text: 'Escape' });
  await pause(3_000);
  const family = familyOf(daemonOf(id));
  const taken = async (): Promise<number> => {
    const before = processorMsOf(family);
    await pause(seconds * 1_000);
    return round(processorMsOf(family) - before);
  };
  const processor_ms = { after_work: await taken(), at_rest: await taken() };
  const by = Object.entries(memoryOf(family)).map(([name, kib]) => [name, round(kib / 1024)] as const);
  const total = round(by.reduce((sum, [, mb]) => sum + mb, 0));
  await sandboxes.delete(id);
  return {
    by_program_mb: Object.fromEntries(by),
    total_mb: total,
    processor_ms,
    seconds,
  };
}

async function sideBySide(n: number, rounds: number): Promise<Record<string, unknown>> {
  const begun = performance.now();
  const ids = await Promise.all(
    Array.from({ length: n }, async () => {
      const { id } = await sandboxes.create({ display: SIZE });
      await sandboxes.screenshot(id);
      return id;
    }),
  );
  const created = performance.now() - begun;
  const times: Record<string, number[]> = { bash: [], click: [], screenshot: [] };
  let errors = 0;
  const working = performance.now();
  await Promise.all(
    ids.map(async (id, index) => {
      for (let round = 0; round < rounds; round += 1) {
        for (const [step, tool, input] of [
          ['bash', BASH, { command: `echo ${index}.${round} >> steps; wc -l < steps` }],
          ['click', COMPUTER, { action: 'left_click', coordinate: [200 + 40 * (round % 8), 300] }],
          ['screenshot', COMPUTER, { action: 'screenshot' }],
        ] as const) {
          const at = performance.now();
          const outcome = await sandboxes.perform(id, { key: newKey(), tool, input });
          times[step]?.push(performance.now() - at);
          if (outcome.status !== 'done' || outcome.is_error) errors += 1;
        }
      }
    }),
  );
  const took = performance.now() - working;
  const families = ids.flatMap((id) => familyOf(daemonOf(id)));
  const kib = Object.values(memoryOf(families)).reduce((sum, each) => sum + each, 0);
  const result = {
    sandboxes: n,
    all_created_ms: Math.round(created),
    rounds,
    steps_per_second: round((n * rounds * 3) / (took / 1_000)),
    errors,
    ...Object.fromEntries(Object.entries(times).map(([step, all]) => [`${step}_ms`, spread(all)])),
    total_mb: round(kib / 1024),
    each_mb: round(kib / 1024 / n),
  };
  await Promise.all(ids.map((id) => sandboxes.delete(id)));
  return result;
}

async function perform(id: string, tool: ToolDefinition, input: unknown): Promise<void> {
  const outcome = await sandboxes.perform(id, { key: newKey(), tool, input });
  if (outcome.status !== 'done' || outcome.is_error)
    throw new Error(`${JSON.stringify(input)}: ${JSON.stringify(outcome).slice(0, 500)}`);
}

function newKey(): string {
  keys += 1;
  return `bench-${keys}`;
}

function daemonOf(id: string): number {
  const instance = newestInstance(join(folder, id));
  if (instance === null) throw new Error(`${id} never had a daemon`);
  return instance.process.pid;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
