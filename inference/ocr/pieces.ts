import { LINE_HEIGHT } from './line-tensor.ts';
import type { LineShape, Stroke } from './line-shape.ts';
import type { Area } from './pixels.ts';

/** A part of a line, which is recognised in one run. */
export interface Piece {
  readonly area: Area;
  /** Columns of the recogniser's input that the area fills. */
  readonly used: number;
  /** Columns of the recogniser's input. There are few widths, because every new shape takes memory. */
  readonly width: number;
}

/** The recogniser takes least time for a column at about this width. Wider inputs do not fit into the cache. */
const BEST_WIDTH = 320;
const WIDTH_STEP = 32;
/** Free space around the ink, as parts of its height. */
const MARGIN_Y = 0.25;
const MARGIN_X = 0.25;
/** The least height of a piece, as a part of the detector's region: low letters by themselves are not enlarged. */
const LEAST = 0.8;
/**
 * Columns of a letter on average, space included. Wider letters are narrowed to it, down to a limit: they then take
 * less time and are read as well.
 */
const LETTER_WIDTH = 21;
const MOST_NARROWED = 0.9;
/** There is certainly a space between strokes this far apart, as a part of the line's height. */
const SURE_SPACE = 0.5;

/**
 * Cuts a line at its spaces into pieces of about the best width.
 * @param region the height of the detector's region
 */
export function piecesOf(
  shape: LineShape,
  region: number,
  picture: { readonly width: number; readonly height: number },
): Piece[] {
  const ink = shape.bottom - shape.top;
  const height = Math.max(
    Math.round(ink * (1 + 2 * MARGIN_Y)),
    ink + 2,
    Math.round(Math.round(region / 4) * 4 * LEAST),
  );
  const above = Math.floor((height - ink) / 2);
  const top = Math.max(0, shape.top - above);
  const bottom = Math.min(picture.height, top + height);
  const margin = Math.max(2, Math.round(ink * MARGIN_X));
  const scale = LINE_HEIGHT / (bottom - top);
  const narrowed = narrowing(shape.strokes, scale);
  const widest = BEST_WIDTH / (scale * narrowed) - 2 * margin;
  return grouped(shape.strokes, ink * SURE_SPACE, widest).map(({ left, right }) => {
    const area = {
      left: Math.max(0, left - margin),
      right: Math.min(picture.width, right + margin),
      top,
      bottom,
    };
    const used = Math.max(1, Math.round((area.right - area.left) * scale * narrowed));
    return { area, used, width: Math.ceil(used / WIDTH_STEP) * WIDTH_STEP };
  });
}

/**
 * Answers the factor that letters are narrowed by, in tenths, so that a line keeps it when one of its words changes.
 */
function narrowing(strokes: readonly Stroke[], scale: number): number {
  const [first, last] = [strokes[0], strokes.at(-1)];
  if (first === undefined || last === undefined) return 1;
  const letter = ((last.right - first.left) / strokes.length) * scale;
  return Math.min(1, Math.max(MOST_NARROWED, Math.round((10 * LETTER_WIDTH) / letter) / 10));
}

/** Joins strokes from the left, until the next word no longer fits. */
function grouped(strokes: readonly Stroke[], space: number, widest: number): Stroke[] {
  const words: Stroke[] = [];
  for (const stroke of strokes) {
    const last = words.at(-1);
    if (last === undefined || stroke.left - last.right >= space) words.push(stroke);
    else words[words.length - 1] = { left: last.left, right: stroke.right };
  }
  const groups: Stroke[] = [];
  for (const word of words) {
    const last = groups.at(-1);
    if (last === undefined || word.right - last.left > widest) groups.push(word);
    else groups[groups.length - 1] = { left: last.left, right: word.right };
  }
  return groups;
}
