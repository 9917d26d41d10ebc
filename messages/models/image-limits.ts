import { isNewer } from './model-name.ts';

/** The largest picture that a model takes as it is. The API scales larger ones down before the model sees them. */
export interface ImageLimits {
  /** Pixels of the longer side. */
  readonly long_edge: number;
  /** Patches of 28 by 28 pixels, partial ones included. Each is one token of the model's input. */
  readonly tokens: number;
}

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const OLDER: ImageLimits = { long_edge: 1568, tokens: 1568 };
const NEWER: ImageLimits = { long_edge: 2576, tokens: 4784 };
/** In a request with more pictures than this, no picture may have a longer side than `MANY_EDGE`. */
export const MANY_PICTURES = 20;
export const MANY_EDGE = 2000;
const PATCH = 28;

/**
 * The documented limits by a model's name: 2576 pixels and 4784 tokens from Claude 4.7 on, and 1568 of both for earlier
 * and for unknown models.
 */
export function imageLimitsOf(model: string): ImageLimits {
  return isNewer(model) ? NEWER : OLDER;
}

/** The limits for a request with this number of pictures. */
export function limitsForMany(limits: ImageLimits, pictures: number): ImageLimits {
  if (pictures <= MANY_PICTURES || limits.long_edge <= MANY_EDGE) return limits;
  return { ...limits, long_edge: MANY_EDGE };
}

/** The tokens of a picture that is not scaled: its patches, partial ones included. */
export function patchesOf({ width, height }: Size): number {
  return Math.ceil(width / PATCH) * Math.ceil(height / PATCH);
}

/**
 * The largest size of the same shape within the limits, which is the size itself where that fits. At 1568 and 1568 this
 * gives the documented table: 1092 x 1092, 896 x 1344, 819 x 1456, 784 x 1568.
 */
export function fittedSize(size: Size, limits: ImageLimits): Size {
  const fits = (candidate: Size): boolean =>
    Math.max(candidate.width, candidate.height) <= limits.long_edge && patchesOf(candidate) <= limits.tokens;
  if (fits(size)) return size;
  const long = Math.max(size.width, size.height);
  let low = 1;
  let high = Math.min(long, limits.long_edge);
  // A longer edge never needs fewer patches, so bisection finds the largest edge that fits.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(scaledTo(size, middle))) low = middle;
    else high = middle - 1;
  }
  return scaledTo(size, low);
}

function scaledTo({ width, height }: Size, edge: number): Size {
  const ratio = edge / Math.max(width, height);
  return {
    width: Math.max(1, roundHalfEven(width * ratio)),
    height: Math.max(1, roundHalfEven(height * ratio)),
  };
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
