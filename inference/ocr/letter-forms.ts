import type { LineShape } from './line-shape.ts';
import type { Placed } from './spacing.ts';

/** Letters whose capital and small forms differ in height alone. */
const SAME_FORM = /[cosuvwxzCOSUVWXZ]/;
const TALL = /[ABDEFGHKLMNPQRTYbdfhkl0-9]/;
const SHORT = /[aemnrgpqy]/;

/**
 * Decides what the recogniser cannot, because it sees every line at one height: `c` or `C` by the height of its ink
 * beside that of letters with a single height, and zero or `O`, `l` or `I` by the letters around them.
 */
export function settleForms(words: readonly (readonly Placed[])[], shape: LineShape): Placed[][] {
  const line = words.flat();
  const tops = line.map((letter, at) => topOf(shape, letter, line[at - 1], line[at + 1]));
  const tall = median(tops.filter((_, at) => TALL.test(line[at]?.text ?? '')));
  const short = median(tops.filter((_, at) => SHORT.test(line[at]?.text ?? '')));
  let index = 0;
  return words.map((word) => {
    const cased = word.map((letter) => {
      const top = tops[index];
      index += 1;
      const other = otherCase(letter.text);
      // Only a doubtful case is decided anew, because the letters' columns are known roughly.
      if (top === undefined || !((letter.others[other] ?? 0) >= 0.02)) return letter;
      return { ...letter, text: byHeight(letter.text, top, tall, short, shape) };
    });
    return cased.map((letter, at) => ({ ...letter, text: inContext(cased, at) }));
  });
}

function byHeight(
  text: string,
  top: number,
  tall: number | undefined,
  short: number | undefined,
  shape: LineShape,
): string {
  if (!SAME_FORM.test(text)) return text;
  // Small letters are about three quarters as high as capitals.
  const height = shape.bottom - shape.top;
  const border =
    tall !== undefined && short !== undefined && short - tall >= 0.1 * height
      ? (tall + short) / 2
      : tall === undefined
        ? undefined
        : tall + 0.12 * height;
  if (border === undefined) return text;
  return top < border ? text.toUpperCase() : text.toLowerCase();
}

function otherCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

/** Finds the first row with ink in this letter's columns; undefined where it has no columns of its own. */
function topOf(
  { mask, top, bottom }: LineShape,
  letter: Placed,
  before: Placed | undefined,
  after: Placed | undefined,
): number | undefined {
  const reach = 0.22 * (bottom - top);
  const left = Math.max(letter.x - reach, before === undefined ? -Infinity : (before.x + letter.x) / 2);
  const right = Math.min(letter.x + reach, after === undefined ? Infinity : (after.x + letter.x) / 2);
  const width = mask.area.right - mask.area.left;
  const [from, to] = [
    Math.max(0, Math.round(left) - mask.area.left),
    Math.min(width, Math.round(right) - mask.area.left),
  ];
  for (let y = top - mask.area.top; y < bottom - mask.area.top; y += 1) {
    for (let x = from; x < to; x += 1) if (mask.data[y * width + x] === 1) return y + mask.area.top;
  }
  return undefined;
}

function inContext(word: readonly Placed[], at: number): string {
  const text = word[at]?.text ?? '';
  const before = word[at - 1]?.text ?? '';
  const after = word[at + 1]?.text ?? '';
  const letter = (one: string): boolean => /[A-Za-z]/.test(one);
  if (text === '0' && (letter(before) || letter(after)) && !/[1-9]/.test(before + after)) {
    const digits = word.filter(({ text: one }) => /[1-9]/.test(one)).length;
    if (digits === 0 && !(at === 0 && after === 'x')) return 'O';
  }
  if (/[Oo]/.test(text) && /\d/.test(before + after) && !letter(before) && !letter(after)) return '0';
  if (text === 'I' && letter(before) && /[a-z]/.test(after)) return 'l';
  if (
    text === 'l' &&
    !letter(before) &&
    /[bcdfghjkmnpqrtvwxz]/.test(after) &&
    word[at]?.others['I'] !== undefined
  )
    return 'I';
  return text;
}

function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).toSorted((a, b) => a - b);
  return known[known.length >> 1];
}
