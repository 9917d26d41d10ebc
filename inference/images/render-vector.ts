import { InferenceError } from '../common/errors.ts';
import { colorTable, type ColorMap, type Rgb } from './color-map.ts';
import { DEFAULT_IMAGE_LIMITS } from './probe-image.ts';
import type { RawImage } from './raw-image.ts';
import { inTimeSlices } from './time-slices.ts';

export interface VectorImageOptions {
  /** Cells in a row. Default: what follows from `height`, else what comes nearest to a square. */
  readonly width?: number;
  /** Rows of cells. Default: as many as the values fill. */
  readonly height?: number;
  /** 1: each value is a cell, coloured by the map (default). 3: three values are a cell's red, green and blue. */
  readonly channels?: 1 | 3;
  /** The order of three channels: `chw` plane after plane (default), `hwc` cell after cell. */
  readonly layout?: 'chw' | 'hwc';
  /** Default `gray`. */
  readonly colormap?: ColorMap;
  /** The value of the lowest colour. Default: the smallest finite value. */
  readonly min?: number;
  /** The value of the highest colour. Default: the largest finite value. */
  readonly max?: number;
  /**
   * Pixels along a side of a cell, 1 to 64. Default: as many as give the longer side of the picture at least 256
   * pixels.
   */
  readonly scale?: number;
  readonly maxPixels?: number;
}

/** The colour of a cell whose value is not a number, or lies past the vector's end. */
export const NO_VALUE: Rgb = [255, 0, 255];

const DEFAULT_SIDE = 256;
const MAX_SCALE = 64;

/**
 * Draws a vector row by row from the top left, in three channels of 8 bit. Values between `min` and `max` run evenly
 * through the colours; those outside, and infinite ones, take the colour of the nearer end.
 * @throws {InferenceError} tensor_invalid with the option at fault as field; image_too_large
 */
export async function renderVector(
  values: ArrayLike<number>,
  options: VectorImageOptions = {},
): Promise<RawImage> {
  const channels = options.channels ?? 1;
  const { width, height } = shapeOf(values.length, channels, options);
  const longest = Math.max(width, height);
  const scale = wholeNumber('scale', options.scale, MAX_SCALE) ?? defaultScale(longest);
  const pixels = width * height * scale * scale;
  const allowed = options.maxPixels ?? DEFAULT_IMAGE_LIMITS.maxPixels;
  if (pixels > allowed)
    throw new InferenceError('image_too_large', `The picture would have ${pixels} pixels; at most ${allowed} are allowed`, { field: 'values' }); // prettier-ignore

  const { min, factor } = await rangeOf(values, options);
  const table = colorTable(options.colormap ?? 'gray');
  const cells = width * height;
  // The steps along the values from one channel of a cell to the next, and from one cell to the next.
  const [channelStep, cellStep] =
    channels === 1 ? [0, 1] : options.layout === 'hwc' ? [1, 3] : [Math.ceil(values.length / 3), 1];
  const given = Math.floor(values.length / channels);

  const data = new Uint8Array(pixels * 3);
  const paint = (cell: number, at: number): void => {
    for (let c = 0; c < 3; c += 1) {
      const value = cell < given ? (values[cell * cellStep + c * channelStep] as number) : Number.NaN;
      if (Number.isNaN(value)) {
        for (let part = 0; part < 3; part += 1) data[at + part] = NO_VALUE[part] as number;
        return;
      }
      const step = Math.max(0, Math.min(255, Math.round((value - min) * factor)));
      data[at + c] = channels === 1 ? (table[step * 3 + c] as number) : step;
    }
  };
  const stride = width * scale * 3;
  await inTimeSlices(
    cells / width,
    (begin, end) => {
      for (let row = begin; row < end; row += 1) {
        const top = row * scale * stride;
        for (let column = 0; column < width; column += 1) {
          const at = top + column * scale * 3;
          paint(row * width + column, at);
          for (let copy = 1; copy < scale; copy += 1) data.copyWithin(at + copy * 3, at, at + 3);
        }
        for (let copy = 1; copy < scale; copy += 1) data.copyWithin(top + copy * stride, top, top + stride);
      }
    },
    Math.max(1, Math.floor((1 << 14) / (width * scale))),
  );
  return { width: width * scale, height: height * scale, channels: 3, data };
}

function defaultScale(longest: number): number {
  return Math.min(MAX_SCALE, Math.max(1, Math.ceil(DEFAULT_SIDE / longest)));
}

function invalid(field: string, message: string): InferenceError {
  return new InferenceError('tensor_invalid', message, { field });
}

function wholeNumber(field: string, value: number | undefined, most: number): number | undefined {
  if (value === undefined) return undefined;
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw invalid(field, `${field} must be a whole number from 1 to ${most}`);
  return value;
}

const MAX_SIDE = 65_535;

function shapeOf(
  length: number,
  channels: 1 | 3,
  options: VectorImageOptions,
): { width: number; height: number } {
  if (length === 0) throw invalid('values', 'values must hold at least one number');
  if (length % channels !== 0)
    throw invalid('values', `values holds ${length} numbers, which is no multiple of 3`);
  const cells = length / channels;
  const givenWidth = wholeNumber('width', options.width, MAX_SIDE);
  const givenHeight = wholeNumber('height', options.height, MAX_SIDE);
  if (givenWidth !== undefined && givenHeight !== undefined && givenWidth * givenHeight !== cells)
    throw invalid(
      'values',
      `values holds ${length} numbers; ${givenWidth} x ${givenHeight} with ${channels} channel(s) takes ${givenWidth * givenHeight * channels}`,
    );
  const width = givenWidth ?? Math.ceil(givenHeight === undefined ? Math.sqrt(cells) : cells / givenHeight);
  const height = givenHeight ?? Math.ceil(cells / width);
  if (Math.max(width, height) > MAX_SIDE)
    throw invalid(givenWidth === undefined ? 'height' : 'width', `a side would have over ${MAX_SIDE} cells`);
  return { width, height };
}

/** `(value - min) * factor` is a value's place among the 256 colours. */
async function rangeOf(
  values: ArrayLike<number>,
  options: VectorImageOptions,
): Promise<{ min: number; factor: number }> {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  if (options.min === undefined || options.max === undefined)
    await inTimeSlices(
      values.length,
      (begin, end) => {
        for (let i = begin; i < end; i += 1) {
          const value = values[i] as number;
          if (!Number.isFinite(value)) continue;
          if (value < low) low = value;
          if (value > high) high = value;
        }
      },
      1 << 15,
    );
  const min = options.min ?? (low <= high ? low : 0);
  const max = options.max ?? (low <= high ? high : 1);
  if (!Number.isFinite(min)) throw invalid('min', 'min must be a finite number');
  if (!Number.isFinite(max)) throw invalid('max', 'max must be a finite number');
  if (max < min) throw invalid('max', `max (${max}) must not be below min (${min})`);
  const range = max - min;
  return { min, factor: range > 0 ? 255 / range : 0 };
}
