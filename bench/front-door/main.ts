import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { writeResult } from '../lib/figures.ts';
import { memoryMib, processorMs } from '../lib/processes.ts';
import { PRODUCT_READY, type Running, running, spawnProduct } from '../lib/server.ts';
import { ask, bodyOf, type Times } from './ask.ts';
import { serveUpstream, startUpstreamProcess } from './upstream.ts';

/**
 * What it costs to ask through the product: the first byte and the whole of a stream, from an upstream on loopback that
 * answers at once, straight and through the product in turn; then many streams at once. Needs a built product
 * (`npm run build`).
 */
const { values } = parseArgs({
  options: {
    upstream: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '300' },
    streams: { type: 'string', default: '200' },
    /** Events of each of the many streams, and the milliseconds between them. */
    deltas: { type: 'string', default: '100' },
    pause: { type: 'string', default: '20' },
  },
});
const goals = { overheadMs: 5, streams: 200 };

if (values.upstream) await serveUpstream();
else await measure();

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-front-door-'));
  const upstream = await startUpstreamProcess();
  const product = await running(
    spawnProduct({
      NODE_ENV: 'production',
      DATA_DIR: folder,
      ANTHROPIC_API_KEY: 'sk-bench',
      ANTHROPIC_BASE_URL: upstream.url,
    }),
    PRODUCT_READY,
  ).catch(async (error: unknown) => {
    await upstream.stop();
    throw error;
  });
  try {
    const shot = await screenshot();
    const rounds = Number(values.rounds);
    const overheads = [];
    for (const screenshots of [0, 1, 10]) {
      const body = bodyOf(screenshots, 50, 0, shot);
      overheads.push(
        await overheadOf(body, screenshots < 10 ? rounds : Math.ceil(rounds / 3), { upstream, product }),
      );
    }
    console.table(
      overheads.map(({ bytes, direct, through, overhead }) => ({
        'body, kB': Math.round(bytes / 1000),
        'first byte, straight p50/p95': `${direct.first.p50} / ${direct.first.p95}`,
        'through p50/p95': `${through.first.p50} / ${through.first.p95}`,
        'overhead p50, ms': overhead.first,
        'whole, straight p50/p95': `${direct.whole.p50} / ${direct.whole.p95}`,
        'whole, through p50/p95': `${through.whole.p50} / ${through.whole.p95}`,
      })),
    );
    const many = { direct: await manyStreams(upstream), through: await manyStreams(product) };
    console.table(many);
    const result = {
      node: process.version,
      cpu: cpus()[0]?.model,
      cores: cpus().length,
      load: loadavg().map(round),
      rounds,
      overheads,
      many,
      goals,
    };
    writeResult('front-door', result);
    const missed = (overheads[0]?.overhead.first ?? Infinity) > goals.overheadMs || many.through.errors > 0;
    console.log(missed ? 'goal missed' : 'goals met');
    process.exitCode = missed ? 1 : 0;
  } finally {
    await product.stop();
    await upstream.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Overhead {
  readonly bytes: number;
  readonly direct: Summary;
  readonly through: Summary;
  /** The difference of the medians, in ms. */
  readonly overhead: { readonly first: number; readonly whole: number };
}

/** One stream at a time, straight and through in turn, after some to warm up. */
async function overheadOf(
  body: Buffer,
  rounds: number,
  { upstream, product }: Readonly<Record<'upstream' | 'product', Running>>,
): Promise<Overhead> {
  const straight: Times[] = [];
  const through: Times[] = [];
  for (let round = -Math.ceil(rounds / 3); round < rounds; round += 1) {
    const pair = [await ask(upstream.url, body), await ask(product.url, body)] as const;
    if (round < 0) continue;
    straight.push(pair[0]);
    through.push(pair[1]);
  }
  const [direct, behind] = [summary(straight), summary(through)];
  return {
    bytes: body.length,
    direct,
    through: behind,
    overhead: {
      first: round(behind.first.p50 - direct.first.p50),
      whole: round(behind.whole.p50 - direct.whole.p50),
    },
  };
}

interface Many {
  readonly 'events/s': number;
  readonly 'wall, s': number;
  readonly 'first byte p50/p95, ms': string;
  readonly errors: number;
  readonly 'memory before/peak, MB': string;
  readonly 'processor, s': number;
}

/** All at once, each at the pace of a model. */
async function manyStreams({ url, pid }: Running): Promise<Many> {
  const streams = Number(values.streams);
  const deltas = Number(values.deltas);
  const body = bodyOf(0, deltas, Number(values.pause), '');
  await Promise.all(Array.from({ length: streams }, () => ask(url, bodyOf(0, 1, 0, ''))));
  const before = { memory: Math.round(memoryMib(pid)), processor: processorMs(pid) };
  const begun = performance.now();
  const asked = await Promise.allSettled(Array.from({ length: streams }, () => ask(url, body)));
  const wall = (performance.now() - begun) / 1000;
  const whole = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const { first } = summary(whole);
  return {
    'events/s': Math.round((whole.length * (deltas + 5)) / wall),
    'wall, s': round(wall),
    'first byte p50/p95, ms': `${first.p50} / ${first.p95}`,
    errors: streams - whole.length,
    'memory before/peak, MB': `${before.memory} / ${Math.round(memoryMib(pid, 'VmHWM'))}`,
    'processor, s': round((processorMs(pid) - before.processor) / 1000),
  };
}

interface Summary {
  readonly first: { readonly p50: number; readonly p95: number };
  readonly whole: { readonly p50: number; readonly p95: number };
}

function summary(times: readonly Times[]): Summary {
  const of = (name: keyof Times): Summary['first'] => {
    const sorted = times.map((each) => each[name]).toSorted((a, b) => a - b);
    const at = (share: number): number => round(sorted[Math.floor(share * (sorted.length - 1))] ?? NaN);
    return { p50: at(0.5), p95: at(0.95) };
  };
  return { first: of('first'), whole: of('whole') };
}

/** A picture of a desktop's size that compresses like one: flat areas and lines of small noise. About 200 kB. */
async function screenshot(): Promise<string> {
  const [width, height] = [1024, 768];
  const pixels = Buffer.alloc(width * height * 3, 240);
  let seed = 1;
  for (let at = 0; at < pixels.length; at += 3) {
    const isText = Math.floor(at / 3 / width) % 24 < 10;
    if (!isText) continue;
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    if (seed % 3 === 0) pixels.fill((seed >> 8) & 0xff, at, at + 3);
  }
  const png = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  return png.toString('base64');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
