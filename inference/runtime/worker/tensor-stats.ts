import type { TensorStats } from '../../common/results.ts';
import { halfToNumber, type Tensor } from '../../common/tensor.ts';

/**
 * The smallest, largest and mean value. All are 0 for texts and where there are no values, and NaN where one is NaN.
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
