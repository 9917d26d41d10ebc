import { InferenceError } from '../../common/errors.ts';
import type { Tensor } from '../../common/tensor.ts';

/** The numbers of a tensor as floats; FP16 and FP64 are converted, FP32 is not copied. */
export function floatsOf({ name, datatype, data }: Tensor): Float32Array {
  if (datatype === 'FP32') return data as Float32Array;
  if (datatype === 'FP16') {
    const bits = data as Uint16Array;
    halves ??= halfTable();
    const values = new Float32Array(bits.length);
    for (let at = 0; at < bits.length; at += 1) values[at] = halves[bits[at] ?? 0] ?? 0;
    return values;
  }
  if (datatype === 'BYTES')
    throw new InferenceError('inference_failed', `output "${name}" holds texts, not numbers`);
  return Float32Array.from(data as ArrayLike<number | bigint>, Number);
}

/** The value of every half-precision number, by its bits; made when first needed. */
let halves: Float32Array | undefined;

function halfTable(): Float32Array {
  return Float32Array.from({ length: 65_536 }, (_, bits) => {
    const sign = bits < 0x8000 ? 1 : -1;
    const exponent = (bits >> 10) & 0x1f;
    const fraction = bits & 0x3ff;
    if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
    return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
  });
}
