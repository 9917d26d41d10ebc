/** What a pattern is made of. */
export type PatternNode =
  | { readonly kind: 'char'; readonly test: CharTest }
  | { readonly kind: 'start' | 'end' | 'boundary' | 'inside' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly part: PatternNode;
      readonly least: number;
      /** Null: as often as it goes. */
      readonly most: number | null;
    };

export type CharTest =
  | { readonly kind: 'any' }
  | {
      readonly kind: 'set';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [number, number])[];
    };

/** A pattern that is not one; the message says what and where. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const MOST_REPEATS = 100;
type Ranges = readonly (readonly [number, number])[];
const code = (char: string): number => char.codePointAt(0) ?? 0;
const LAST = 0x10ffff;
const DIGIT: Ranges = [[48, 57]];
const WORD: Ranges = [[48, 57], [65, 90], [95, 95], [97, 122]]; // prettier-ignore
const SPACE: Ranges = [[9, 13], [32, 32], [0xa0, 0xa0], [0x1680, 0x1680], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f, 0x202f], [0x205f, 0x205f], [0x3000, 0x3000], [0xfeff, 0xfeff]]; // prettier-ignore
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };

function without(ranges: Ranges): Ranges {
  const rest: [number, number][] = [];
  let from = 0;
  for (const [first, last] of ranges) {
    if (first > from) rest.push([from, first - 1]);
    from = last + 1;
  }
  if (from <= LAST) rest.push([from, LAST]);
  return rest;
}

const CLASSES: Readonly<Record<string, Ranges>> = {
  d: DIGIT,
  w: WORD,
  s: SPACE,
  D: without(DIGIT),
  W: without(WORD),
  S: without(SPACE),
};

/**
 * Reads a pattern: the part of regular expressions that can be matched in time proportional to the text. Literals, `.`,
 * `[a-z]`, `\d \w \s` and their opposites, `\b \B ^ $`, groups, `|`, and `* + ? {n,m}`; no back references and no looking
 * around.
 * @throws {PatternError}
 */
export function parsePattern(source: string): PatternNode {
  return new Parser(source).pattern();
}

class Parser {
  readonly #chars: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#chars = Array.from(source);
  }

  pattern(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#chars.length) throw this.#fault('a `)` without its `(`');
    return node;
  }

  #choice(): PatternNode {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'choice', parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#chars.length && this.#peek() !== '|' && this.#peek() !== ')') {
      parts.push(this.#repeated(this.#atom()));
    }
    return { kind: 'sequence', parts };
  }

  #repeated(part: PatternNode): PatternNode {
    const bounds = this.#bounds();
    if (bounds === null) return part;
    // Greedy or not makes no difference to whether there is a match.
    this.#take('?');
    if (this.#bounds() !== null) throw this.#fault('nothing to repeat');
    return { kind: 'repeat', part, ...bounds };
  }

  #bounds(): { least: number; most: number | null } | null {
    if (this.#take('*')) return { least: 0, most: null };
    if (this.#take('+')) return { least: 1, most: null };
    if (this.#take('?')) return { least: 0, most: 1 };
    const found = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.#chars.slice(this.#at, this.#at + 12).join(''));
    if (found === null) return null;
    this.#at += found[0].length;
    const least = Number(found[1]);
    const most = found[2] === undefined ? least : found[3] === '' ? null : Number(found[3]);
    if (least > MOST_REPEATS || (most ?? 0) > MOST_REPEATS)
      throw this.#fault(`more than ${MOST_REPEATS} repetitions`);
    if (most !== null && most < least) throw this.#fault('repetitions that count down');
    return { least, most };
  }

  #atom(): PatternNode {
    const char = this.#next();
    switch (char) {
      case '(': {
        if (this.#take('?') && !this.#take(':')) throw this.#fault('`(?` that is not `(?:`');
        const inner = this.#choice();
        if (!this.#take(')')) throw this.#fault('a `(` without its `)`');
        return inner;
      }
      case '[':
        return this.#set();
      case '.':
        return { kind: 'char', test: { kind: 'any' } };
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '*':
      case '+':
      case '?':
        throw this.#fault('nothing to repeat');
      case '\\':
        return this.#escape();
      default:
        return literal(code(char));
    }
  }

  #escape(): PatternNode {
    const char = this.#escaped();
    if (char === 'b') return { kind: 'boundary' };
    if (char === 'B') return { kind: 'inside' };
    const ranges = CLASSES[char];
    if (ranges !== undefined) return { kind: 'char', test: { kind: 'set', negated: false, ranges } };
    return literal(this.#single(char));
  }

  #escaped(): string {
    if (this.#at >= this.#chars.length) throw this.#fault('a `\\` at the end');
    return this.#next();
  }

  #single(char: string): number {
    const control = CONTROLS[char];
    if (control !== undefined) return code(control);
    if (/^[A-Za-z0-9]$/.test(char)) throw this.#fault(`\`\\${char}\`, which is not supported`);
    return code(char);
  }

  #set(): PatternNode {
    const negated = this.#take('^');
    const ranges: (readonly [number, number])[] = [];
    for (let first = true; first || this.#peek() !== ']'; first = false) {
      if (this.#at >= this.#chars.length) throw this.#fault('a `[` without its `]`');
      const low = this.#member();
      if (typeof low !== 'number') {
        ranges.push(...low);
        continue;
      }
      const isRange = this.#peek() === '-' && this.#chars[this.#at + 1] !== ']';
      if (!isRange || this.#chars[this.#at + 1] === undefined) {
        ranges.push([low, low]);
        continue;
      }
      this.#next();
      const high = this.#member();
      if (typeof high !== 'number' || high < low) throw this.#fault('a range that is none');
      ranges.push([low, high]);
    }
    this.#next();
    return { kind: 'char', test: { kind: 'set', negated, ranges } };
  }

  #member(): number | Ranges {
    const char = this.#next();
    if (char !== '\\') return code(char);
    const escaped = this.#escaped();
    return CLASSES[escaped] ?? this.#single(escaped);
  }

  #peek(): string | undefined {
    return this.#chars[this.#at];
  }

  #next(): string {
    const char = this.#chars[this.#at] ?? '';
    this.#at += 1;
    return char;
  }

  #take(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #fault(what: string): PatternError {
    return new PatternError(`${what}, at character ${this.#at}`);
  }
}

function literal(point: number): PatternNode {
  return { kind: 'char', test: { kind: 'set', negated: false, ranges: [[point, point]] } };
}
