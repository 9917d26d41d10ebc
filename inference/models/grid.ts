interface Size {
  readonly width: number;
  readonly height: number;
}

/** The strides of YOLOX and of most other detectors. */
export const STRIDES: readonly number[] = [8, 16, 32];
export const NANODET_STRIDES: readonly number[] = [8, 16, 32, 64];
/** Each of a NanoDet box's four sides has bins 0 to 7. */
export const NANODET_BINS = 8;

/** The strides of YOLO heads: usual, for small objects, for large ones, for both, and two levels for tiny models. */
const PYRAMIDS: readonly (readonly number[])[] = [
  STRIDES,
  [4, 8, 16, 32],
  [8, 16, 32, 64],
  [4, 8, 16, 32, 64],
  [16, 32],
];

/** Answers the number of cells of the grids over an input: 8400 for strides 8, 16 and 32 at 640 x 640. */
export function cells({ width, height }: Size, strides: readonly number[] = STRIDES): number {
  return strides.reduce((sum, stride) => sum + Math.ceil(width / stride) * Math.ceil(height / stride), 0);
}

/** Whether a head with one prediction for each cell could have so many. */
export function isCellCount(count: number, size: Size): boolean {
  return PYRAMIDS.some((strides) => cells(size, strides) === count);
}

/** Whether a head with three anchors for each cell could have so many predictions: 25200 at 640 x 640. */
export function isAnchorCount(count: number, size: Size): boolean {
  return PYRAMIDS.some((strides) => 3 * cells(size, strides) === count);
}
