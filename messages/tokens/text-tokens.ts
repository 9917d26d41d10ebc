/**
 * Estimates the tokens of a text. The tokenizers of the models behind the Messages API are not public. Like other
 * tokenizers they make about one token of a common word with the space before it, so this weighs each kind of piece by
 * what recorded counts of the API show. docs/tokens.md tells how exact it is and why no public tokenizer is used.
 */

/** The two tokenizers in use: `newer` is that of Claude 4.7 and later models. */
export type Tokenizer = 'earlier' | 'newer';

/** Tokens that each kind of piece takes. None is negative, so that more text never costs less. */
interface Weights {
  /** A word of up to six letters. A capital in camelCase begins another word. */
  readonly word: number;
  /** Each of its letters from the seventh to the twelfth, and each one after. */
  readonly longLetter: number;
  readonly furtherLetter: number;
  /** Each of its letters beyond ASCII. */
  readonly accent: number;
  /** A capital at its beginning; each further one of a word in capitals. */
  readonly capital: number;
  readonly furtherCapital: number;
  /** The first three digits of a number; each further three. */
  readonly number: number;
  readonly furtherDigits: number;
  /** A run of ASCII symbols; each one after its first. */
  readonly symbols: number;
  readonly furtherSymbol: number;
  /** The end of a line with the empty lines after it; the indentation of the line that follows. */
  readonly lineEnd: number;
  readonly indentation: number;
  /** White space within a line that is more than one space. */
  readonly space: number;
  /** A character of Chinese, Japanese or Korean. */
  readonly wide: number;
  /** A letter of Cyrillic or Greek. */
  readonly alphabetic: number;
  /** A letter or sign of any other script. */
  readonly letter: number;
  /** A symbol beyond ASCII such as a dash or a quotation mark; one beyond the basic plane such as an emoji. */
  readonly mark: number;
  readonly emoji: number;
}

const EARLIER: Weights = {
  word: 1.02,
  longLetter: 0.09,
  furtherLetter: 0.28,
  accent: 0.49,
  capital: 0.13,
  furtherCapital: 0.25,
  number: 1.9,
  furtherDigits: 1,
  symbols: 0.92,
  furtherSymbol: 0.13,
  lineEnd: 1.1,
  indentation: 0.5,
  space: 0.5,
  wide: 1.16,
  alphabetic: 0.45,
  letter: 0.88,
  mark: 0.5,
  emoji: 2.5,
};

/** As measured, Latin words take more tokens than before, and other scripts the same. */
const NEWER: Weights = {
  ...EARLIER,
  word: 1.23,
  longLetter: 0.54,
  capital: 0.23,
  furtherCapital: 0.8,
  number: 2.4,
  symbols: 0.9,
  furtherSymbol: 0.18,
  lineEnd: 1.15,
};

/** The kinds of characters. A run of one kind is a piece. */
const Kind = {
  lower: 1,
  upper: 2,
  accented: 3,
  wide: 4,
  alphabetic: 5,
  letter: 6,
  digit: 7,
  lineEnd: 8,
  space: 9,
  symbol: 10,
  mark: 11,
} as const;
type Kind = (typeof Kind)[keyof typeof Kind];

/** The first pattern that fits decides the kind. */
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^[\r\n]/, Kind.lineEnd],
  [/^\s/, Kind.space],
  [/^[a-z]/, Kind.lower],
  [/^[A-Z]/, Kind.upper],
  [/^\p{Script=Latin}/u, Kind.accented],
  [/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u, Kind.wide],
  [/^[\p{Script=Cyrillic}\p{Script=Greek}]/u, Kind.alphabetic],
  [/^[\p{L}\p{M}]/u, Kind.letter],
  [/^\p{N}/u, Kind.digit],
  [/^\p{ASCII}/u, Kind.symbol],
];

/** Caches the kinds by code point, since the patterns are slow; 0 is not yet known. */
const known = new Uint8Array(0x110000);

function kindAt(text: string, at: number): Kind {
  const point = text.codePointAt(at) ?? 0;
  const found = known[point] as Kind | 0;
  if (found !== 0) return found;
  const character = String.fromCodePoint(point);
  const kind = KINDS.find(([pattern]) => pattern.test(character))?.[1] ?? Kind.mark;
  known[point] = kind;
  return kind;
}

