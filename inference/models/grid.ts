interface Size {
  readonly width: number;
  readonly height: number;
}

/** Of YOLOX, and of most other detectors. */
export const STRIDES: readonly number[] = [8, 16, 32];
export const NANODET_STRIDES: readonly number[] = [8, 16, 32, 64];
/** Bins 0 to 7 for each of a NanoDet box's four sides. */
export const NANODET_BINS = 8;

/** Pyramids that YOLO heads come with: usual, for small objects, for large ones, both, and two levels for tiny models. */
const PYRAMIDS: readonly (readonly number[])[] = [
  STRIDES,
  [4, 8, 16, 32],
  [8, 16, 32, 64],
  [4, 8, 16, 32, 64],
  [16, 32],
];

/** How many cells a pyramid of grids has over an input: 8400 for strides 8, 16, 32 at 640 x 640. */
export function cells({ width, height }: Size, strides: readonly number[] = STRIDES): number {
  return strides.reduce((sum, stride) => sum + Math.ceil(width / stride) * Math.ceil(height / stride), 0);
}

/** Whether a head with one prediction a cell could have so many. */
export function isCellCount(count: number, size: Size): boolean {
  return PYRAMIDS.some((strides) => cells(size, strides) === count);
}

/** Whether a head with three anchors a cell could have so many predictions: 25200 at 640 x 640. */
export function isAnchorCount(count: number, size: Size): boolean {
  return PYRAMIDS.some((strides) => 3 * cells(size, strides) === count);
}
