import type { RawImage } from '../../images/raw-image.ts';
import type { ImageInput } from '../../preprocess/image-input.ts';
import { halfToNumber, type Tensor } from '../../common/tensor.ts';
import type { TensorStats } from '../../common/results.ts';

/**
 * Parts of a value itself and of the tensor's largest value by which two answers may differ. The second is several
 * times what rounding makes of it; the first finds wrong scores beside coordinates of hundreds of pixels.
 */
const TOLERANCE = { ofValue: 1e-3, ofLargest: 1e-5 };

/** Makes a picture of noise in the size of the model's input, the same each time. */
export function noiseImage({ width, height, channels }: ImageInput): RawImage {
  const data = new Uint8Array(width * height * channels);
  let state = 1;
  for (let index = 0; index < data.length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    data[index] = state >>> 24;
  }
  return { width, height, channels: channels as RawImage['channels'], data };
}

/** Whether two tensors hold the same values but for rounding. */
export function isClose(wanted: Tensor, found: Tensor | undefined): boolean {
  if (found?.datatype !== wanted.datatype || found.shape.join() !== wanted.shape.join()) return false;
  const isHalf = wanted.datatype === 'FP16';
  if (wanted.datatype !== 'FP32' && wanted.datatype !== 'FP64' && !isHalf) {
    return [...wanted.data].every((value, index) => value === found.data[index]);
  }
  const numberAt = (data: Tensor['data'], index: number): number =>
    isHalf ? halfToNumber(Number(data[index])) : Number(data[index]);
  let largest = 0;
  let most = 0;
  for (let index = 0; index < wanted.data.length; index++) {
    const value = numberAt(wanted.data, index);
    const off = Math.abs(value - numberAt(found.data, index));
    largest = Math.max(largest, Math.abs(value));
    most = Math.max(most, off - TOLERANCE.ofValue * Math.abs(value));
  }
  // NaN and infinities are close to nothing.
  return most <= TOLERANCE.ofLargest * largest;
}

/**
 * Answers the smallest, largest and mean value. All are 0 for texts and where there are no values, and NaN where one
 * is NaN.
 */
export function statsOf({ name, datatype, shape, data }: Tensor): TensorStats {
  const figures = { name, datatype, shape };
  if (datatype === 'BYTES' || data.length === 0) return { ...figures, min: 0, max: 0, mean: 0 };
  const values =
    datatype === 'FP16'
      ? Float64Array.from(data as Uint16Array, halfToNumber)
      : datatype === 'INT64' || datatype === 'UINT64'
        ? Float64Array.from(data as BigInt64Array, Number)
        : (data as Float32Array);
  let min = Infinity;
  let max = -Infinity;
  let sum = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0;
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value;
  }
  return { ...figures, min, max, mean: sum / values.length };
}
