import type { ScreenBox, ScreenLine } from './text-recognizer.ts';

/** A character of a row, with the part of its word's box that it takes. */
export interface Cell {
  readonly char: string;
  readonly box: ScreenBox;
  /** The index in the row of the line in which it was read. */
  readonly piece: number;
}

/** Lines that stand close to each other side by side form one text. */
export interface Row {
  readonly cells: readonly Cell[];
  readonly pieces: readonly ScreenLine[];
}

/** Two lines form a row when the gap between them is at most this many times their height. */
const GAP = 1.5;

const middle = ([, top, , bottom]: ScreenBox): number => (top + bottom) / 2;
const height = ([, top, , bottom]: ScreenBox): number => bottom - top;

/**
 * Puts lines in reading order. A recognizer may split a line of a page where words stand apart, so such lines are
 * joined again.
 */
export function screenRows(lines: readonly ScreenLine[]): Row[] {
  return bands(lines.filter(({ text }) => text.trim() !== '')).flatMap((band) => {
    const rows: ScreenLine[][] = [];
    for (const line of band) {
      const row = rows.at(-1);
      const before = row?.at(-1);
      if (row !== undefined && before !== undefined && adjoins(before.box, line.box)) row.push(line);
      else rows.push([line]);
    }
    return rows.map((pieces) => ({ pieces, cells: cellsOf(pieces) }));
  });
}

/** The whole text for human readers. */
export function readText(lines: readonly ScreenLine[]): string {
  return screenRows(lines)
    .map(({ pieces }) => pieces.map(({ text }) => text.trim()).join(' '))
    .join(' | ');
}

function adjoins(left: ScreenBox, right: ScreenBox): boolean {
  return right[0] - left[2] <= GAP * Math.min(height(left), height(right));
}

/** Groups lines at about the same height on the screen, from the top, and each group from the left. */
function bands(lines: readonly ScreenLine[]): ScreenLine[][] {
  const found: ScreenLine[][] = [];
  for (const line of lines.toSorted((one, other) => middle(one.box) - middle(other.box))) {
    const band = found.at(-1);
    const first = band?.[0];
    const near =
      first !== undefined &&
      middle(line.box) - middle(first.box) <= Math.min(height(line.box), height(first.box)) / 2;
    if (near) band?.push(line);
    else found.push([line]);
  }
  return found.map((band) => band.toSorted((one, other) => one.box[0] - other.box[0]));
}

function cellsOf(pieces: readonly ScreenLine[]): Cell[] {
  const cells: Cell[] = [];
  for (const [piece, line] of pieces.entries()) {
    for (const { text, box } of wordsOf(line)) {
      const before = cells.at(-1);
      if (before !== undefined) cells.push({ char: ' ', box: before.box, piece });
      const chars = Array.from(text);
      const width = (box[2] - box[0]) / chars.length;
      for (const [index, char] of chars.entries()) {
        cells.push({
          char,
          piece,
          box: [box[0] + index * width, box[1], box[0] + (index + 1) * width, box[3]],
        });
      }
    }
  }
  return cells;
}

function wordsOf({ text, box, words }: ScreenLine): readonly { text: string; box: ScreenBox }[] {
  const given = (words ?? []).filter((word) => word.text.trim() !== '');
  if (given.length > 0) return given;
  const width = (box[2] - box[0]) / text.length;
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    text: word,
    box: [box[0] + index * width, box[1], box[0] + (index + word.length) * width, box[3]],
  }));
}
