import { type Spans, areaSpans, ratioOf, roundHalfEven, slides } from './axis.ts';
import type { Address, Kernels } from './kernels.ts';
import type { Allocation } from './workspace.ts';

/** The sizes before and after, and the kind of samples. */
export interface Resizing {
  readonly width: number;
  readonly height: number;
  readonly targetWidth: number;
  readonly targetHeight: number;
  readonly channels: number;
  /** Bytes of a sample. */
  readonly depth: 1 | 2;
}

/**
 * Receives the resized rows in order. `rowAt` says where a row should be written, `accept` where it has been written.
 */
export interface RowSink {
  rowAt(y: number): Address;
  accept(y: number, row: Address): void;
}

/** A prepared resizing: source rows go in one by one from the top, and target rows come out. */
export interface RowResizer {
  /** Bytes of the buffers that it needs. */
  readonly buffers: readonly number[];
  /**
   * The buffers' addresses in `allocation` begin at index `at`. Returns the function that takes each source row's
   * address.
   */
  start(allocation: Allocation, at: number, sink: RowSink): (row: Address) => void;
}

/** Chooses among OpenCV's algorithms for INTER_AREA as OpenCV does. */
export function rowResizer(resizing: Resizing): RowResizer {
  const { width, height, targetWidth, targetHeight } = resizing;
  if (width === targetWidth && height === targetHeight) return COPY;
  const ratioX = ratioOf(width, targetWidth);
  const ratioY = ratioOf(height, targetHeight);
  if (ratioX < 1 || ratioY < 1) return resizing.depth === 1 ? sliding8(resizing) : sliding16(resizing);
  const whole = Number.isInteger(ratioX) && Number.isInteger(ratioY);
  // OpenCV's sum of 8-bit samples overflows in larger blocks and loses the mean; the float32 sums of `area` keep it.
  const overflows = resizing.depth === 1 && ratioX * ratioY * 255 >= 2 ** 31;
  return whole && !overflows ? blocks(resizing, ratioX, ratioY) : area(resizing);
}

const COPY: RowResizer = {
  buffers: [],
  start: (_lease, _at, sink) => {
    let y = 0;
    return (row) => sink.accept(y++, row);
  },
};

/** For ratios that are whole numbers: each pixel is the mean of a block. */
function blocks(resizing: Resizing, columns: number, rows: number): RowResizer {
  const { channels, depth, targetWidth, width } = resizing;
  const block = columns * rows;
  const length = width * channels;
  const scale = Math.fround(1 / block);
  // A mean of four rounds halves up where OpenCV has a loop of its own for it, which it has not for two channels.
  const quarter = columns === 2 && rows === 2 && channels !== 2;
  if (quarter && depth === 1) return quarters8(resizing);
  // Sums of up to 256 samples of 16 bit are exact in float32 in any order.
  if (depth === 2 && block > 256) return bigBlocks16(resizing, columns, rows);
  return {
    buffers: [4 * length],
    start: ({ kernels, addresses }, at, sink) => {
      const sums = addresses[at] ?? 0;
      const sum = depth === 1 ? kernels.sum8 : kernels.sum16;
      const sumMore = depth === 1 ? kernels.sumMore8 : kernels.sumMore16;
      const mean = depth === 1 ? kernels.mean8 : kernels.mean16;
      let seen = 0;
      let y = 0;
      return (source) => {
        (seen === 0 ? sum : sumMore)(sums, source, length);
        seen += 1;
        if (seen < rows) return;
        seen = 0;
        const row = sink.rowAt(y);
        if (quarter) kernels.quarter16(row, sums, targetWidth, channels);
        else mean(row, sums, targetWidth, columns, channels, scale);
        sink.accept(y, row);
        y += 1;
      };
    },
  };
}

/** Blocks of 2 x 2, 8 bit: the common case of a screen of twice the input's size. */
function quarters8({ channels, targetWidth, width }: Resizing): RowResizer {
  const rowBytes = width * channels;
  const step = channels === 1 ? 8 : 2;
  // Byte 2n is output sample n's own, byte 2n + 1 the same channel of the next pixel.
  const pairs = Uint8Array.from({ length: 16 }, (_, byte) => {
    const sample = byte >> 1;
    if (sample >= step * channels) return 0xff;
    const left = 2 * Math.floor(sample / channels) * channels + (sample % channels);
    return byte % 2 === 0 ? left : left + channels;
  });
  return {
    buffers: [rowBytes, pairs.byteLength],
    start: ({ kernels, addresses, bytes }, at, sink) => {
      // The row above is copied, since the rows after it may overwrite it.
      const above = addresses[at] ?? 0;
      const lanes = addresses[at + 1] ?? 0;
      bytes.set(pairs, lanes);
      let sourceY = 0;
      return (source) => {
        if (sourceY % 2 === 0) {
          bytes.copyWithin(above, source, source + rowBytes);
        } else {
          const y = sourceY >> 1;
          const row = sink.rowAt(y);
          kernels.quarter8(row, above, source, targetWidth, channels, step, lanes);
          sink.accept(y, row);
        }
        sourceY += 1;
      };
    },
  };
}

