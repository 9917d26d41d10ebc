import type { LineShape, Stroke } from './line-shape.ts';

/** A character and its centre in pixels of the picture. */
export interface Placed {
  readonly text: string;
  readonly probability: number;
  readonly x: number;
  readonly others: Readonly<Record<string, number>>;
}

/** The characters between two spaces, and the columns of their ink. */
interface PlacedWord {
  readonly characters: readonly Placed[];
  readonly left: number;
  readonly right: number;
}

const ASCENDER = /[A-Zbdfhklt0-9(){}[\]/\\|$#%&@!?'"€£]/;
const DESCENDER = /[gjpqy()[\]{}|/\\@$;,Q]/;
const NARROW = /[ilIj1.,:;'!|()[\]]/;
const WIDE = /[mwMW@%]/;
const FIGURE = /[0-9.,:/-]/;

/**
 * Matches characters with ink and separates words. The recogniser misses many spaces between Latin words, but the gaps
 * in the ink show them: a space is wider than the gap between two letters. How much wider depends on the font's size,
 * which follows from the letters, and on whether the font is monospaced.
 */
export function splitWords(placed: readonly Placed[], shape: LineShape): PlacedWord[] {
  const { strokes } = shape;
  const letters = placed.filter(({ text }) => text !== ' ');
  const first = strokes[0];
  const last = strokes.at(-1);
  if (first === undefined || last === undefined || letters.length === 0) return [];
  const spaced = modelSpaces(placed);
  const em = (shape.bottom - shape.top) / emHeight(letters.map(({ text }) => text).join(''));
  const pitch = monospacePitch(strokes, em);
  const gaps = new Map<number, Stroke>();
  for (const [index, stroke] of strokes.entries()) {
    const next = strokes[index + 1];
    if (next === undefined || next.left - stroke.right < 0.12 * em) continue;
    const gap = { left: stroke.right, right: next.left };
    const at = placeOf(gap, letters, spaced, em);
    const other = gaps.get(at);
    // The last one counts of the gaps before the first letter, and the first one of those after the last letter.
    const better =
      other === undefined || at === -1 || (at < letters.length - 1 && widthOf(gap) > widthOf(other));
    if (better) gaps.set(at, gap);
  }
  const words: PlacedWord[] = [];
  let characters: Placed[] = [];
  let left = gaps.get(-1)?.right ?? first.left;
  for (const [at, letter] of letters.entries()) {
    characters.push(letter);
    const gap = gaps.get(at);
    const after = letters[at + 1];
    if (after !== undefined) {
      if (gap === undefined || !isSpace(gap, letter, after, spaced.has(at), em, pitch)) continue;
      if (isUnderscored(shape, letter.x, after.x, em)) {
        if (letter.text !== '_' && after.text !== '_') {
          characters.push({
            text: '_',
            probability: letter.probability,
            x: (letter.x + after.x) / 2,
            others: {},
          });
        }
        continue;
      }
    }
    words.push({ characters, left, right: gap?.left ?? last.right });
    characters = [];
    left = gap?.right ?? left;
  }
  return words;
}

/** Whether ink between two letters lies at the bottom alone: the recogniser takes some underscores for spaces. */
function isUnderscored({ mask, top, bottom }: LineShape, from: number, to: number, em: number): boolean {
  const width = mask.area.right - mask.area.left;
  const border = Math.round(top + (bottom - top) * 0.7) - mask.area.top;
  let run = 0;
  for (let x = Math.round(from) - mask.area.left; x < to - mask.area.left; x += 1) {
    let [above, below] = [0, 0];
    for (let y = top - mask.area.top; y < bottom - mask.area.top; y += 1) {
      if (mask.data[y * width + x] !== 1) continue;
      if (y < border) above += 1;
      else below += 1;
    }
    run = above === 0 && below > 0 ? run + 1 : 0;
    if (run >= 0.3 * em) return true;
  }
  return false;
}

/**
 * The limits are those that separate spaces from gaps inside words best, measured on screens in several fonts. Where
 * the recogniser saw a space there is one.
 */
function isSpace(
  gap: Stroke,
  before: Placed | undefined,
  after: Placed | undefined,
  seen: boolean,
  em: number,
  pitch: number | undefined,
): boolean {
  const width = gap.right - gap.left;
  if (pitch !== undefined) return width >= (seen ? 0.75 : 0.85) * pitch;
  if (seen) return true;
  // Digits have one width in most fonts, and `1` leaves much of it free.
  const figures = FIGURE.test(before?.text ?? '') && FIGURE.test(after?.text ?? '');
  if (figures) return width >= 0.35 * em;
  // A capital seldom follows a small letter within a word.
  const begins = /[A-Z]/.test(after?.text ?? '') && /[a-z.,;:!?]/.test(before?.text ?? '');
  return width >= (begins ? 0.18 : 0.24) * em;
}

/** Finds the indices of the letters after which the recogniser saw a space. */
function modelSpaces(placed: readonly Placed[]): Set<number> {
  const spaced = new Set<number>();
  let letters = 0;
  for (const { text } of placed) {
    if (text === ' ') spaced.add(letters - 1);
    else letters += 1;
  }
  return spaced;
}

/**
 * Finds the index of the letter before a gap: the one whose border to the next letter is nearest to the gap's middle.
 * It is -1 before the first letter, because what is drawn beside text, such as icons, has ink but no letters.
 */
function placeOf(gap: Stroke, letters: readonly Placed[], spaced: ReadonlySet<number>, em: number): number {
  const middle = (gap.left + gap.right) / 2;
  let best = -1;
  let least = Infinity;
  for (let at = -1; at < letters.length; at += 1) {
    const distance =
      Math.abs(borderAfter(letters, at, em) - middle) - (spaced.has(at) ? (gap.right - gap.left) / 2 + 1 : 0);
    if (distance < least) {
      least = distance;
      best = at;
    }
  }
  return best;
}

function borderAfter(letters: readonly Placed[], at: number, em: number): number {
  const [one, other] = [letters[at], letters[at + 1]];
  if (one === undefined) return other === undefined ? 0 : other.x - letterWidth(other.text) * 0.6 * em;
  if (other === undefined) return one.x + letterWidth(one.text) * 0.6 * em;
  const [a, b] = [letterWidth(one.text), letterWidth(other.text)];
  return one.x + ((other.x - one.x) * a) / (a + b);
}

function widthOf({ left, right }: Stroke): number {
  return right - left;
}

function letterWidth(text: string): number {
  return NARROW.test(text) ? 0.35 : WIDE.test(text) ? 0.9 : 0.6;
}

/** Answers the height of these letters' ink in common fonts, in ems. */
function emHeight(text: string): number {
  const up = ASCENDER.test(text);
  const down = DESCENDER.test(text);
  if (up && down) return 0.97;
  if (up) return 0.74;
  return down ? 0.77 : 0.55;
}

/**
 * Answers the width of a character in a monospaced font, where the strokes' middles lie on a grid; undefined for other
 * fonts. It considers 16 strokes at a time, since a long line would need an exact pitch.
 */
function monospacePitch(strokes: readonly Stroke[], em: number): number | undefined {
  if (strokes.length < 6) return undefined;
  const middles = strokes.map(({ left, right }) => (left + right) / 2);
  let best = 0;
  let found = 0;
  for (let pitch = em * 0.52; pitch <= em * 0.68; pitch += 0.05) {
    let total = 0;
    for (let from = 0; from < middles.length; from += 16) {
      let [x, y] = [0, 0];
      for (const middle of middles.slice(from, from + 16)) {
        const angle = (middle / pitch) * 2 * Math.PI;
        x += Math.cos(angle);
        y += Math.sin(angle);
      }
      total += Math.hypot(x, y);
    }
    if (total > best) {
      best = total;
      found = pitch;
    }
  }
  return best / middles.length > 0.8 ? found : undefined;
}
