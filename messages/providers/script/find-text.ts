import { screenRows, type Cell, type Row } from './screen-rows.ts';
import type { ScreenBox, ScreenLine } from './text-recognizer.ts';

/** The degrees of equality between texts, strictest first. */
const EXACTNESS = ['exact', 'case', 'spaces', 'near'] as const;
type Exactness = (typeof EXACTNESS)[number];

export interface Match {
  /** The text as it was read. */
  readonly text: string;
  /** The whole line or lines that it stands in, as they were read. */
  readonly line: string;
  readonly box: ScreenBox;
  /** The box with adjoining punctuation, such as a label's colon. */
  readonly span: ScreenBox;
  readonly exactness: Exactness;
  /** Whether there is only punctuation beside it in its line. */
  readonly isWholeLine: boolean;
}

/** A character to compare, and the cells (from, up to) that it stands for. */
interface Unit {
  readonly char: string;
  readonly from: number;
  readonly to: number;
}

type Range = readonly [from: number, to: number];

const WORD = /[\p{L}\p{N}]/u;
const DIGIT = /\p{N}/u;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const isWord = (char: string | undefined): boolean =>
  char !== undefined && WORD.test(char) && !UNSPACED.test(char);

/** Maps each group of similar characters in lower case to one of them. */
const LOOKALIKES: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', i: 'l', '|': 'l' };
/** Too many words differ in one letter from a text with fewer letters. */
const LETTERS_FOR_AN_EDIT = 5;
/** A text cursor at the end or the beginning of a word is read as one of these. */
const STROKES: ReadonlySet<string> = new Set(['l', 'I', '|', '[', ']']);
const LETTERS_FOR_A_CURSOR = 3;

/**
 * Finds a text on the screen. The result holds the matches of the strictest exactness that has any: whole lines first,
 * then in reading order. A match begins and ends at the bounds of words and lies within one row.
 *
 * - `exact`: the same words in the same case;
 * - `case`: the case differs, or a character's form does (a full-width colon);
 * - `spaces`: the spaces differ too, which recognition often loses;
 * - `near`: lookalikes (0 and O; 1, l and I; rn and m) are taken for each other, and in a text of five letters and more
 * one
 *   letter may be another, or be missing or too many inside a word. Digits never differ. In a text of three letters and
 *   more, a stroke at the end or the beginning of a word may be the text cursor.
 */
export function findText(lines: readonly ScreenLine[], wanted: string): Match[] {
  const rows = screenRows(lines);
  for (const exactness of EXACTNESS) {
    const matches = rows.flatMap((row) =>
      ranges(row.cells, wanted, exactness).map((range) => toMatch(row, range, exactness)),
    );
    if (matches.length === 0) continue;
    return [
      ...matches.filter(({ isWholeLine }) => isWholeLine),
      ...matches.filter(({ isWholeLine }) => !isWholeLine),
    ];
  }
  return [];
}

function units(chars: readonly string[], exactness: Exactness): Unit[] {
  const plain = chars.map((char, index): Unit => ({ char, from: index, to: index + 1 }));
  if (exactness === 'exact') return plain;
  const folded = plain.flatMap((unit) =>
    Array.from(unit.char.normalize('NFKC').toLowerCase(), (char) => ({ ...unit, char })),
  );
  if (exactness === 'case') return folded;
  const dense = folded.filter(({ char }) => char.trim() !== '');
  return exactness === 'spaces' ? dense : alike(dense);
}

function alike(from: readonly Unit[]): Unit[] {
  const found: Unit[] = [];
  for (const unit of from) {
    const before = found.at(-1);
    if (unit.char === 'n' && before?.char === 'r')
      found[found.length - 1] = { ...before, char: 'm', to: unit.to };
    else found.push({ ...unit, char: LOOKALIKES[unit.char] ?? unit.char });
  }
  return found;
}

function ranges(cells: readonly Cell[], wanted: string, exactness: Exactness): Range[] {
  const chars = cells.map(({ char }) => char);
  const sought = Array.from(wanted.trim().replaceAll(/\s+/g, ' '));
  const letters = sought.filter((char) => /\p{L}/u.test(char)).length;
  const spell = (from: readonly string[], as: Exactness): Spelling => ({
    units: units(from, as),
    chars: from,
  });
  const within = (as: Exactness, slack: 0 | 1) => (): Range[] =>
    search(spell(chars, as), spell(sought, as), slack === 0 ? isEqual : isOneEdit, slack);
  const ways = [within(exactness, 0)];
  if (exactness === 'near' && letters >= LETTERS_FOR_A_CURSOR)
    ways.push(() => search(spell(chars, 'spaces'), spell(sought, 'spaces'), isEqual, 0, standsBesideCursor));
  if (exactness === 'near' && letters >= LETTERS_FOR_AN_EDIT)
    ways.push(within('spaces', 1), within('near', 1));
  for (const way of ways) {
    const found = way();
    if (found.length > 0) return found;
  }
  return [];
}

