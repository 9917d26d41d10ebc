/**
 * Which source pixels make an output pixel, along one axis: `count[i]` of them from `first[i]` on, with their weights
 * at `offset[i]` in `weights`.
 */
export interface Spans {
  readonly first: Uint32Array;
  readonly count: Uint32Array;
  readonly offset: Uint32Array;
  readonly weights: Float32Array;
}

/**
 * Answers how many source pixels an output pixel covers. OpenCV computes it from the inverse, which decides the last
 * bit.
 */
export function ratioOf(source: number, target: number): number {
  return 1 / (target / source);
}

/** A smaller overlap with the pixel at either end does not count. */
const LEAST_OVERLAP = 1e-3;

/**
 * Area interpolation, for `target <= source`: a pixel weighs as much as the part of the output pixel that it covers.
 */
export function areaSpans(source: number, target: number): Spans {
  const ratio = ratioOf(source, target);
  const first = new Uint32Array(target);
  const count = new Uint32Array(target);
  const offset = new Uint32Array(target);
  const weights = new Float32Array(source + 2 * target);
  let end = 0;
  for (let i = 0; i < target; i += 1) {
    const from = i * ratio;
    const to = from + ratio;
    const extent = Math.min(ratio, source - from);
    offset[i] = end;
    for (let pixel = Math.floor(from); pixel < to && pixel < source; pixel += 1) {
      const overlap = Math.min(pixel + 1, to) - Math.max(pixel, from);
      if (overlap <= LEAST_OVERLAP) continue;
      if (offset[i] === end) first[i] = pixel;
      weights[end] = Math.min(overlap, extent) / extent;
      end += 1;
    }
    count[i] = end - (offset[i] ?? 0);
  }
  return { first, count, offset, weights };
}

/** Where each output pixel lies between two neighbouring source pixels; used when any axis is scaled up. */
interface Slides {
  readonly first: Uint32Array;
  /** The second pixel's share, from 0 to below 1. The first has the rest. */
  readonly fraction: Float32Array;
}

/**
 * Area interpolation of enlarged images as OpenCV defines it: the first pixel is the one that the output pixel begins
 * in, and the second has a share as far as the output pixel reaches over their border.
 */
export function slides(source: number, target: number): Slides {
  const ratio = ratioOf(source, target);
  const inverse = target / source;
  const first = new Uint32Array(target);
  const fraction = new Float32Array(target);
  for (let i = 0; i < target; i += 1) {
    const pixel = Math.floor(i * ratio);
    const reach = Math.fround(i + 1 - (pixel + 1) * inverse);
    first[i] = pixel;
    fraction[i] = reach <= 0 ? 0 : reach - Math.floor(reach);
  }
  return { first, fraction };
}

/** To the nearest whole number, halves to the even one. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}
