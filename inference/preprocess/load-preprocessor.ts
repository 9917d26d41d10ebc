import { readFileSync } from 'node:fs';
import { InferenceError } from '../common/errors.ts';
import type { RawImage } from '../images/raw-image.ts';
import type { ImageInput } from './image-input.ts';
import type { Address } from './kernels.ts';
import { place, type Region } from './placement.ts';
import type { Prepared, Preprocessor } from './preprocessor.ts';
import { type Resizing, type RowResizer, type RowSink, rowResizer } from './row-resizer.ts';
import { TensorWriter } from './tensor-writer.ts';
import { type Allocation, Workspace } from './workspace.ts';

/** Source rows are copied into the kernels' memory this many bytes at a time, so that they are still in the cache. */
const STRIPE_BYTES = 128 * 1024;
/** The most that a preprocessor keeps allocated. A call that needs more frees it afterwards. */
const KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Compiles the file with the inner loops (dist/preprocess.wasm), which takes a few milliseconds. A preprocessor does
 * one call at a time, so each worker has its own.
 */
export function loadPreprocessor(wasmFile: string): Preprocessor {
  return createPreprocessor(new WebAssembly.Module(readFileSync(wasmFile)), KEPT_BYTES);
}

/** How many resizers are kept. Their tables take a few kilobytes each for usual sizes. */
const KEPT_RESIZERS = 16;
/** Resizers of wider or higher images are not kept: such images are rare, and the tables large. */
const KEPT_RESIZER_SIDE = 16_384;

interface Resources {
  readonly workspace: Workspace;
  readonly resizers: Map<string, RowResizer>;
}

/** @param keptBytes memory that it may keep between calls */
export function createPreprocessor(module: WebAssembly.Module, keptBytes: number): Preprocessor {
  const resources: Resources = { workspace: new Workspace(module, keptBytes), resizers: new Map() };
  return {
    prepare: (image, input, region = whole(image)) => prepare(resources, image, input, region),
    resize: (image, width, height, region = whole(image)) => resize(resources, image, width, height, region),
  };
}

function prepare(resources: Resources, image: RawImage, input: ImageInput, region: Region): Prepared {
  if (image.channels !== input.channels) {
    throw new InferenceError(
      'image_unsuitable',
      `the image has ${channelsText(image.channels)}, the model takes ${channelsText(input.channels)}`,
      { field: 'file' },
    );
  }
  requireInside(image, region);
  const { frame, placement } = place(region, input);
  const resizing = resizingOf(image, region, frame.width, frame.height);
  const resizer = resizerOf(resources, resizing);
  const writer = new TensorWriter(input, frame, resizing.depth);
  const allocation = resources.workspace.allocate([
    ...writer.buffers,
    stripeBytes(resizing),
    ...resizer.buffers,
  ]);
  run(image, region, resizing, resizer, allocation, writer.buffers.length, writer.start(allocation, 0));
  return {
    data: writer.view(allocation, 0),
    shape: [1, input.channels, input.height, input.width],
    placement,
  };
}

function resize(
  resources: Resources,
  image: RawImage,
  width: number,
  height: number,
  region: Region,
): RawImage {
  if (!isSize(width) || !isSize(height)) {
    throw new RangeError(`an image is resized to at least one pixel, not ${width} x ${height}`);
  }
  requireInside(image, region);
  const resizing = resizingOf(image, region, width, height);
  const resizer = resizerOf(resources, resizing);
  const rowBytes = width * resizing.channels * resizing.depth;
  const allocation = resources.workspace.allocate([
    height * rowBytes,
    stripeBytes(resizing),
    ...resizer.buffers,
  ]);
  const [result = 0] = allocation.addresses;
  const rowAt = (y: number): Address => result + y * rowBytes;
  run(image, region, resizing, resizer, allocation, 1, {
    rowAt,
    accept: (y, row) => {
      if (row !== rowAt(y)) allocation.bytes.copyWithin(rowAt(y), row, row + rowBytes);
    },
  });
  const bytes = allocation.bytes.slice(result, result + height * rowBytes);
  const data = resizing.depth === 1 ? bytes : new Uint16Array(bytes.buffer);
  return { width, height, channels: image.channels, data };
}

/** Feeds the region's rows through; the stripe and the resizer's buffers begin at `at` in the allocation. */
function run(
  image: RawImage,
  region: Region,
  resizing: Resizing,
  resizer: RowResizer,
  allocation: Allocation,
  at: number,
  sink: RowSink,
): void {
  const { depth, channels } = resizing;
  const source = new Uint8Array(image.data.buffer, image.data.byteOffset, image.data.byteLength);
  const stripe = allocation.addresses[at] ?? 0;
  const push = resizer.start(allocation, at + 1, sink);
  const pitch = image.width * channels * depth;
  const rowBytes = region.width * channels * depth;
  const rows = stripeRows(resizing);
  for (let y = 0; y < region.height; y += rows) {
    const end = Math.min(y + rows, region.height);
    const from = (region.y + y) * pitch + region.x * channels * depth;
    if (rowBytes === pitch) {
      allocation.bytes.set(source.subarray(from, from + (end - y) * pitch), stripe);
    } else {
      for (let row = 0; row < end - y; row += 1) {
        const start = from + row * pitch;
        allocation.bytes.set(source.subarray(start, start + rowBytes), stripe + row * rowBytes);
      }
    }
    for (let row = 0; row < end - y; row += 1) push(stripe + row * rowBytes);
  }
}

/** Answers a kept resizer, or a new one that takes the place of the oldest. */
function resizerOf({ resizers }: Resources, resizing: Resizing): RowResizer {
  const { width, height, targetWidth, targetHeight, channels, depth } = resizing;
  const key = [width, height, targetWidth, targetHeight, channels, depth].join();
  const resizer = resizers.get(key) ?? rowResizer(resizing);
  if (Math.max(width, height, targetWidth, targetHeight) <= KEPT_RESIZER_SIDE) resizers.set(key, resizer);
  const [oldest] = resizers.keys();
  if (resizers.size > KEPT_RESIZERS && oldest !== undefined) resizers.delete(oldest);
  return resizer;
}

function resizingOf(image: RawImage, region: Region, targetWidth: number, targetHeight: number): Resizing {
  const depth = image.data.BYTES_PER_ELEMENT === 2 ? 2 : 1;
  const { width, height } = region;
  return { width, height, targetWidth, targetHeight, channels: image.channels, depth };
}

function stripeRows({ width, height, channels, depth }: Resizing): number {
  return Math.min(height, Math.max(1, Math.floor(STRIPE_BYTES / (width * channels * depth))));
}

function stripeBytes(resizing: Resizing): number {
  return stripeRows(resizing) * resizing.width * resizing.channels * resizing.depth;
}

function whole({ width, height }: RawImage): Region {
  return { x: 0, y: 0, width, height };
}

function requireInside({ width, height, channels, data }: RawImage, region: Region): void {
  if (data.length !== width * height * channels) {
    throw new RangeError(`an image of ${width} x ${height} x ${channels} cannot have ${data.length} samples`);
  }
  const { x, y } = region;
  const inside = Number.isInteger(x) && x >= 0 && Number.isInteger(y) && y >= 0;
  if (
    !inside ||
    !isSize(region.width) ||
    !isSize(region.height) ||
    x + region.width > width ||
    y + region.height > height
  ) {
    throw new RangeError(
      `a region of ${region.width} x ${region.height} at ${x}, ${y} is not inside ${width} x ${height} pixels`,
    );
  }
}

function isSize(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}

function channelsText(channels: number): string {
  return channels === 1 ? '1 channel' : `${channels} channels`;
}
