import { spawn } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { RawImage } from '../../inference/images/raw-image.ts';
import type { ImageInput } from '../../inference/preprocess/image-input.ts';
import { loadPreprocessor } from '../../inference/preprocess/load-preprocessor.ts';
import { round3, writeResult } from '../lib/figures.ts';

/**
 * What an area resize costs, alone and as far as the float32 tensor, channels first; on one thread. With
 * `--python <an interpreter that has cv2 and numpy>` beside cv2 doing the same, in turns.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    /** In each round. */
    times: { type: 'string', default: '10' },
    python: { type: 'string' },
    /** cv2's threads. */
    threads: { type: 'string', default: '1' },
  },
});
const rounds = Number(values.rounds);
const times = Number(values.times);
/** Times cv2's, at 1920 x 1080 to 640 x 640. */
const goal = 1;

interface Case {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly channels: RawImage['channels'];
  readonly targetWidth: number;
  readonly targetHeight: number;
}

const cases: readonly Case[] = (
  [
    ['1080p', 1920, 1080, 3, 640, 640],
    ['laptop', 1366, 768, 3, 640, 640],
    ['photo', 4000, 3000, 3, 640, 640],
    ['halved', 1280, 1280, 3, 640, 640],
    ['in thirds', 1920, 1920, 3, 640, 640],
    ['scaled up', 300, 200, 3, 640, 640],
    ['grey', 1920, 1080, 1, 640, 640],
    ['with alpha', 1920, 1080, 4, 640, 640],
    ['screen for text', 1024, 768, 3, 960, 736],
  ] as const
).map(([name, width, height, channels, targetWidth, targetHeight]) => ({
  name: `${name}, ${width}x${height}x${channels} to ${targetWidth}x${targetHeight}`,
  width,
  height,
  channels,
  targetWidth,
  targetHeight,
}));

interface Times {
  readonly resize: readonly number[];
  readonly prepare: readonly number[];
}

const preprocessor = loadPreprocessor('dist/preprocess.wasm');

function ours({ width, height, channels, targetWidth, targetHeight }: Case): Times {
  const data = new Uint8Array(width * height * channels).map(() => Math.random() * 256);
  const image = { width, height, channels, data };
  const each = (value: number): number[] => Array<number>(channels).fill(value);
  const input: ImageInput = {
    width: targetWidth,
    height: targetHeight,
    channels,
    datatype: 'FP32',
    read: 'color',
    color: 'bgr',
    scale: each(1),
    mean: each(0),
    std: each(1),
    fit: 'stretch',
    align: 'center',
    pad: 114,
  };
  const time = (work: () => unknown): number[] =>
    Array.from({ length: times }, () => {
      const start = performance.now();
      work();
      return performance.now() - start;
    });
  return {
    resize: time(() => preprocessor.resize(image, targetWidth, targetHeight)),
    prepare: time(() => preprocessor.prepare(image, input)),
  };
}

/** cv2 in a process of its own; asked one case at a time. */
function openPeer(python: string): { time(of: Case): Promise<Times>; close(): void } {
  const child = spawn(python, ['bench/resize/peer.py', values.threads], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async time(of) {
      child.stdin.write(`${JSON.stringify({ ...of, times })}\n`);
      const answer = (await lines.next()) as IteratorResult<string, undefined>;
      if (answer.value === undefined) throw new Error(`${python} ended`);
      return JSON.parse(answer.value) as Times;
    },
    close: () => child.stdin.end(),
  };
}

const peer = values.python === undefined ? undefined : openPeer(values.python);
const all = cases.map(() => ({ ours: [] as Times[], cv2: [] as Times[] }));
for (let round = 0; round <= rounds; round += 1) {
  for (const [i, of] of cases.entries()) {
    const mine = ours(of);
    const theirs = await peer?.time(of);
    // The first round warms up.
    if (round === 0) continue;
    all[i]?.ours.push(mine);
    if (theirs !== undefined) all[i]?.cv2.push(theirs);
  }
}
peer?.close();

const rows = cases.map(({ name }, i) => {
  const of = (who: 'ours' | 'cv2', what: keyof Times): Spread =>
    spread((all[i]?.[who] ?? []).flatMap((each) => each[what]));
  const both = { resize: of('ours', 'resize'), prepare: of('ours', 'prepare') };
  return peer === undefined
    ? { case: name, ours: both }
    : { case: name, ours: both, cv2: { resize: of('cv2', 'resize'), prepare: of('cv2', 'prepare') } };
});
console.table(
  rows.map(({ case: name, ours: mine, cv2 }) => ({
    case: name,
    'resize, ms': mine.resize.p50,
    'to tensor, ms': mine.prepare.p50,
    ...(cv2 && { 'cv2 resize, ms': cv2.resize.p50, 'cv2 to tensor, ms': cv2.prepare.p50 }),
  })),
);
const result = {
  unit: 'ms',
  node: process.version,
  cpus: cpus().length,
  load: round3(loadavg()[0] ?? 0),
  rounds,
  times,
  cv2Threads: peer === undefined ? undefined : Number(values.threads),
  rows,
};
writeResult('resize', result);
const [first] = rows;
if (first?.cv2 !== undefined) {
  const ratio = round3(first.ours.prepare.p50 / first.cv2.prepare.p50);
  console.log(`1080p to tensor: ${ratio} of cv2's time (goal: at most ${goal})`);
  if (ratio > goal) process.exitCode = 1;
}

interface Spread {
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
}

function spread(samples: readonly number[]): Spread {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (part: number): number => round3(sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN);
  return { min: at(0), p50: at(0.5), p95: at(0.95) };
}