const isLatin = (kind: Kind): boolean => kind <= Kind.accented;

/**
 * Finds the end of the word that begins at `start`: before the next capital of camelCase, or with the run of letters.
 */
function wordEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const kind = kindAt(text, at);
    if (!isLatin(kind)) return at;
    const before = kindAt(text, at - 1);
    // `camelCase` parts before the C, `HTTPServer` before the S.
    if (kind === Kind.upper && before !== Kind.upper) return at;
    if (kind !== Kind.upper && before === Kind.upper && at - 1 > start) return at - 1;
    at += 1;
  }
  return at;
}

function wordTokens(text: string, start: number, end: number, weights: Weights): number {
  let accents = 0;
  let capitals = 0;
  for (let at = start; at < end; at += 1) {
    const kind = kindAt(text, at);
    if (kind === Kind.accented) accents += 1;
    else if (kind === Kind.upper) capitals += 1;
  }
  const length = end - start;
  return (
    weights.word +
    weights.longLetter * Math.max(0, Math.min(length, 12) - 6) +
    weights.furtherLetter * Math.max(0, length - 12) +
    weights.accent * accents +
    (capitals > 0 ? weights.capital + weights.furtherCapital * (capitals - 1) : 0)
  );
}

function runTokens(kind: Kind, text: string, start: number, end: number, weights: Weights): number {
  const length = end - start;
  switch (kind) {
    case Kind.wide:
      return length * weights.wide;
    case Kind.alphabetic:
      return length * weights.alphabetic;
    case Kind.letter:
      return length * weights.letter;
    case Kind.digit:
      return weights.number + weights.furtherDigits * (Math.ceil(length / 3) - 1);
    case Kind.lineEnd: {
      const last = text.charCodeAt(end - 1);
      return weights.lineEnd + (last === 10 || last === 13 ? 0 : weights.indentation);
    }
    case Kind.space:
      // One space belongs to the word after it.
      return length === 1 && text[start] === ' ' ? 0 : weights.space;
    case Kind.symbol:
      return weights.symbols + weights.furtherSymbol * (length - 1);
    case Kind.mark: {
      let tokens = 0;
      for (let at = start; at < end; at += 1) {
        const unit = text.charCodeAt(at);
        // The second half of a pair was counted with the first.
        if (unit >= 0xd800 && unit <= 0xdbff) tokens += weights.emoji;
        else if (unit < 0xdc00 || unit > 0xdfff) tokens += weights.mark;
      }
      return tokens;
    }
    default:
      return 0;
  }
}

/** Whether a piece goes on here. A low surrogate belongs to the high one, and indentation to the line end before it. */
function continues(kind: Kind, text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit >= 0xdc00 && unit <= 0xdfff) return true;
  const next = kindAt(text, at);
  return next === kind || (kind === Kind.lineEnd && next === Kind.space);
}

/** Estimates the tokens of a text as a fraction, so that texts which are counted together are rounded once. */
export function textWeight(text: string, tokenizer: Tokenizer = 'earlier'): number {
  const weights = tokenizer === 'newer' ? NEWER : EARLIER;
  let tokens = 0;
  let start = 0;
  while (start < text.length) {
    const kind = kindAt(text, start);
    let end: number;
    if (isLatin(kind)) {
      end = wordEnd(text, start);
      tokens += wordTokens(text, start, end, weights);
    } else {
      end = start + 1;
      while (end < text.length && continues(kind, text, end)) end += 1;
      tokens += runTokens(kind, text, start, end, weights);
    }
    start = end;
  }
  return tokens;
}

/**
 * Rounds a sum of weights to tokens, of which there is at least one where there is anything. It is rounded to a
 * millionth first, since the rounding errors of a sum depend on its order and must not decide which way a half is
 * rounded.
 */
export function wholeTokens(weight: number): number {
  return weight === 0 ? 0 : Math.max(1, Math.round(Math.round(weight * 1e6) / 1e6));
}

/** Estimates the tokens of a text. The empty text and a single space, which belongs to a word, have none. */
export function estimateTextTokens(text: string, tokenizer: Tokenizer = 'earlier'): number {
  return wholeTokens(textWeight(text, tokenizer));
}
