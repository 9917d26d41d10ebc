import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { RawImage } from '../../inference/images/raw-image.ts';
import { createTextReader, type TextReader } from '../../inference/ocr/text-reader.ts';
import { loadPreprocessor } from '../../inference/preprocess/load-preprocessor.ts';
import { judge, screens, sizeClass, type Screen, type Verdict } from '../../test/inference/ocr/screen-set.ts';
import { writeResult } from '../lib/figures.ts';
import { openModels } from './models.ts';

/**
 * What reading a 1024x768 screen costs and how much of it is right: over the recorded screens, the words read right by
 * the size of their font; the time of the first read, of a read after a tenth of the screen changed, and of the same
 * picture again. Of every time the least of the rounds counts, since what else runs on the machine only adds to it; the
 * table shows the median and the largest over the screens.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    threads: { type: 'string', default: '2' },
    screens: { type: 'string', default: 'test/inference/ocr/screens' },
    /** Screens in other fonts are reported, not recorded. */
    record: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const rounds = Number(values.rounds);
const goals = { right: 0.95, firstMs: 1000, tenthMs: 150 };

const models = await openModels(Number(values.threads));
const preprocessor = loadPreprocessor(join(process.cwd(), 'dist/preprocess.wasm'));
const newReader = (): TextReader => createTextReader({ ...models, preprocessor });
const all = await screens(values.screens);

const verdicts: Verdict[] = [];
for (const { image, words } of all) verdicts.push(...judge(words, (await newReader().read(image)).lines));

const first: number[] = [];
const tenth: number[] = [];
const same: number[] = [];
for (const [index, screen] of all.entries()) {
  const other = all[(index + 1) % all.length] ?? screen;
  const times = { first: Infinity, tenth: Infinity, same: Infinity };
  for (let round = 0; round < rounds; round += 1) {
    const reader = newReader();
    times.first = Math.min(times.first, await time(reader, screen.image));
    times.same = Math.min(times.same, await time(reader, { ...screen.image }));
    times.tenth = Math.min(times.tenth, await time(reader, withTenthOf(screen, other)));
  }
  first.push(times.first);
  tenth.push(times.tenth);
  same.push(times.same);
  console.log(
    screen.name,
    Object.entries(times)
      .map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`)
      .join(', '),
  );
}

const sizes = ['10-11', '12-13', '14-16', '17-24', '25+'].map((size) => {
  const some = verdicts.filter(({ word }) => sizeClass(word.size) === size);
  return { size, words: some.length, right: rightOf(some) };
});
const result = {
  node: process.version,
  cpus: cpus().length,
  load: round2(loadavg()[0] ?? 0),
  threads: Number(values.threads),
  screens: all.length,
  rounds,
  right: {
    fontFrom12: share(verdicts.filter(({ word }) => word.size >= 12)),
    inkFrom12: share(verdicts.filter(({ word }) => (word.ink ?? 0) >= 12)),
    bySize: sizes.map(({ size, words, right }) => ({ size, words, right })),
  },
  ms: { first: spread(first), tenthChanged: spread(tenth), same: spread(same) },
  peakMemoryMb: Math.round(process.resourceUsage().maxRSS / 1024),
  goals,
};
console.table(sizes);
console.log(
  JSON.stringify(result.right),
  JSON.stringify(result.ms),
  `peak ${String(result.peakMemoryMb)} MB`,
);
if (values.record) writeResult('ocr', result);

async function time(reader: TextReader, image: RawImage): Promise<number> {
  const start = performance.now();
  await reader.read(image);
  return performance.now() - start;
}

/** A tenth of the screen, 324 x 243 pixels in its middle, shows what another screen shows there: a dialog, say. */
function withTenthOf(screen: Screen, other: Screen): RawImage {
  const { width, height } = screen.image;
  const data = Uint8Array.from(screen.image.data);
  const [w, h] = [324, 243];
  const [left, top] = [(width - w) >> 1, (height - h) >> 1];
  for (let y = top; y < top + h; y += 1) {
    const from = (y * width + left) * 3;
    data.set(other.image.data.subarray(from, from + w * 3), from);
  }
  return { ...screen.image, data };
}

function share(some: readonly Verdict[]): { words: number; right: number } {
  return { words: some.length, right: rightOf(some) };
}

function rightOf(some: readonly Verdict[]): number {
  return Math.round((1000 * some.filter(({ right }) => right).length) / Math.max(1, some.length)) / 1000;
}

function spread(values_: readonly number[]): { median: number; max: number } {
  const sorted = values_.toSorted((a, b) => a - b);
  return { median: Math.round(sorted[sorted.length >> 1] ?? 0), max: Math.round(sorted.at(-1) ?? 0) };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
