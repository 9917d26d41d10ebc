import { roundHalfEven } from './axis.ts';

/** What a sample becomes: `(sample * scale - mean) / std`. */
export interface Normalisation {
  readonly scale: number;
  readonly mean: number;
  readonly std: number;
}

/** Each step rounded to float32, as numpy does with a float32 array and parameters of float32. */
export function normalised(sample: number, { scale, mean, std }: Normalisation): number {
  const scaled = Math.fround(Math.fround(sample) * Math.fround(scale));
  return Math.fround(Math.fround(scaled - Math.fround(mean)) / Math.fround(std));
}

/** To the nearest whole number, halves to the even one, within 0 and 255; what is no number is 0. */
export function toUint8(value: number): number {
  return Number.isNaN(value) ? 0 : roundHalfEven(Math.min(Math.max(value, 0), 255));
}

const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);

/** The bits of the IEEE 754 half nearest to a float32, halfway cases to the even one. */
export function toHalf(value: number): number {
  single[0] = value;
  const bits = singleBits[0] ?? 0;
  const sign = (bits >>> 16) & 0x8000;
  const size = Math.abs(value);
  if (Number.isNaN(size)) return 0x7e00;
  // From 65520 on, the nearest step above 65504 would be 65536: infinite.
  if (size >= 65_520) return sign | 0x7c00;
  // Below 2^-14 all steps are 2^-24 wide; above, 2^-10 of the power of two at or below the value.
  if (size < 2 ** -14) return sign | roundHalfEven(size * 2 ** 24);
  const exponent = ((bits >>> 23) & 0xff) - 127;
  // A mantissa rounded up to 2048 carries into the exponent, which is what it should do.
  return sign | (((exponent + 15) << 10) + roundHalfEven(size * 2 ** (10 - exponent)) - 1024);
}