function bigBlocks16(resizing: Resizing, columns: number, rows: number): RowResizer {
  const { channels, targetWidth } = resizing;
  const block = columns * rows;
  const length = targetWidth * channels;
  const scale = Math.fround(1 / block);
  return {
    buffers: [4 * length, 4 * length],
    start: ({ kernels, addresses, bytes }, at, sink) => {
      const sums = addresses[at] ?? 0;
      const pending = addresses[at + 1] ?? 0;
      let seen = 0;
      let y = 0;
      return (source) => {
        if (seen === 0) {
          bytes.fill(0, sums, sums + 4 * length);
          bytes.fill(0, pending, pending + 4 * length);
        }
        kernels.gather16(sums, pending, source, targetWidth, columns, channels, seen * columns, block);
        seen += 1;
        if (seen < rows) return;
        seen = 0;
        const row = sink.rowAt(y);
        kernels.weigh(sums, sums, scale, length);
        kernels.round16(row, sums, length);
        sink.accept(y, row);
        y += 1;
      };
    },
  };
}

/**
 * Each source row is reduced across, and the result weighed into the one or two output rows that the row belongs to.
 */
function area(resizing: Resizing): RowResizer {
  const { channels, depth, targetWidth, targetHeight } = resizing;
  const length = targetWidth * channels;
  const across = reduceTable(areaSpans(resizing.width, targetWidth), resizing.width, channels * depth);
  const down = areaSpans(resizing.height, targetHeight);
  return {
    buffers: [across.table.byteLength, 4 * length, 4 * length, 4 * length],
    start: ({ kernels, addresses, bytes }, at, sink) => {
      const table = addresses[at] ?? 0;
      bytes.set(across.table, table);
      const line = addresses[at + 1] ?? 0;
      const even = addresses[at + 2] ?? 0;
      const odd = addresses[at + 3] ?? 0;
      const reduce = reducer(kernels, resizing, across.taps);
      const round = depth === 1 ? kernels.round8 : kernels.round16;
      let sourceY = 0;
      let next = 0;
      return (source) => {
        reduce(source, line, table, targetWidth);
        for (let y = next; y < targetHeight; y += 1) {
          const tap = sourceY - (down.first[y] ?? 0);
          if (tap < 0) break;
          const sums = y % 2 === 0 ? even : odd;
          const weigh = tap === 0 ? kernels.weigh : kernels.weighMore;
          weigh(sums, line, down.weights[(down.offset[y] ?? 0) + tap] ?? 0, length);
          if (tap + 1 < (down.count[y] ?? 0)) continue;
          const row = sink.rowAt(y);
          round(row, sums, length);
          sink.accept(y, row);
          next = y + 1;
        }
        sourceY += 1;
      };
    },
  };
}

/** Any axis scaled up, 8 bit: interpolates between neighbours across and down, with coefficients of 11 bits. */
function sliding8(resizing: Resizing): RowResizer {
  const { channels, height, targetWidth, targetHeight, width } = resizing;
  const length = targetWidth * channels;
  const across = slides(width, targetWidth);
  const down = slides(height, targetHeight);
  const table = new DataView(new ArrayBuffer(8 * targetWidth));
  for (let i = 0; i < targetWidth; i += 1) {
    const pixel = across.first[i] ?? 0;
    // The last pixel has no neighbour; the neighbour's share is 0 there.
    const fraction = across.fraction[i] ?? 0;
    table.setUint32(8 * i, pixel * channels, true);
    table.setInt16(8 * i + 4, fixedPoint(1 - fraction), true);
    table.setInt16(8 * i + 6, fixedPoint(fraction), true);
  }
  return {
    buffers: [table.byteLength, 4 * length, 4 * length],
    start: ({ kernels, addresses, bytes }, at, sink) => {
      const columns = addresses[at] ?? 0;
      bytes.set(new Uint8Array(table.buffer), columns);
      return neighbours(down.first, height, [addresses[at + 1] ?? 0, addresses[at + 2] ?? 0], {
        across: (source, line) => kernels.slide8(source, line, columns, targetWidth, channels),
        down: (y, above, below) => {
          const fraction = down.fraction[y] ?? 0;
          const row = sink.rowAt(y);
          kernels.blend8(row, above, below, fixedPoint(1 - fraction), fixedPoint(fraction), length);
          sink.accept(y, row);
        },
      });
    },
  };
}

