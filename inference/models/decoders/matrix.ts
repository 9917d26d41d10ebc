import { InferenceError } from '../../common/errors.ts';
import { halfToNumber, type Tensor } from '../../common/tensor.ts';

/** The value of every half-precision number, by its bits. It is made when it is first needed. */
let halves: Float32Array | undefined;

/** Answers the numbers of a tensor as floats; FP16 and FP64 are converted, FP32 is not copied. */
export function floatsOf({ name, datatype, data }: Tensor): Float32Array {
  if (datatype === 'FP32') return data as Float32Array;
  if (datatype === 'FP16') {
    const bits = data as Uint16Array;
    halves ??= Float32Array.from({ length: 65_536 }, (_, half) => halfToNumber(half));
    const values = new Float32Array(bits.length);
    for (let at = 0; at < bits.length; at += 1) values[at] = halves[bits[at] ?? 0] ?? 0;
    return values;
  }
  if (datatype === 'BYTES')
    throw new InferenceError('inference_failed', `output "${name}" holds texts, not numbers`);
  return Float32Array.from(data as ArrayLike<number | bigint>, Number);
}

/** Rows of numbers that follow one another. */
export interface Matrix {
  readonly data: Float32Array;
  readonly rows: number;
  readonly columns: number;
}

/**
 * Answers the first image's part of an output `[images, rows, columns]`, or the whole of one with two sizes.
 *
 * @throws {InferenceError} inference_failed where the output has another shape
 */
export function matrixOf(output: Tensor | null | undefined, what: string): Matrix {
  const [columns = -1, rows = -1, images = 1] = output?.shape.toReversed() ?? [];
  if (output == null || output.shape.length < 2 || output.shape.length > 3) throw misfit(output, what);
  const data = floatsOf(output);
  if (data.length !== images * rows * columns) throw misfit(output, what);
  // An output without images has no predictions.
  return images === 0
    ? { data, rows: 0, columns }
    : { data: data.subarray(0, rows * columns), rows, columns };
}

/** Answers the first image's part of an output `[images, n]` or `[n]`, as floats. */
export function vectorOf(output: Tensor, length: number, what: string): Float32Array {
  const data = floatsOf(output);
  if (data.length < length || (output.shape.at(-1) ?? 0) < length) throw misfit(output, what);
  return data.subarray(0, length);
}

/** Makes the error for an output that the layout cannot decode, which a model whose sizes vary may answer. */
export function misfit(output: Tensor | null | undefined, what: string): InferenceError {
  const found =
    output == null ? 'no such output' : `"${output.name}" ${output.datatype} [${output.shape.join(', ')}]`;
  return new InferenceError('inference_failed', `the model's layout needs ${what}; it answered ${found}`);
}
