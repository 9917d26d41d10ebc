/**
 * Tokens of the visibility query language, which is the condition part of a MySQL statement. `end` is the offset just
 * behind the token in the query, for the position in syntax errors.
 */
export type Token =
  | { readonly kind: 'end'; readonly text: ''; readonly end: number }
  | { readonly kind: 'symbol'; readonly text: string; readonly end: number }
  /** A reserved word, in lower case. */
  | { readonly kind: 'keyword'; readonly text: string; readonly end: number }
  | { readonly kind: 'name'; readonly text: string; readonly end: number }
  | { readonly kind: 'string'; readonly text: string; readonly end: number }
  | {
      readonly kind: 'integer' | 'decimal' | 'hex' | 'hex-string' | 'bind';
      readonly text: string;
      readonly end: number;
    }
  /** Text that is no token at all, such as a string without its end. */
  | { readonly kind: 'error'; readonly text: string; readonly end: number };

/**
 * Words that MySQL reserves, as far as they can follow or stand in a condition; no bare column can have such a name.
 */
const keywords = new Set(
  (
    'and or not is null in between like regexp rlike starts_with true false escape group by order limit having where ' +
    'select from union all distinct asc desc exists case when then else end cast convert collate interval default ' +
    'as using join on into values set insert update delete drop create alter table index xor div mod for lock ' +
    'offset binary match against if left right inner outer natural cross straight_join unique'
  ).split(' '),
);

const symbols = ['<=>', '<<', '>>', '<=', '>=', '<>', '!=', '&&', '||', '->>', '->'];
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  '0': '\0',
  Z: '\x1a',
};

/** Splits a query into its tokens; the last is `end`, or `error` where the text stops making sense. */
export function tokenize(query: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let binds = 0;
  for (;;) {
    at = skipBlanks(query, at);
    const token = next(query, at);
    if (token.kind === 'bind' && token.text === '?') {
      binds += 1;
      tokens.push({ ...token, text: `:v${binds}` });
    } else {
      tokens.push(token);
    }
    if (token.kind === 'end' || token.kind === 'error') return tokens;
    at = token.end;
  }
}

function skipBlanks(query: string, start: number): number {
  let at = start;
  for (;;) {
    const rest = /^(?:\s+|--(?:\s[^\n]*|$)|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)/.exec(query.slice(at));
    if (rest === null) return at;
    at += rest[0].length;
  }
}

function next(query: string, at: number): Token {
  const character = query[at];
  if (character === undefined) return { kind: 'end', text: '', end: at };
  if (character === "'" || character === '"') return quoted(query, at, character);
  if (character === '`') return backquoted(query, at);
  const rest = query.slice(at);

  const hexString = /^[xX]'([0-9a-fA-F]*)'/.exec(rest);
  if (hexString !== null) {
    return { kind: 'hex-string', text: `X'${hexString[1] ?? ''}'`, end: at + hexString[0].length };
  }
  const hex = /^0[xX][0-9a-fA-F]+/.exec(rest);
  if (hex !== null) return { kind: 'hex', text: hex[0], end: at + hex[0].length };
  const number = /^(?:\d+(\.\d*)?|(\.\d+))([eE][+-]?\d+)?/.exec(rest);
  if (number !== null) {
    const whole = number[1] === undefined && number[2] === undefined && number[3] === undefined;
    return { kind: whole ? 'integer' : 'decimal', text: number[0], end: at + number[0].length };
  }
  const word = /^@{0,2}[\p{L}_][\p{L}\p{N}_$@]*/u.exec(rest);
  if (word !== null) {
    const lower = word[0].toLowerCase();
    const end = at + word[0].length;
    return keywords.has(lower) ? { kind: 'keyword', text: lower, end } : { kind: 'name', text: word[0], end };
  }
  const bind = /^(?:\?|::?[A-Za-z_][\w]*)/.exec(rest);
  if (bind !== null) return { kind: 'bind', text: bind[0], end: at + bind[0].length };
  const symbol =
    symbols.find((s) => rest.startsWith(s)) ?? (/^[-=<>!()+*/%,.;~&|^]/.exec(rest)?.[0] || undefined);
  if (symbol !== undefined) return { kind: 'symbol', text: symbol, end: at + symbol.length };
  return { kind: 'error', text: '', end: at + 1 };
}

/** Reads a string in either quotes. A doubled quote and a backslash stand for the character after them. */
function quoted(query: string, start: number, quote: string): Token {
  let text = '';
  for (let at = start + 1; at < query.length; at += 1) {
    const character = query.charAt(at);
    if (character === '\\' && at + 1 < query.length) {
      at += 1;
      text += escapes[query.charAt(at)] ?? query.charAt(at);
    } else if (character === quote && query[at + 1] === quote) {
      at += 1;
      text += quote;
    } else if (character === quote) {
      return { kind: 'string', text, end: at + 1 };
    } else {
      text += character;
    }
  }
  return { kind: 'error', text, end: query.length };
}

function backquoted(query: string, start: number): Token {
  let text = '';
  for (let at = start + 1; at < query.length; at += 1) {
    const character = query.charAt(at);
    if (character !== '`') {
      text += character;
    } else if (query[at + 1] === '`') {
      at += 1;
      text += '`';
    } else if (text === '') {
      break;
    } else {
      return { kind: 'name', text, end: at + 1 };
    }
  }
  return { kind: 'error', text, end: query.length };
}
