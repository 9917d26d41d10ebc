import { rmSync } from 'node:fs';
import path from 'node:path';
import { openStore } from '../../store/index.ts';
import { request, said } from '../batches/batch-server.ts';
import * as double from '../support/anthropic-upstream.ts';
import { Product } from '../support/product.ts';
import { isThorough } from '../support/sampled.ts';
import { seeded } from '../support/seeded.ts';
import { pacing } from '../support/pacing.ts';

/** The real product, killed in the middle of batches; what it asks is counted where it asks it. */

const CONCURRENCY = 4;

let upstream: double.AnthropicUpstream;
let product: Product;

beforeAll(async () => {
  upstream = await double.startUpstream();
  product = new Product({
    BATCH_CONCURRENCY: String(CONCURRENCY),
    ANTHROPIC_API_KEY: 'sk-upstream-0123456789',
    ANTHROPIC_BASE_URL: upstream.baseURL,
  });
  await product.start();
}, 360_000);
beforeEach(() => upstream.reset());
afterAll(async () => {
  await product.stop();
  await upstream.close();
  rmSync(product.dataDir, { recursive: true, force: true });
}, 360_000);

async function batchOf(count: number): Promise<string> {
  const requests = Array.from({ length: count }, (_, n) => request(`r-${n}`, 'claude-double', `${n}`));
  return (await product.client.messages.batches.create({ requests })).id;
}

async function ended(id: string): Promise<Awaited<ReturnType<typeof retrieve>>> {
  const pause = pacing();
  for (;;) {
    const batch = await retrieve(id);
    if (batch.processing_status === 'ended') return batch;
    await pause();
  }
}

const retrieve = (id: string): ReturnType<typeof product.client.messages.batches.retrieve> =>
  product.client.messages.batches.retrieve(id);

async function results(id: string): Promise<[string, string][]> {
  const all: [string, string][] = [];
  for await (const result of await product.client.messages.batches.results(id)) all.push(said(result));
  return all;
}

/** How often the upstream was asked each of the questions 0 to `count` - 1. */
function timesAsked(count: number): number[] {
  const times = Array.from({ length: count }, () => 0);
  for (const { body } of upstream.seen) {
    const n = questionOf(body);
    times[n] = (times[n] ?? 0) + 1;
  }
  return times;
}

const questionOf = (body: Record<string, unknown>): number =>
  Number((body['messages'] as { content: string }[])[0]?.content);

/** Answers each question by its number. */
const echo: double.Handler = (seen, response) =>
  double.reply(`answer ${questionOf(seen.body)}`)(seen, response);

/** Places of the requests whose results a dead process had recorded. */
async function recorded(id: string, count: number): Promise<number[]> {
  const store = await openStore({ dir: path.join(product.dataDir, 'store') });
  try {
    const found: number[] = [];
    for (let n = 0; n < count; n += 1) {
      if ((await store.batches.request(id, n))?.result != null) found.push(n);
    }
    return found;
  } finally {
    await store.close();
  }
}

const answers = (count: number): [string, string][] =>
  Array.from({ length: count }, (_, n) => [`r-${n}`, `answer ${n}`]);

test('a server killed in the middle of a batch asks nothing again that was answered', async () => {
  const COUNT = 30;
  let held = 0;
  upstream.answer = (seen, response) => {
    if (questionOf(seen.body) < 10) return echo(seen, response);
    held += 1;
    return double.silent(seen, response);
  };
  const id = await batchOf(COUNT);
  await upstream.arrived(10 + CONCURRENCY - 1);
  await product.kill();
  expect(held).toBe(CONCURRENCY);
  expect(await recorded(id, COUNT)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

  upstream.answer = echo;
  await product.start();
  expect((await ended(id)).request_counts).toMatchObject({ processing: 0, succeeded: COUNT });
  expect(await results(id)).toEqual(answers(COUNT));
  const expected = Array.from({ length: COUNT }, (_, n) => (n >= 10 && n < 10 + CONCURRENCY ? 2 : 1));
  expect(timesAsked(COUNT)).toEqual(expected);
}, 360_000);

test('a server killed again and again answers every request of its batches once', async () => {
  const COUNT = 80;
  const KILLS = isThorough ? 2 : 1;
  const random = seeded(2026);
  const moment = (): number => upstream.seen.length + 5 + Math.floor(random() * 30);
  // What comes after it is not answered: there is something left to do at the next kill, however slow this test is.
  let until = moment();
  upstream.answer = (seen, response) =>
    upstream.seen.length > until ? double.silent(seen, response) : echo(seen, response);
  const ids = [await batchOf(COUNT), await batchOf(COUNT)];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await upstream.arrived(until);
    await product.kill();
    const before = await Promise.all(ids.map((id) => recorded(id, COUNT)));
    until = kill === KILLS ? Infinity : moment();
    await product.start();
    const after = await Promise.all(ids.map((id) => recorded(id, COUNT)));
    // Whatever was recorded is still there.
    before.forEach((places, n) => expect(after[n]).toEqual(expect.arrayContaining(places)));
  }
  for (const id of ids) {
    expect((await ended(id)).request_counts).toMatchObject({ processing: 0, succeeded: COUNT });
    expect(await results(id)).toEqual(answers(COUNT));
  }
  // At a kill no more than those under way are asked again.
  expect(upstream.seen.length).toBeGreaterThanOrEqual(2 * COUNT);
  expect(upstream.seen.length).toBeLessThanOrEqual(2 * COUNT + KILLS * CONCURRENCY);
}, 360_000);

test('a batch cancelled right before a kill begins nothing after it', async () => {
  upstream.answer = double.silent;
  const id = await batchOf(20);
  await upstream.arrived(CONCURRENCY - 1);
  await product.client.messages.batches.cancel(id);
  await product.kill();
  upstream.answer = echo;
  await product.start();
  const { request_counts, cancel_initiated_at } = await ended(id);
  // What was under way was lost with the server, and is not begun again.
  expect(request_counts).toMatchObject({ succeeded: 0, canceled: 20 });
  expect(cancel_initiated_at).not.toBeNull();
  expect(upstream.seen).toHaveLength(CONCURRENCY);
  expect((await results(id)).every(([, text]) => text === 'canceled')).toBe(true);
  await product.client.messages.batches.delete(id);
  await expect(retrieve(id)).rejects.toThrow('Message batch not found');
}, 360_000);