/** A text as units, and the characters that they stand for. */
interface Spelling {
  readonly units: readonly Unit[];
  readonly chars: readonly string[];
}

/** Finds ranges that equal a text and do not overlap. They may be longer or shorter than the text by `slack` units. */
function search(
  text: Spelling,
  wanted: Spelling,
  equal: (one: Spelling, other: Spelling) => boolean,
  slack: number,
  alone: (chars: readonly string[], range: Range) => boolean = standsAlone,
): Range[] {
  const found: Range[] = [];
  const size = wanted.units.length;
  for (let start = 0; start < text.units.length; start += 1) {
    for (const length of slack === 0 ? [size] : [size, size - slack, size + slack]) {
      const window = text.units.slice(start, start + length);
      const range: Range = [window[0]?.from ?? 0, window.at(-1)?.to ?? 0];
      if (length === 0 || window.length !== length || !alone(text.chars, range)) continue;
      if (found.some(([from, to]) => range[0] < to && from < range[1])) continue;
      if (equal({ units: window, chars: text.chars }, wanted)) found.push(range);
    }
  }
  return found;
}

function isEqual(one: Spelling, other: Spelling): boolean {
  return one.units.every(({ char }, index) => char === other.units[index]?.char);
}

/** Whether a range neither begins nor ends inside a word. */
function standsAlone(chars: readonly string[], [from, to]: Range): boolean {
  const startsInside = isWord(chars[from]) && isWord(chars[from - 1]);
  const endsInside = isWord(chars[to - 1]) && isWord(chars[to]);
  return !startsInside && !endsInside;
}

/** Like `standsAlone`, but ignores a stroke at either end. */
function standsBesideCursor(chars: readonly string[], [from, to]: Range): boolean {
  const begin = STROKES.has(chars[from - 1] ?? '') ? from - 1 : from;
  const end = STROKES.has(chars[to] ?? '') ? to + 1 : to;
  return !isWord(chars[begin - 1]) && !isWord(chars[end]);
}

function isOneEdit(one: Spelling, other: Spelling): boolean {
  const [short, long] = one.units.length <= other.units.length ? [one, other] : [other, one];
  let same = 0;
  while (same < short.units.length && short.units[same]?.char === long.units[same]?.char) same += 1;
  const extra = long.units.length - short.units.length;
  const rest = short.units.slice(extra === 0 ? same + 1 : same);
  const isRestSame = rest.every(({ char }, index) => char === long.units[same + 1 + index]?.char);
  if (!isRestSame) return false;
  if (extra === 0) return !isDigit(short, same) && !isDigit(long, same);
  // One more letter at a word's end makes another word: Save and Saved.
  const unit = long.units[same];
  return (
    unit !== undefined &&
    !isDigit(long, same) &&
    isWord(long.chars[unit.from - 1]) &&
    isWord(long.chars[unit.to])
  );
}

function isDigit({ units: all, chars }: Spelling, index: number): boolean {
  const unit = all[index];
  return unit !== undefined && chars.slice(unit.from, unit.to).some((char) => DIGIT.test(char));
}

function toMatch({ cells, pieces }: Row, [from, to]: Range, exactness: Exactness): Match {
  const own = cells.slice(from, to);
  const first = own[0]?.piece ?? 0;
  const last = own.at(-1)?.piece ?? first;
  const beside = [...cells.slice(0, from), ...cells.slice(to)].filter(
    ({ piece }) => piece >= first && piece <= last,
  );
  const touches = ({ char = ' ', piece }: Partial<Cell>): boolean =>
    char !== ' ' && !WORD.test(char) && (piece === first || piece === last);
  let [start, end] = [from, to];
  while (touches(cells[start - 1] ?? {})) start -= 1;
  while (touches(cells[end] ?? {})) end += 1;
  return {
    text: own.map(({ char }) => char).join(''),
    line: pieces
      .slice(first, last + 1)
      .map(({ text }) => text.trim())
      .join(' '),
    box: around(own),
    span: around(cells.slice(start, end)),
    exactness,
    isWholeLine: !beside.some(({ char }) => WORD.test(char)),
  };
}

function around(cells: readonly Cell[]): ScreenBox {
  const boxes = cells.filter(({ char }) => char !== ' ').map(({ box }) => box);
  return [
    Math.min(...boxes.map(([left]) => left)),
    Math.min(...boxes.map(([, top]) => top)),
    Math.max(...boxes.map(([, , right]) => right)),
    Math.max(...boxes.map(([, , , bottom]) => bottom)),
  ];
}
