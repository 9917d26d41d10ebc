import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openS3Objects, openStore, parseS3Address, type Store } from '@steadyhand/store';
import { quantile, round3, writeResult } from '../lib/figures.ts';

/**
 * What a picture of 200 kB costs, put and got: as a file of the disk, and as an object of the S3 store of
 * `--s3 s3://bucket/prefix?endpoint=...`, with its keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; in turns.
 */
const { values } = parseArgs({
  options: {
    s3: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    /** Pictures in each round. */
    times: { type: 'string', default: '60' },
    bytes: { type: 'string', default: '200000' },
  },
});
const [rounds, times, size] = [values.rounds, values.times, values.bytes].map(Number) as [
  number,
  number,
  number,
];

interface Place {
  readonly name: string;
  readonly store: Store;
  readonly put: number[];
  readonly again: number[];
  readonly get: number[];
  /** Pictures a second, sixteen at a time. */
  readonly parallel: number[];
}

const dirs: string[] = [];

async function place(name: string, s3?: string): Promise<Place> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-blobs-'));
  dirs.push(dir);
  const credentials = {
    accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
  };
  const objects = s3 === undefined ? undefined : openS3Objects({ address: parseS3Address(s3), credentials });
  return { name, store: await openStore({ dir, objects }), put: [], again: [], get: [], parallel: [] };
}

async function timed<T>(into: number[], work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  into.push(performance.now() - began);
  return result;
}

async function round({ store, put, again, get, parallel }: Place): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const bytes = randomBytes(size);
    const hash = await timed(put, () => store.blobs.put(bytes));
    await timed(again, () => store.blobs.put(bytes));
    await timed(get, () => store.blobs.get(hash));
  }
  const began = performance.now();
  const writer = async (): Promise<void> => {
    for (let n = 0; n < times / 16; n += 1) await store.blobs.put(randomBytes(size));
  };
  await Promise.all(Array.from({ length: 16 }, writer));
  parallel.push((Math.ceil(times / 16) * 16 * 1000) / (performance.now() - began));
}

function quantiles(figures: readonly number[]): { readonly p50: number; readonly p95: number } {
  return { p50: round3(quantile(figures, 0.5)), p95: round3(quantile(figures, 0.95)) };
}

const places = [await place('disk')];
if (values.s3 !== undefined) places.push(await place('s3', values.s3));
for (let n = 0; n < rounds; n += 1) for (const each of places) await round(each);
const load = loadavg().map(round3);
const results = places.map(({ name, put, again, get, parallel }) => ({
  name,
  put_ms: quantiles(put),
  put_again_ms: quantiles(again),
  get_ms: quantiles(get),
  puts_per_second_by_16: quantiles(parallel).p50,
}));
for (const result of results) console.log(JSON.stringify(result));
console.log(JSON.stringify({ load }));
await Promise.all(places.map(({ store }) => store.close()));
for (const dir of dirs) rmSync(dir, { recursive: true });
writeResult('blobs', { cores: cpus().length, load, rounds, times, bytes: size, results });
