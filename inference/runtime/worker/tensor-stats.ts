import type { TensorStats } from '../../common/results.ts';
import type { Tensor } from '../../common/tensor.ts';

/** The figures of a tensor's values; of texts, and of no values at all, they are 0. NaN makes all three NaN. */
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

/** The number that 16 bits mean as IEEE 754 half precision. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
