/**
 * Tokens of a text, estimated. The tokenizer of the models behind the Messages API is not public, so this counts what
 * byte-pair tokenizers have in common: a common word with the space before it is one token, a long or rare one is
 * several, digits go in threes, runs of white space are one. Measured in test/messages/tokens: English prose comes to
 * about the 3.5 characters a token that the API documents, code to about 3.
 */
const PIECES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|\p{Script=Latin}+|[\p{L}\p{M}]+|\p{N}+|[\r\n]+[^\S\r\n]*|[^\S\r\n]+|[^\s\p{L}\p{M}\p{N}]+/gu;

const WIDE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const LATIN = /^\p{Script=Latin}/u;
const LETTER = /^[\p{L}\p{M}]/u;
const DIGIT = /^\p{N}/u;
const SPACE = /^\s/u;
const NOT_ASCII = /\P{ASCII}/gu;
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/u;

/** Bytes of UTF-8 for what has no words of its own in a vocabulary: emoji, symbols. */
function byBytes(piece: string, bytesPerToken: number): number {
  return Math.ceil(Buffer.byteLength(piece) / bytesPerToken);
}

/** Words beyond ASCII are split more often: vocabularies are built mostly from English. */
function latinWord(word: string): number {
  const accents = word.match(NOT_ASCII)?.length ?? 0;
  return (
    accents + word.split(HUMP).reduce((sum, part) => sum + Math.max(1, Math.ceil((part.length - 2) / 5)), 0)
  );
}

function pieceTokens(piece: string): number {
  if (WIDE.test(piece)) return Array.from(piece).length;
  if (LATIN.test(piece)) return latinWord(piece);
  if (LETTER.test(piece)) return Math.ceil(Array.from(piece).length / 2.5);
  if (DIGIT.test(piece)) return Math.ceil(Array.from(piece).length / 3);
  // One space belongs to the word after it.
  if (SPACE.test(piece)) return piece === ' ' ? 0 : 1;
  return byBytes(piece, 2);
}

export function estimateTextTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += pieceTokens(piece);
  return tokens;
}