/** The same for 16 bit, in float32. */
function sliding16(resizing: Resizing): RowResizer {
  const { channels, height, targetWidth, targetHeight, width } = resizing;
  const length = targetWidth * channels;
  const across = slides(width, targetWidth);
  const down = slides(height, targetHeight);
  const spans: Spans = {
    first: across.first,
    count: new Uint32Array(targetWidth).map((_, i) => Math.min(2, width - (across.first[i] ?? 0))),
    offset: new Uint32Array(targetWidth).map((_, i) => 2 * i),
    weights: new Float32Array(2 * targetWidth),
  };
  for (let i = 0; i < targetWidth; i += 1) {
    const fraction = spans.count[i] === 2 ? (across.fraction[i] ?? 0) : 0;
    spans.weights[2 * i] = 1 - fraction;
    spans.weights[2 * i + 1] = fraction;
  }
  const reduced = reduceTable(spans, width, 2 * channels);
  return {
    buffers: [reduced.table.byteLength, 4 * length, 4 * length, 4 * length],
    start: ({ kernels, addresses, bytes }, at, sink) => {
      const table = addresses[at] ?? 0;
      bytes.set(reduced.table, table);
      const sums = addresses[at + 3] ?? 0;
      const reduce = reducer(kernels, resizing, reduced.taps);
      return neighbours(down.first, height, [addresses[at + 1] ?? 0, addresses[at + 2] ?? 0], {
        across: (source, line) => reduce(source, line, table, targetWidth),
        down: (y, above, below) => {
          const fraction = down.fraction[y] ?? 0;
          const row = sink.rowAt(y);
          kernels.weigh(sums, above, Math.fround(1 - fraction), length);
          kernels.weighMore(sums, below, fraction, length);
          kernels.round16(row, sums, length);
          sink.accept(y, row);
        },
      });
    },
  };
}

/** Keeps the last two source rows, reduced across, and calls `down` for each output row that lies between them. */
function neighbours(
  first: Uint32Array,
  height: number,
  lines: readonly [Address, Address],
  on: {
    across(source: Address, line: Address): void;
    down(y: number, above: Address, below: Address): void;
  },
): (source: Address) => void {
  let [above, below] = lines;
  let sourceY = 0;
  let next = 0;
  return (source) => {
    if (sourceY >= (first[next] ?? height)) {
      [above, below] = [below, above];
      on.across(source, below);
      for (; next < first.length; next += 1) {
        const upper = first[next] ?? 0;
        if (Math.min(upper + 1, height - 1) > sourceY) break;
        on.down(next, upper === sourceY ? below : above, below);
      }
    }
    sourceY += 1;
  };
}

function fixedPoint(coefficient: number): number {
  return roundHalfEven(Math.fround(coefficient) * 2048);
}

/**
 * Answers the table of the reduce kernels: each output pixel has the same number of taps, none of them past the row's
 * end.
 */
function reduceTable(
  spans: Spans,
  width: number,
  pixelBytes: number,
): { readonly table: Uint8Array; readonly taps: number } {
  const taps = Math.max(
    spans.count.reduce((most, count) => Math.max(most, count), 0),
    Math.min(2, width),
  );
  const entry = 1 + taps;
  const table = new Uint32Array(spans.first.length * entry);
  const weights = new Float32Array(table.buffer);
  spans.first.forEach((first, i) => {
    const from = Math.min(first, width - taps);
    const offset = spans.offset[i] ?? 0;
    table[i * entry] = from * pixelBytes;
    weights.set(spans.weights.subarray(offset, offset + (spans.count[i] ?? 0)), i * entry + 1 + first - from);
  });
  return { table: new Uint8Array(table.buffer), taps };
}

function reducer(
  kernels: Kernels,
  { channels, depth }: Resizing,
  taps: number,
): (source: Address, row: Address, table: Address, count: number) => void {
  if (depth === 1 && channels === 3) {
    if (taps === 2) return kernels.reduce8of3x2;
    if (taps === 3) return kernels.reduce8of3x3;
    if (taps === 4) return kernels.reduce8of3x4;
  }
  if (depth === 1 && channels === 4) {
    if (taps === 2) return kernels.reduce8of4x2;
    if (taps === 3) return kernels.reduce8of4x3;
    if (taps === 4) return kernels.reduce8of4x4;
  }
  const any = depth === 1 ? kernels.reduce8 : kernels.reduce16;
  return (source, row, table, count) => any(source, row, table, count, taps, channels * depth);
}
