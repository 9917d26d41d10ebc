import { roundHalfEven } from './axis.ts';

/** A sample becomes `(sample * scale - mean) / std`. */
export interface Normalisation {
  readonly scale: number;
  readonly mean: number;
  readonly std: number;
}

/**
 * Answers the value of a sample, with each step rounded to float32, as numpy does it with float32 arrays and
 * parameters.
 */
export function normalised(sample: number, { scale, mean, std }: Normalisation): number {
  const scaled = Math.fround(Math.fround(sample) * Math.fround(scale));
  return Math.fround(Math.fround(scaled - Math.fround(mean)) / Math.fround(std));
}

/** Rounds to the nearest whole number from 0 to 255, halves to the even one. NaN becomes 0. */
export function toUint8(value: number): number {
  return Number.isNaN(value) ? 0 : roundHalfEven(Math.min(Math.max(value, 0), 255));
}

const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);

/** Answers the bits of the IEEE 754 half nearest to a float32, halfway cases to the even one. */
export function toHalf(value: number): number {
  single[0] = value;
  const bits = singleBits[0] ?? 0;
  const sign = (bits >>> 16) & 0x8000;
  const size = Math.abs(value);
  if (Number.isNaN(size)) return 0x7e00;
  // From 65520 on, the nearest value above 65504 would be 65536, which is infinite as a half.
  if (size >= 65_520) return sign | 0x7c00;
  // Steps are 2^-24 wide below 2^-14, and above it 2^-10 of the power of two at or below the value.
  if (size < 2 ** -14) return sign | roundHalfEven(size * 2 ** 24);
  const exponent = ((bits >>> 23) & 0xff) - 127;
  // A mantissa that is rounded up to 2048 carries into the exponent, as it should.
  return sign | (((exponent + 15) << 10) + roundHalfEven(size * 2 ** (10 - exponent)) - 1024);
}
