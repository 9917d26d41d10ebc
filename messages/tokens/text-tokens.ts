/**
 * Tokens of a text, estimated. The tokenizer of the models behind the Messages API is not public, so this counts what
 * byte-pair tokenizers have in common: a common word with the space before it is one token, a long or rare one is
 * several, digits go in threes, runs of white space are one. English prose comes to about the 3.5 characters a token that
 * the API documents; its own counts differ by some per cent, more in other languages.
 */

/** What a character is to a tokenizer; a run of one kind is a piece. */
const Kind = { latin: 1, wide: 2, letter: 3, digit: 4, newline: 5, space: 6, symbol: 7 } as const;
type Kind = (typeof Kind)[keyof typeof Kind];

/** In this order: the first that fits is the kind. */
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^[\r\n]/, Kind.newline],
  [/^\s/, Kind.space],
  [/^\p{Script=Latin}/u, Kind.latin],
  [/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u, Kind.wide],
  [/^[\p{L}\p{M}]/u, Kind.letter],
  [/^\p{N}/u, Kind.digit],
];

/** Kinds by code unit, 0 where not yet looked up: the lookups are what would cost time. */
const known = new Uint8Array(0x10000);

function kindOf(text: string, at: number): Kind {
  const unit = text.charCodeAt(at);
  const found = known[unit] as Kind | 0;
  if (found !== 0) return found;
  const character = String.fromCodePoint(text.codePointAt(at) ?? unit);
  const kind = KINDS.find(([pattern]) => pattern.test(character))?.[1] ?? Kind.symbol;
  // Half a surrogate pair says nothing of the other half.
  if (unit < 0xd800 || unit > 0xdfff) known[unit] = kind;
  return kind;
}

function isLower(unit: number): boolean {
  return unit >= 97 && unit <= 122;
}

function isUpper(unit: number): boolean {
  return unit >= 65 && unit <= 90;
}

/** One token for up to seven letters, then one for every five; a hump in camelCase begins a word. */
function wordTokens(length: number): number {
  return Math.max(1, Math.ceil((length - 2) / 5));
}

/** Words beyond ASCII are split more often: vocabularies are built mostly from English. */
function latinTokens(text: string, start: number, end: number): number {
  let tokens = 0;
  let word = start;
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 127) tokens += 1;
    if (at > word && isUpper(unit) && isLower(text.charCodeAt(at - 1))) {
      tokens += wordTokens(at - word);
      word = at;
    }
  }
  return tokens + wordTokens(end - word);
}

function runTokens(kind: Kind, text: string, start: number, end: number): number {
  const length = end - start;
  switch (kind) {
    case Kind.latin:
      return latinTokens(text, start, end);
    case Kind.wide:
      return length;
    case Kind.letter:
      return Math.ceil(length / 2.5);
    case Kind.digit:
      return Math.ceil(length / 3);
    case Kind.newline:
      return 1;
    case Kind.space:
      // One space belongs to the word after it.
      return length === 1 && text[start] === ' ' ? 0 : 1;
    case Kind.symbol:
      return Math.ceil(Buffer.byteLength(text.slice(start, end)) / 2);
  }
}

export function estimateTextTokens(text: string): number {
  let tokens = 0;
  let start = 0;
  while (start < text.length) {
    const kind = kindOf(text, start);
    let end = start + 1;
    while (end < text.length && continues(kind, text, end)) end += 1;
    tokens += runTokens(kind, text, start, end);
    start = end;
  }
  return tokens;
}

/** The second half of a pair belongs to the first, and the indentation of a line to the line end before it. */
function continues(kind: Kind, text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit >= 0xdc00 && unit <= 0xdfff) return true;
  const next = kindOf(text, at);
  if (next === kind)
    return kind !== Kind.newline || text.charCodeAt(at - 1) === 10 || text.charCodeAt(at - 1) === 13;
  return kind === Kind.newline && next === Kind.space;
}
