import { inkOf, type Ink } from './ink.ts';
import type { Area, Pixels } from './pixels.ts';

/** A run of columns with ink, in pixels of the picture; `right` is the first column without ink. */
export interface Stroke {
  readonly left: number;
  readonly right: number;
}

/** An area's pixels: 1 where letters have ink, else 0. */
interface Mask {
  readonly area: Area;
  readonly data: Uint8Array;
}

/** The shape of a text line's ink. */
export interface LineShape {
  /** The first row with ink, and the first row below the ink. */
  readonly top: number;
  readonly bottom: number;
  /** The strokes from the left; at least one column without ink is between two of them. */
  readonly strokes: readonly Stroke[];
  readonly mask: Mask;
}

/** A pixel is ink where its difference is above this part of the largest difference near it. */
const LEAST_INK = 0.3;
/** Smaller differences from the background are no ink. */
const NOISE = 14;
/** Ink that is wider than this many heights of the area is a rule, an underline or an edge, and no letter. */
const RULE = 1.2;

/**
 * Finds the rows and columns of a line's ink. The detector's regions are too coarse for that: they reach into the lines
 * above and below, and join words.
 *
 * @param outer the area to search
 * @param core rows that certainly cross the line's letters
 */
export function lineShape(
  pixels: Pixels,
  outer: Area,
  core: { readonly top: number; readonly bottom: number },
): LineShape | undefined {
  const mask = maskOf(inkOf(pixels, outer), outer, core);
  const shape = shapeOf(mask, core);
  return shape === undefined ? undefined : withoutBar(withoutBar(shape, core, 0), core, -1);
}

function shapeOf(mask: Mask, core: { readonly top: number; readonly bottom: number }): LineShape | undefined {
  const outer = mask.area;
  const width = outer.right - outer.left;
  const rows = rowCounts(mask);
  const from = Math.max(0, core.top - outer.top);
  let anchor = from;
  for (let row = from; row < core.bottom - outer.top; row += 1) {
    if ((rows[row] ?? 0) > (rows[anchor] ?? 0)) anchor = row;
  }
  if ((rows[anchor] ?? 0) === 0) return undefined;
  const top = edge(rows, anchor, -1);
  const bottom = edge(rows, anchor, 1) + 1;
  const strokes: Stroke[] = [];
  for (let x = 0; x < width; x += 1) {
    if (!inked(mask, x, top, bottom)) continue;
    const left = x;
    while (x + 1 < width && inked(mask, x + 1, top, bottom)) x += 1;
    strokes.push({ left: left + outer.left, right: x + 1 + outer.left });
  }
  return { top: top + outer.top, bottom: bottom + outer.top, strokes, mask };
}

/** Removes a thin stroke at an end that is much higher than all others: it is a bar or a frame beside the text. */
function withoutBar(
  shape: LineShape,
  core: { readonly top: number; readonly bottom: number },
  end: 0 | -1,
): LineShape {
  const { mask, strokes } = shape;
  const bar = strokes.at(end);
  const height = shape.bottom - shape.top;
  if (bar === undefined || strokes.length < 2 || bar.right - bar.left > Math.max(3, 0.3 * height))
    return shape;
  const width = mask.area.right - mask.area.left;
  const data = Uint8Array.from(mask.data);
  for (let at = bar.left - mask.area.left; at < data.length; at += width)
    data.fill(0, at, at + bar.right - bar.left);
  const rest = shapeOf({ area: mask.area, data }, core);
  return rest !== undefined && height >= 1.25 * (rest.bottom - rest.top) ? rest : shape;
}

/** Answers the ink of letters, which is strong compared with what is near it, and no part of rules, frames and bars. */
function maskOf(ink: Ink, area: Area, core: { readonly top: number; readonly bottom: number }): Mask {
  const { width, height } = ink;
  const least = leastInk(ink, Math.max(core.top - area.top, 0), Math.min(core.bottom - area.top, height));
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((ink.data[y * width + x] ?? 0) > (least[x] ?? 0)) data[y * width + x] = 1;
    }
  }
  const longest = Math.round(RULE * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const left = x;
      while (x < width && data[y * width + x] === 1) x += 1;
      if (x - left > longest) data.fill(0, y * width + left, y * width + x);
    }
  }
  // Letters leave some of the detector's region free above or below; ink over its whole height is a frame or a bar.
  for (let x = 0; x < width; x += 1) {
    let y = 0;
    while (y < height && data[y * width + x] === 1) y += 1;
    if (y === height) for (y = 0; y < height; y += 1) data[y * width + x] = 0;
  }
  return { area, data };
}

/** Of each column the least difference that is ink, which is a part of the largest within one height to both sides. */
function leastInk({ width, height, data }: Ink, from: number, to: number): Uint8Array {
  const strongest = new Uint8Array(width);
  for (let y = from; y < to; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const value = data[y * width + x] ?? 0;
      if (value > (strongest[x] ?? 0)) strongest[x] = value;
    }
  }
  const least = new Uint8Array(width);
  for (let x = 0; x < width; x += 1) {
    let most = NOISE / LEAST_INK;
    const end = Math.min(width, x + height + 1);
    for (let other = Math.max(0, x - height); other < end; other += 1) {
      const value = strongest[other] ?? 0;
      if (value > most) most = value;
    }
    least[x] = most * LEAST_INK;
  }
  return least;
}

function rowCounts({ area, data }: Mask): Uint32Array {
  const width = area.right - area.left;
  return Uint32Array.from({ length: area.bottom - area.top }, (_, y) => {
    let count = 0;
    for (let at = y * width; at < (y + 1) * width; at += 1) count += data[at] ?? 0;
    return count;
  });
}

/**
 * Finds the last row of the letters, going from `anchor` up (-1) or down (1). An empty row ends them, except for parts
 * that stand apart, such as dots and accents above and underscores below: few rows after a short gap, with an empty
 * row after them.
 */
function edge(rows: Uint32Array, anchor: number, step: -1 | 1): number {
  const filled = (row: number): boolean => (rows[row] ?? 0) > 0;
  const inside = (row: number): boolean => row >= 0 && row < rows.length;
  let last = anchor;
  while (inside(last + step) && filled(last + step)) last += step;
  const body = Math.abs(anchor - last) + 1;
  const gap = Math.max(2, Math.round(body * 0.25));
  let from = last + step;
  while (inside(from) && !filled(from) && Math.abs(from - last) <= gap) from += step;
  if (!inside(from) || !filled(from)) return last;
  let end = from;
  while (inside(end + step) && filled(end + step)) end += step;
  const most = Math.max(2, body * (step < 0 ? 0.4 : 0.2));
  return inside(end + step) && Math.abs(end - from) + 1 <= most ? end : last;
}

function inked({ area, data }: Mask, x: number, top: number, bottom: number): boolean {
  const width = area.right - area.left;
  for (let y = top; y < bottom; y += 1) if (data[y * width + x] === 1) return true;
  return false;
}
