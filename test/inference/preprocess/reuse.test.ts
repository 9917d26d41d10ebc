import { readFileSync } from 'node:fs';
import type { ImageInput } from '../../../inference/preprocess/image-input.ts';
import { createPreprocessor } from '../../../inference/preprocess/load-preprocessor.ts';
import type { Prepared, Preprocessor } from '../../../inference/preprocess/preprocessor.ts';
import { Workspace } from '../../../inference/preprocess/workspace.ts';
import { preprocessWasm } from '../../support/preprocess-wasm.ts';
import { seeded } from '../../support/seeded.ts';
import { picture } from './pictures.ts';

const MIB = 1024 * 1024;
let wasm: WebAssembly.Module;
beforeAll(() => {
  wasm = new WebAssembly.Module(readFileSync(preprocessWasm()));
}, 120_000);

const input = (width: number, height: number, part: Partial<ImageInput> = {}): ImageInput => ({
  width,
  height,
  channels: 3,
  datatype: 'FP32',
  read: 'color',
  color: 'bgr',
  scale: [1 / 255, 1 / 255, 1 / 255],
  mean: [0.5, 0.25, 0],
  std: [0.5, 1, 2],
  fit: 'letterbox',
  align: 'center',
  pad: 114,
  ...part,
});

const bytesOf = ({ data }: Prepared): Buffer =>
  Buffer.from(Buffer.from(data.buffer, data.byteOffset, data.byteLength));

/** Calls of every kind and size in a mixed order, each a function of the preprocessor. */
function calls(): ((preprocessor: Preprocessor) => Buffer)[] {
  const random = seeded(7);
  const upTo = (most: number): number => 1 + Math.floor(random() * most);
  return Array.from({ length: 60 }, (_, i) => {
    const source = picture(upTo(300), upTo(300), 3, 'noise', i % 10 === 0 ? 16 : 8, i);
    const [width, height] = [upTo(200), upTo(200)];
    const datatype = (['FP32', 'FP16', 'UINT8'] as const)[i % 3] ?? 'FP32';
    const fit = i % 2 === 0 ? 'letterbox' : 'stretch';
    if (i % 7 === 0) {
      return (preprocessor) => Buffer.from(preprocessor.resize(source, width, height).data.buffer);
    }
    const model = input(width, height, { datatype, fit });
    return (preprocessor) => bytesOf(preprocessor.prepare(source, model));
  });
}

it('leaves nothing of one call in the next', () => {
  const reused = createPreprocessor(wasm, 64 * MIB);
  for (const call of calls()) {
    expect(call(reused).equals(call(createPreprocessor(wasm, 64 * MIB)))).toBe(true);
  }
});

it('gives the same in memory of its own, for calls that need more than is kept', () => {
  const bounded = createPreprocessor(wasm, MIB / 8);
  const free = createPreprocessor(wasm, 64 * MIB);
  for (const call of calls()) expect(call(bounded).equals(call(free))).toBe(true);
});

it('does not disturb another one', () => {
  const ours = createPreprocessor(wasm, 64 * MIB);
  const other = createPreprocessor(wasm, 64 * MIB);
  const prepared = ours.prepare(picture(100, 80, 3), input(64, 64));
  const before = bytesOf(prepared);
  other.prepare(picture(100, 80, 3, 'full'), input(64, 64));
  other.resize(picture(500, 500, 3, 'extremes'), 300, 300);
  expect(bytesOf(prepared).equals(before)).toBe(true);
});

it('gives resized images that later calls leave alone', () => {
  const preprocessor = createPreprocessor(wasm, 64 * MIB);
  const first = preprocessor.resize(picture(100, 80, 3), 64, 64);
  const before = first.data.slice();
  preprocessor.resize(picture(100, 80, 3, 'full'), 64, 64);
  preprocessor.prepare(picture(900, 800, 3), input(640, 640));
  expect(first.data).toEqual(before);
  expect(first.data.byteLength).toBe(first.data.buffer.byteLength);
});

it('holds a few rows of a big image, not all of it', () => {
  const preprocessor = createPreprocessor(wasm, 64 * MIB);
  const { data } = preprocessor.prepare(picture(8000, 6000, 1, 'full'), input(64, 64, { channels: 1 }));
  expect(data[0]).toBe(Math.fround((Math.fround(114 * Math.fround(1 / 255)) - 0.5) / 0.5));
  expect(data.buffer.byteLength).toBeLessThan(MIB);
});

it('means blocks of more samples than 32 bit can sum', () => {
  const preprocessor = createPreprocessor(wasm, 64 * MIB);
  expect([...preprocessor.resize(picture(4000, 3000, 1, 'full'), 1, 1).data]).toEqual([255]);
});

it('keeps no more memory than it may, and grows no more once it has what it needs', () => {
  const workspace = new Workspace(wasm, 2 * MIB);
  const kept = workspace.allocate([MIB]).bytes.length;
  expect(kept).toBeLessThanOrEqual(2 * MIB);
  const big = workspace.allocate([8 * MIB, 100]);
  expect(big.bytes.length).toBeGreaterThan(8 * MIB);
  const after = workspace.allocate([1, 2, 3]);
  expect(after.bytes.length).toBe(kept);
  expect(after.kernels.memory).not.toBe(big.kernels.memory);
  for (let i = 0; i < 1000; i += 1) workspace.allocate([i, 1000 * i]);
  expect(workspace.allocate([1]).bytes.length).toBe(kept);
});

it('lays buffers out apart, with room to overrun', () => {
  const { addresses, bytes } = new Workspace(wasm, MIB).allocate([1, 64, 0, 100, 70_000]);
  const sizes = [1, 64, 0, 100, 70_000];
  addresses.forEach((address, i) => {
    expect(address % 16).toBe(0);
    expect((addresses[i + 1] ?? bytes.length) - address).toBeGreaterThanOrEqual((sizes[i] ?? 0) + 64);
  });
});

it('says so when there is not the memory', () => {
  expect(() => new Workspace(wasm, MIB).allocate([2 ** 33])).toThrow(/^resizing needs \d+ bytes of memory/);
});
