import type { TextLine } from '../common/results.ts';
import { settleForms } from './letter-forms.ts';
import type { LineShape, Stroke } from './line-shape.ts';
import { splitWords, type Placed } from './spacing.ts';

/** Strokes this far apart, as a part of the ink's height, belong to two lines side by side. */
const APART = 1.6;

/** Divides a region's ink where columns, buttons or menus stand side by side. */
export function sideBySide(shape: LineShape): LineShape[] {
  const groups: Stroke[][] = [];
  let right = -Infinity;
  for (const stroke of shape.strokes) {
    if (stroke.left - right > APART * (shape.bottom - shape.top)) groups.push([]);
    groups.at(-1)?.push(stroke);
    right = stroke.right;
  }
  return groups.map((strokes) => ({ ...shape, strokes }));
}

/** Answers the line that these characters make on this ink; undefined where there are none. */
export function lineOf(placed: readonly Placed[], shape: LineShape): TextLine | undefined {
  const split = splitWords(placed, shape);
  const settled = settleForms(
    split.map(({ characters }) => characters),
    shape,
  );
  const letters = split.flatMap(({ characters }) => characters);
  const words = split.map(({ characters, left, right }, at) => ({
    text: (settled[at] ?? characters).map(({ text }) => text).join(''),
    box: [left, shape.top, right, shape.bottom] as const,
  }));
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const [x1, y1, x2, y2] = [first.box[0], shape.top, last.box[2], shape.bottom];
  return {
    text: words.map(({ text }) => text).join(' '),
    score: letters.reduce((sum, { probability }) => sum + probability, 0) / letters.length,
    box: [x1, y1, x2, y2],
    polygon: [
      [x1, y1],
      [x2, y1],
      [x2, y2],
      [x1, y2],
    ],
    words,
  };
}

/**
 * Sorts by rows from the top, and in a row from the left. Lines are in one row where their middles are within half a
 * height.
 */
export function readingOrder(lines: readonly TextLine[]): TextLine[] {
  const middle = ({ box }: TextLine): number => (box[1] + box[3]) / 2;
  const height = ({ box }: TextLine): number => box[3] - box[1];
  const rows: TextLine[][] = [];
  for (const line of lines.toSorted((a, b) => middle(a) - middle(b) || a.box[0] - b.box[0])) {
    const row = rows.at(-1);
    const first = row?.[0];
    const near =
      first !== undefined && middle(line) - middle(first) < Math.min(height(first), height(line)) / 2;
    if (row !== undefined && near) row.push(line);
    else rows.push([line]);
  }
  return rows.flatMap((row) => row.toSorted((a, b) => a.box[0] - b.box[0]));
}
