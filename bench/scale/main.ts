import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type Anthropic from '@anthropic-ai/sdk';
import { Product } from '../../test/support/product.ts';
import { scriptAgent } from '../crash/crash-run.ts';
import { round3, spread, writeResult } from '../lib/figures.ts';
import { familyProcessorMs, memoryMib } from '../lib/processes.ts';

/**
 * What a step, a list, a stream and an idle server cost beside many open sessions. Each session has had a turn and waits for the
 * next, so that its workflow is open. `ENGINE`, `TEMPORAL_ADDRESS`, `STORE` and the like say where, as for the product itself;
 * by default that is the embedded engine and SQLite, all in one process.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100,1000,10000' },
    /** How many sessions have a turn at once. */
    working: { type: 'string', default: '500' },
    /** Requests under way at a time while sessions are made and put to work. */
    clients: { type: 'string', default: '32' },
    /** Steps of the session whose steps are timed. */
    steps: { type: 'string', default: '40' },
  },
});
const working = Number(values.working);
const clients = Number(values.clients);

const product = new Product({ ...process.env, LOG_LEVEL: 'warn' });
await product.start();
const { client, pid = 0 } = product;
const agent = await scriptAgent(client);
const { id: environment } = await client.beta.environments.create({ name: `scale-${Date.now()}` });
const sessions: string[] = [];
const rows: object[] = [];
try {
  // A turn and a sandbox first, so that nothing that is done once is measured.
  await stepMs(5);
  for (const size of values.sizes.split(',').map(Number)) rows.push(await measured(size));
} finally {
  await product.kill();
}
console.table(rows);
writeResult('scale', { node: process.version, cpus: cpus().length, load: round3(loadavg()[0] ?? 0), rows });

async function measured(size: number): Promise<object> {
  const missing = size - sessions.length;
  const made = performance.now();
  await together(missing, async () => {
    const { id } = await client.beta.sessions.create({ agent, environment_id: environment });
    await turn(id, 'say: ready');
    sessions.push(id);
  });
  const makingMs = performance.now() - made;
  const idleMs = await idleProcessorMs();
  const steps = await stepMs(Number(values.steps));
  const lists = await repeated(20, () => client.beta.sessions.list({ limit: 20 }));
  const lasts = await repeated(20, () => client.beta.sessions.retrieve(sessions[0] ?? ''));
  const tails = await repeated(20, tailMs);
  const busy = Math.min(working, size);
  const began = performance.now();
  // Clients that ask often would be most of the work where there are many of them.
  await together(busy, (index) => turn(sessions[index] ?? '', 'say: again', 2000), busy);
  const workingMs = performance.now() - began;
  const row = {
    'open sessions': size,
    'made a second': round3((missing * 1000) / makingMs),
    'step p50 ms': spread(steps).p50,
    'step p95 ms': spread(steps).p95,
    'list p50 ms': spread(lists).p50,
    'retrieve p50 ms': spread(lasts).p50,
    'event p50 ms': spread(tails).p50,
    [`turns/s, ${working} at once`]: round3((busy * 1000) / workingMs),
    'idle, ms of processor a second': round3(idleMs),
    MiB: Math.round(memoryMib(pid)),
  };
  console.log(JSON.stringify(row));
  return row;
}

/** Sends a message and waits for the end of its turn. */
async function turn(id: string, step: string, everyMs = 50): Promise<void> {
  const before = await newest(id);
  await say(client, id, `- ${step}`);
  while ((await newest(id, before)) === undefined) await pause(everyMs);
}

async function say(to: Anthropic, id: string, script: string): Promise<void> {
  const content = [{ type: 'text' as const, text: script }];
  await to.beta.sessions.events.send(id, { events: [{ type: 'user.message', content }] });
}

/** The id of the newest event where that ends a turn and is another one than `than`. */
async function newest(id: string, than?: string): Promise<string | undefined> {
  const { data } = await client.beta.sessions.events.list(id, { order: 'desc', limit: 1 });
  const last = data[0];
  return last?.type === 'session.status_idle' && last.id !== than ? last.id : undefined;
}

/** The times between results of a session that does one step of bash after the other. */
async function stepMs(count: number): Promise<number[]> {
  const { id } = await client.beta.sessions.create({ agent, environment_id: environment });
  await turn(id, Array.from({ length: count + 1 }, (_, n) => `bash: echo ${n} >> trace`).join('\n- '));
  const times: number[] = [];
  for await (const event of client.beta.sessions.events.list(id, { limit: 500 })) {
    if (event.type === 'agent.tool_result') times.push(Date.parse(event.processed_at ?? ''));
  }
  await client.beta.sessions.delete(id);
  return times.slice(1).map((time, index) => time - (times[index] ?? time));
}

/** From the sending of a message to its first event on an open stream. */
async function tailMs(): Promise<number> {
  const id = sessions[Math.floor(sessions.length / 2)] ?? '';
  const stream = await client.beta.sessions.events.stream(id);
  const began = performance.now();
  await say(client, id, '- say: heard');
  let first: number | undefined;
  for await (const event of stream) {
    first ??= performance.now() - began;
    if (event.type === 'session.status_idle') break;
  }
  return first ?? Number.NaN;
}

/** Milliseconds of processor time in a second in which nobody asks for anything. */
async function idleProcessorMs(): Promise<number> {
  const seconds = 10;
  await pause(2000);
  const before = familyProcessorMs(pid);
  await pause(seconds * 1000);
  return (familyProcessorMs(pid) - before) / seconds;
}

async function repeated(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const began = performance.now();
    const answer = await work();
    samples.push(typeof answer === 'number' ? answer : performance.now() - began);
  }
  return samples;
}

async function together(
  count: number,
  work: (index: number) => Promise<void>,
  atOnce = clients,
): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, Math.max(count, 0)) }, one));
}
