import { isNewer } from './model-name.ts';

/** The largest picture that a model takes as it is; a larger one is scaled down before the model sees it. */
export interface ImageLimits {
  /** Pixels of the longer side. */
  readonly long_edge: number;
  /** Patches of 28 by 28 pixels, each one token of the model's input; begun ones count. */
  readonly tokens: number;
}

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const OLDER: ImageLimits = { long_edge: 1568, tokens: 1568 };
const NEWER: ImageLimits = { long_edge: 2576, tokens: 4784 };
/** A request with more pictures than this takes none with a longer side than `MANY_EDGE`. */
export const MANY_PICTURES = 20;
export const MANY_EDGE = 2000;
const PATCH = 28;

/**
 * The documented limits by a model's name: 2576 pixels and 4784 tokens from Claude 4.7 on,
 * 1568 of both before, and for models that are not known.
 */
export function imageLimitsOf(model: string): ImageLimits {
  return isNewer(model) ? NEWER : OLDER;
}

/** The limits for a request with so many pictures. */
export function limitsForMany(limits: ImageLimits, pictures: number): ImageLimits {
  if (pictures <= MANY_PICTURES || limits.long_edge <= MANY_EDGE) return limits;
  return { ...limits, long_edge: MANY_EDGE };
}

/** Tokens of a picture that is not scaled: patches, begun ones counted. */
export function patchesOf({ width, height }: Size): number {
  return Math.ceil(width / PATCH) * Math.ceil(height / PATCH);
}

/**
 * The largest size of the same shape within the limits; the size itself where it keeps them. At 1568 and 1568 this gives
 * the documented table: 1092 x 1092, 896 x 1344, 819 x 1456, 784 x 1568.
 */
export function fittedSize(size: Size, limits: ImageLimits): Size {
  const fits = (candidate: Size): boolean =>
    Math.max(candidate.width, candidate.height) <= limits.long_edge && patchesOf(candidate) <= limits.tokens;
  if (fits(size)) return size;
  const long = Math.max(size.width, size.height);
  let low = 1;
  let high = Math.min(long, limits.long_edge);
  // Patches never fall as the edge grows, so the largest edge that fits is found by halving.
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
