import path from 'node:path';
import { parseArgs } from 'node:util';
import { Product } from '../../test/support/product.ts';
import { writeResult } from '../lib/figures.ts';
import { memoryMib } from '../lib/processes.ts';
import { sizeOf, slope } from './memory.ts';

/**
 * What the server holds after very many sessions, and whether it grows over time: sessions are made, run their turn and are
 * deleted, some at a time, until both the number and the minutes are reached.
 */
const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '20000' },
    minutes: { type: 'string', default: '0' },
    lanes: { type: 'string', default: '16' },
  },
});
const SESSIONS = Number(values.sessions);
const END_MS = Number(values.minutes) * 60_000;
const SAMPLES = 100;

// As `npm start` sets it.
const product = new Product({
  LOG_LEVEL: 'error',
  MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? '2',
  DEFAULT_MODEL: 'ocr',
});
await product.start();
const pid = product.pid ?? 0;
const { client } = product;
const agent = await client.beta.agents.create({ name: 'soak', model: 'script', tools: [] });
const environment = await client.beta.environments.create({ name: 'soak' });
const samples: Record<'at' | 'sessions' | 'rss' | 'anonymous' | 'engine' | 'store', number>[] = [];
const began = performance.now();
let made = 0;
let errors = 0;

sample();
const every = Math.max(1, Math.floor(SESSIONS / SAMPLES));
let next = every;
await Promise.all(Array.from({ length: Number(values.lanes) }, lane));
const end = Math.round(memoryMib(pid));
await product.dispose();

const half = samples.slice(Math.floor(samples.length / 2));
const summary = {
  sessions: made,
  minutes: Math.round((performance.now() - began) / 6000) / 10,
  errors,
  rss_mib: {
    start: samples[0]?.rss,
    largest: Math.max(...samples.map(({ rss }) => rss)),
    end,
    second_half_mib_a_minute: Math.round(10 * slope(half.map(({ at, rss }) => [at / 60_000, rss]))) / 10,
    second_half_mib_a_thousand:
      Math.round(10 * slope(half.map(({ sessions, rss }) => [sessions / 1000, rss]))) / 10,
  },
  data_mib: { engine: samples.at(-1)?.engine, store: samples.at(-1)?.store },
};
writeResult('soak', summary);
console.log(JSON.stringify(summary, null, 2));

async function lane(): Promise<void> {
  while (made < SESSIONS || performance.now() - began < END_MS) {
    made++;
    if (made >= next) {
      next += every;
      sample();
    }
    try {
      await one();
    } catch (error) {
      errors++;
      console.error(String(error));
    }
  }
}

async function one(): Promise<void> {
  const text = '- say: one\n- say: two';
  const session = await client.beta.sessions.create({
    agent: agent.id,
    environment_id: environment.id,
    initial_events: [{ type: 'user.message', content: [{ type: 'text', text }] }],
  });
  for (;;) {
    const { status } = await client.beta.sessions.retrieve(session.id);
    if (status === 'idle') break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await client.beta.sessions.delete(session.id);
}

function sample(): void {
  const found = {
    at: performance.now() - began,
    sessions: made,
    rss: Math.round(memoryMib(pid)),
    anonymous: Math.round(memoryMib(pid, 'RssAnon')),
    engine: Math.round(sizeOf(path.join(product.dataDir, 'engine'))),
    store: Math.round(sizeOf(path.join(product.dataDir, 'store'))),
  };
  samples.push(found);
  console.log(JSON.stringify({ ...found, at: Math.round(found.at / 1000) }));
}
