import type { RawImage } from '../../images/raw-image.ts';
import type { ImageInput } from '../../preprocess/image-input.ts';
import type { Tensor } from '../../common/tensor.ts';
import { halfToNumber } from './tensor-stats.ts';

/**
 * Of a value itself, and of the tensor's largest: the second is several times what rounding makes of it, the first keeps
 * scores honest that stand beside coordinates of hundreds of pixels.
 */
const TOLERANCE = { ofValue: 1e-3, ofLargest: 1e-5 };

/** A picture of noise of the model's own size, the same each time. */
export function noiseImage({ width, height, channels }: ImageInput): RawImage {
  const data = new Uint8Array(width * height * channels);
  let state = 1;
  for (let index = 0; index < data.length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    data[index] = state >>> 24;
  }
  return { width, height, channels: channels as RawImage['channels'], data };
}

/** Whether two tensors hold the same but for rounding. */
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
  // NaN and infinities are near nothing.
  return most <= TOLERANCE.ofLargest * largest;
}
