import { readFileSync } from 'node:fs';
import { assertProperty, fc } from '../../support/fast-check.ts';
import type { RawImage } from '../../../inference/images/raw-image.ts';
import { loadPreprocessor } from '../../../inference/preprocess/load-preprocessor.ts';
import type { Preprocessor } from '../../../inference/preprocess/preprocessor.ts';
import { isThorough } from '../../support/sampled.ts';
import { preprocessWasm } from '../../support/preprocess-wasm.ts';
import { Oracle } from './opencv.ts';
import { CONTENTS, picture } from './pictures.ts';

let oracle: Oracle;
let preprocessor: Preprocessor;
beforeAll(async () => {
  preprocessor = loadPreprocessor(preprocessWasm());
  oracle = await Oracle.load();
}, 120_000);

type Shape = readonly [width: number, height: number, targetWidth: number, targetHeight: number];

/** Cases by OpenCV's algorithm for them. */
const SHAPES: Readonly<Record<string, readonly Shape[]>> = {
  'true area': [
    [1920, 1080, 640, 640],
    [1366, 768, 640, 640],
    [1440, 900, 640, 640],
    [1024, 768, 640, 640],
    [2000, 1333, 640, 640],
    [641, 643, 640, 640],
    [641, 640, 640, 640],
    [1920, 1080, 320, 320],
    [800, 600, 416, 416],
    [1100, 800, 1024, 768],
    [97, 61, 7, 5],
    [333, 222, 100, 60],
    [5, 4, 4, 4],
    [4, 5, 4, 4],
    [3, 2, 2, 1],
    [7, 5, 3, 4],
    [1000, 9, 3, 7],
    [9, 1000, 7, 3],
    // Rows have more bytes than are copied at a time.
    [50_000, 3, 640, 2],
    [999, 1, 100, 1],
    [1, 999, 1, 100],
    [1001, 3, 1000, 1],
    // The inverse of these ratios' inverse is no whole number, so OpenCV does not take them for whole.
    [147, 147, 3, 3],
    [98, 49, 2, 1],
    [206, 103, 2, 1],
  ],
  'whole ratios': [
    [1280, 1280, 640, 640],
    [1920, 1920, 640, 640],
    [2560, 640, 640, 640],
    [640, 1280, 640, 640],
    [640, 480, 320, 240],
    [1280, 640, 320, 320],
    [2, 1, 1, 1],
    [1, 2, 1, 1],
    [2, 2, 1, 1],
    [3, 2, 1, 1],
    [4, 4, 1, 1],
    [4, 4, 2, 2],
    [6, 2, 3, 1],
    [12, 9, 4, 3],
    [35, 15, 7, 5],
    [64, 64, 4, 4],
    [68, 34, 4, 2],
    [51, 57, 3, 3],
    [200, 300, 1, 1],
    // Sums of 16 bit do not fit into float32, so their order matters.
    [1280, 1280, 32, 32],
    [1600, 1200, 40, 16],
    [1000, 1, 1, 1],
    [1, 1000, 1, 1],
  ],
  'one way up': [
    [1000, 200, 640, 640],
    [200, 1000, 640, 640],
    [640, 320, 640, 640],
    [320, 640, 640, 640],
    [2000, 10, 64, 64],
    [10, 2000, 64, 64],
    [1000, 1, 32, 32],
    [1, 1000, 32, 32],
    [400, 300, 401, 299],
    [400, 300, 399, 301],
    [333, 111, 111, 333],
    [2, 1, 1, 2],
  ],
  'both ways up': [
    [300, 200, 640, 640],
    [320, 320, 640, 640],
    [639, 639, 640, 640],
    [640, 640, 1024, 768],
    [1, 1, 640, 640],
    [2, 2, 4, 4],
    [3, 3, 5, 5],
    [2, 3, 7, 5],
    [31, 1, 64, 64],
    [1, 31, 64, 64],
    [13, 17, 416, 416],
  ],
  'same size': [
    [640, 640, 640, 640],
    [1, 1, 1, 1],
    [7, 5, 7, 5],
  ],
};
const ALL = Object.entries(SHAPES).flatMap(([way, shapes]) =>
  shapes.map((shape) => ({ way, shape, name: `${shape[0]} x ${shape[1]} to ${shape[2]} x ${shape[3]}` })),
);

const CHANNELS = [1, 2, 3, 4] as const;

/** The first sample that differs from OpenCV's, if any. */
function difference(image: RawImage, width: number, height: number): object | undefined {
  const ours = preprocessor.resize(image, width, height).data;
  const theirs = oracle.resize(image, width, height).data;
  if (Buffer.compare(bytesOf(ours), bytesOf(theirs)) === 0) return undefined;
  const at = ours.findIndex((sample, i) => sample !== theirs[i]);
  const { channels, data } = image;
  return { channels, bits: 8 * data.BYTES_PER_ELEMENT, at, ours: ours[at], theirs: theirs[at] };
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

const KINDS = CHANNELS.flatMap((channels) => ([8, 16] as const).map((bits) => ({ channels, bits })));

it.each(ALL)('$way: $name', (row) => {
  const [width, height, targetWidth, targetHeight] = row.shape;
  const at = ALL.indexOf(row);
  // A usual run takes each shape with some kinds and contents, and each of those with many shapes.
  const turned = <T>(all: readonly T[], nth: number): readonly T[] =>
    isThorough ? all : all.filter((_, index) => (index + at) % nth === 0);
  for (const { channels, bits } of turned(KINDS, 4)) {
    const image = picture(width, height, channels, 'noise', bits);
    expect(difference(image, targetWidth, targetHeight)).toBeUndefined();
  }
  for (const content of turned(CONTENTS, 3)) {
    expect(difference(picture(width, height, 3, content), targetWidth, targetHeight)).toBeUndefined();
  }
  expect(difference(picture(width, height, 3, 'full', 16), targetWidth, targetHeight)).toBeUndefined();
});

it('is the same for any shape', () => {
  // Small numbers are more likely, because they make whole ratios and equal sizes likely.
  const size = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 150 }));
  assertProperty(
    1500,
    size,
    size,
    size,
    size,
    fc.constantFrom(...CHANNELS),
    fc.constantFrom(...CONTENTS),
    fc.constantFrom(8 as const, 16 as const),
    fc.integer(),
    (width, height, targetWidth, targetHeight, channels, content, bits, seed) => {
      const image = picture(width, height, channels, content, bits, seed);
      expect(difference(image, targetWidth, targetHeight)).toBeUndefined();
    },
  );
});

it('was built with plain SIMD only', () => {
  // Relaxed SIMD's instructions are 0xfd 0x80 0x02 to 0xfd 0x92 0x02; a fused multiply-add would be one of them.
  const bytes = readFileSync(preprocessWasm());
  const relaxed = [...bytes.keys()].filter(
    (at) =>
      bytes[at] === 0xfd &&
      (bytes[at + 1] ?? 0) >= 0x80 &&
      (bytes[at + 1] ?? 0) <= 0x92 &&
      bytes[at + 2] === 2,
  );
  expect(relaxed).toEqual([]);
});
