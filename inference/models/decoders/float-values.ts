import { InferenceError } from '../../common/errors.ts';
import { halfToNumber, type Tensor } from '../../common/tensor.ts';

/** The value of every half-precision number, by its bits. It is made when it is first needed. */
let halves: Float32Array | undefined;

/** The numbers of a tensor as floats; FP16 and FP64 are converted, FP32 is not copied. */
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
