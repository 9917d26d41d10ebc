import type { ImageInput } from './image-input.ts';
import type { Address } from './kernels.ts';
import type { Frame } from './placement.ts';
import type { RowSink } from './row-resizer.ts';
import { type Normalisation, normalised, toHalf, toUint8 } from './sample-values.ts';
import type { Allocation } from './workspace.ts';

const ELEMENT_BYTES = { FP32: 4, FP16: 2, UINT8: 1 } as const;

/** Tables of the values of all samples, by depth and by the input that they were made for. */
const VALUES = { 1: new WeakMap<ImageInput, Uint8Array>(), 2: new WeakMap<ImageInput, Uint8Array>() };

/** Writes resized rows as the planes of a model's input, normalised, and fills what the image leaves free. */
export class TensorWriter {
  /** Bytes of the buffers that it needs: the tensor, one row of samples, and the table of values. */
  readonly buffers: readonly [number, number, number];
  readonly #input: ImageInput;
  readonly #frame: Frame;
  readonly #depth: 1 | 2;
  /** Of each plane, the channel that it is made from and how that is normalised. */
  readonly #planes: readonly { readonly channel: number; readonly normalisation: Normalisation }[];
  readonly #values: Uint8Array;

  constructor(input: ImageInput, frame: Frame, depth: 1 | 2) {
    this.#input = input;
    this.#frame = frame;
    this.#depth = depth;
    const { channels, color, datatype } = input;
    this.#planes = Array.from({ length: channels }, (_, plane) => ({
      channel: color === 'bgr' && channels >= 3 && plane < 3 ? 2 - plane : plane,
      normalisation: {
        scale: input.scale[plane] ?? 1,
        mean: input.mean[plane] ?? 0,
        std: input.std[plane] ?? 1,
      },
    }));
    this.#values = this.#knownValues();
    this.buffers = [
      channels * input.width * input.height * ELEMENT_BYTES[datatype],
      frame.width * channels * depth,
      this.#values.byteLength,
    ];
  }

  /** The buffers' addresses in `allocation` begin at index `at`. */
  start(allocation: Allocation, at: number): RowSink {
    const tensor = allocation.addresses[at] ?? 0;
    const samples = allocation.addresses[at + 1] ?? 0;
    const values = allocation.addresses[at + 2] ?? 0;
    allocation.bytes.set(this.#values, values);
    this.#fillMargins(allocation, tensor);
    const { width, height, datatype } = this.#input;
    const { left, top } = this.#frame;
    const bytes = ELEMENT_BYTES[datatype];
    const writers = this.#planes.map((_, plane) => this.#planeWriter(allocation, plane, values));
    return {
      rowAt: () => samples,
      accept: (y, row) => {
        writers.forEach((write, plane) =>
          write(row, tensor + ((plane * height + top + y) * width + left) * bytes),
        );
      },
    };
  }

  /** Answers the tensor, as a view on the allocation's memory. */
  view({ bytes, addresses }: Allocation, at: number): Float32Array | Uint16Array | Uint8Array {
    const tensor = addresses[at] ?? 0;
    const { channels, width, height, datatype } = this.#input;
    const length = channels * width * height;
    if (datatype === 'FP32') return new Float32Array(bytes.buffer, tensor, length);
    if (datatype === 'FP16') return new Uint16Array(bytes.buffer, tensor, length);
    return new Uint8Array(bytes.buffer, tensor, length);
  }

  #planeWriter({ kernels }: Allocation, plane: number, values: Address): (row: Address, to: Address) => void {
    const of = this.#planes[plane];
    if (of === undefined) throw new RangeError(`no plane ${plane}`);
    const { channel, normalisation } = of;
    const { scale, mean, std } = normalisation;
    const { channels, datatype } = this.#input;
    const { width } = this.#frame;
    if (datatype !== 'FP32') {
      const bytes = ELEMENT_BYTES[datatype];
      const table = values + plane * bytes * 256 ** this.#depth;
      const lookup = this.#depth === 1 ? kernels.lookup8 : kernels.lookup16;
      return (row, to) => lookup(row, to, width, channels, channel, table, bytes);
    }
    if (this.#depth === 1 && scale === 1 && mean === 0 && std === 1) {
      return (row, to) => kernels.plain8(row, to, width, channels, channel);
    }
    const normal = this.#depth === 1 ? kernels.normal8 : kernels.normal16;
    return (row, to) => normal(row, to, width, channels, channel, scale, mean, std);
  }

  #knownValues(): Uint8Array {
    if (this.#input.datatype === 'FP32') return new Uint8Array(0);
    const known = VALUES[this.#depth].get(this.#input) ?? this.#table();
    VALUES[this.#depth].set(this.#input, known);
    return known;
  }

  /** Makes the table of values in the input's datatype, one for each sample value, plane after plane. */
  #table(): Uint8Array {
    const count = 256 ** this.#depth;
    const half = this.#input.datatype === 'FP16';
    const table = half
      ? new Uint16Array(count * this.#planes.length)
      : new Uint8Array(count * this.#planes.length);
    this.#planes.forEach(({ normalisation }, plane) => {
      for (let sample = 0; sample < count; sample += 1) {
        const value = normalised(sample, normalisation);
        table[plane * count + sample] = half ? toHalf(value) : toUint8(value);
      }
    });
    return new Uint8Array(table.buffer);
  }

  /** Fills what the image leaves free. */
  #fillMargins(allocation: Allocation, tensor: Address): void {
    const { width, height, pad, datatype } = this.#input;
    const frame = this.#frame;
    if (frame.width === width && frame.height === height) return;
    const view = this.view({ ...allocation, addresses: [tensor] }, 0);
    this.#planes.forEach(({ normalisation }, plane) => {
      const value = normalised(pad, normalisation);
      const fill = datatype === 'FP32' ? value : datatype === 'FP16' ? toHalf(value) : toUint8(value);
      const start = plane * width * height;
      view.fill(fill, start, start + frame.top * width);
      view.fill(fill, start + (frame.top + frame.height) * width, start + height * width);
      if (frame.width === width) return;
      for (let y = frame.top; y < frame.top + frame.height; y += 1) {
        view.fill(fill, start + y * width, start + y * width + frame.left);
        view.fill(fill, start + y * width + frame.left + frame.width, start + (y + 1) * width);
      }
    });
  }
}
