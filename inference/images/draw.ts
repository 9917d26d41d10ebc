import { InferenceError } from '../common/errors.ts';
import type { Box, Detection } from '../common/results.ts';
import { GLYPH, glyphsOf } from './bitmap-font.ts';
import { classColor, inkOn, type Rgb } from './color-map.ts';
import { toRgb } from './convert.ts';
import type { RawImage } from './raw-image.ts';
import { inTimeSlices } from './time-slices.ts';

interface DrawOptions {
  /** Pixels of a box's line, drawn inwards. Default: a 400th of the image's shorter side, at least 1. */
  readonly lineWidth?: number;
  /** Pixels of a dot of the 5 x 8 font. Default: a 480th of the image's shorter side, at least 1. */
  readonly textScale?: number;
  /** Whether labels are written. Default true. */
  readonly labels?: boolean;
  /** Whether scores are written beside the labels. Default true. */
  readonly scores?: boolean;
  /** Whether to draw on the given pixels where they are 8 bit RGB, which saves a copy. Default false. */
  readonly inPlace?: boolean;
}

const MAX_LABEL = 40;
/** A row of more bytes than this is copied from the one above; fewer are written faster than copied. */
const COPY_FROM = 96;

interface Canvas {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Answers the image with its detections drawn on it, in three channels of 8 bit: each has a frame in its class's
 * colour, with label and score on a plate above the frame, or inside it where there is no room. The best score lies on
 * top. Boxes are in the image's pixels.
 * @throws {InferenceError} tensor_invalid for a box that is not finite
 */
export async function drawDetections(
  image: RawImage,
  detections: readonly Pick<Detection, 'box' | 'label' | 'class_id' | 'score'>[],
  options: DrawOptions = {},
): Promise<RawImage> {
  detections.forEach(({ box }, index) => {
    if (box.length !== 4 || !box.every(Number.isFinite))
      throw new InferenceError('tensor_invalid', 'A box must be four finite numbers: x1, y1, x2, y2', {
        field: `detections[${index}].box`,
      });
  });
  const { width, height } = image;
  const drawable = image.channels === 3 && image.data instanceof Uint8Array ? image.data : undefined;
  const data = options.inPlace === true && drawable !== undefined ? drawable : await toRgb(image);
  const canvas: Canvas = { width, height, data };
  const side = Math.min(width, height);
  const line = Math.max(1, Math.round(options.lineWidth ?? side / 400));
  const dot = Math.max(1, Math.round(options.textScale ?? side / 480));
  const order = [...detections].sort((a, b) => a.score - b.score);
  await inTimeSlices(
    order.length,
    (index) => {
      const detection = order[index] as Detection;
      const color = classColor(detection.class_id);
      frame(canvas, detection.box, line, color);
      if (options.labels !== false || options.scores !== false)
        plate(canvas, detection.box, captionOf(detection, options), dot, color);
    },
    1,
  );
  return { width, height, channels: 3, data };
}

function captionOf({ label, score }: Pick<Detection, 'label' | 'score'>, options: DrawOptions): string {
  const name = Array.from(label).slice(0, MAX_LABEL).join('');
  const parts = [options.labels === false ? '' : name, options.scores === false ? '' : score.toFixed(2)];
  return parts.filter((part) => part !== '').join(' ');
}

/** Fills the rectangle from `x1, y1` to before `x2, y2`, as far as it lies inside the image. */
function fill(canvas: Canvas, x1: number, y1: number, x2: number, y2: number, color: Rgb): void {
  const left = Math.max(0, x1);
  const right = Math.min(canvas.width, x2);
  const top = Math.max(0, y1);
  const bottom = Math.min(canvas.height, y2);
  if (left >= right || top >= bottom) return;
  const { data } = canvas;
  const stride = canvas.width * 3;
  const first = top * stride + left * 3;
  const length = (right - left) * 3;
  const written = length <= COPY_FROM ? bottom : top + 1;
  for (let y = top; y < written; y += 1) {
    const begin = first + (y - top) * stride;
    for (let at = begin; at < begin + length; at += 3) {
      data[at] = color[0];
      data[at + 1] = color[1];
      data[at + 2] = color[2];
    }
  }
  for (let y = written; y < bottom; y += 1)
    data.copyWithin(first + (y - top) * stride, first, first + length);
}

/** Answers a box's corners in whole pixels, at most one outside the image. A frame has at least one pixel. */
function corners(canvas: Canvas, box: Box): [x1: number, y1: number, x2: number, y2: number] {
  const within = (value: number, most: number): number => Math.max(-1, Math.min(most + 1, Math.round(value)));
  const x1 = within(Math.min(box[0], box[2]), canvas.width);
  const y1 = within(Math.min(box[1], box[3]), canvas.height);
  const x2 = within(Math.max(box[0], box[2]), canvas.width);
  const y2 = within(Math.max(box[1], box[3]), canvas.height);
  return [x1, y1, Math.max(x2, x1 + 1), Math.max(y2, y1 + 1)];
}

function frame(canvas: Canvas, box: Box, line: number, color: Rgb): void {
  const [x1, y1, x2, y2] = corners(canvas, box);
  fill(canvas, x1, y1, x2, Math.min(y2, y1 + line), color);
  fill(canvas, x1, Math.max(y1, y2 - line), x2, y2, color);
  fill(canvas, x1, y1, Math.min(x2, x1 + line), y2, color);
  fill(canvas, Math.max(x1, x2 - line), y1, x2, y2, color);
}

function plate(canvas: Canvas, box: Box, caption: string, dot: number, color: Rgb): void {
  if (caption === '') return;
  const glyphs = glyphsOf(caption);
  const [x1, y1] = corners(canvas, box);
  const width = (glyphs.length * GLYPH.advance + 1) * dot;
  const height = (GLYPH.height + 1) * dot;
  const left = Math.max(0, Math.min(x1, canvas.width - width));
  const top = y1 >= height ? y1 - height : Math.max(0, y1);
  fill(canvas, left, top, left + width, top + height, color);
  const ink = inkOn(color);
  glyphs.forEach((rows, index) => {
    const x = left + (index * GLYPH.advance + 1) * dot;
    rows.forEach((bits, row) => {
      const y = top + (row + 1) * dot;
      for (let column = 0; column < GLYPH.width; column += 1)
        if (((bits >> (GLYPH.width - 1 - column)) & 1) === 1)
          fill(canvas, x + column * dot, y, x + (column + 1) * dot, y + dot, ink);
    });
  });
}
