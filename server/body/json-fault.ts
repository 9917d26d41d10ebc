import { isUtf8 } from 'node:buffer';
import type { Pace } from './pacing.ts';

/** Levels of lists and objects that a body may have, as in the API's own parser. */
export const MAX_DEPTH = 1024;

/** A look at whether others want a turn is due after so many bytes. */
const BYTES_A_LOOK = 64 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

class Fault extends Error {
  override readonly name = 'Fault';
  readonly at: number;

  /** @param at a byte's position */
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/**
 * What is wrong with a JSON text and where, worded as the API's own parser (orjson) words it, e.g.
 * `trailing comma is not allowed: line 1 column 7 (char 6)`. Null for a good text.
 */
export async function jsonFault(bytes: Buffer, pace: Pace): Promise<string | null> {
  if (!isUtf8(bytes)) return 'str is not valid UTF-8: surrogates not allowed: line 1 column 1 (char 0)';
  if (bytes.length === 0) return 'Input is a zero-length, empty document: line 1 column 1 (char 0)';
  const scanner = new Scanner(bytes);
  try {
    while (!scanner.step()) await pace();
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `${error.message}: ${placeOf(bytes, error.at)}`;
  }
}

/** Characters and lines are counted in code points, from 0 and 1. */
function placeOf(bytes: Buffer, at: number): string {
  let chars = 0;
  let lines = 1;
  let lineStart = 0;
  for (let index = 0; index < at; index += 1) {
    const byte = bytes[index] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    chars += 1;
    if (byte !== 0x0a) continue;
    lines += 1;
    lineStart = chars;
  }
  // The parser counts a later line's columns from its line end on.
  const column = lines === 1 ? chars + 1 : chars - lineStart + 1;
  return `line ${lines} column ${column} (char ${chars})`;
}

/** Reads over a JSON text without keeping any of it. */
class Scanner {
  readonly #bytes: Buffer;
  readonly #closers: number[] = [];
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    if (bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xefbbbf) this.#at = 3;
  }

  /** Reads on for a while; true once the whole text is read. Throws Fault. */
  step(): boolean {
    const until = this.#at + BYTES_A_LOOK;
    while (this.#at < until) if (this.#value()) return true;
    return false;
  }

  /** Reads up to the end of one value, or into a list or an object. True when the text has ended. */
  #value(): boolean {
    this.#space();
    const byte = this.#bytes[this.#at];
    switch (byte) {
      case OPEN_OBJECT:
        this.#open(CLOSE_OBJECT);
        if (this.#peek() === CLOSE_OBJECT) return this.#close();
        this.#key();
        return false;
      case OPEN_LIST:
        this.#open(CLOSE_LIST);
        return this.#peek() === CLOSE_LIST ? this.#close() : false;
      case QUOTE:
        this.#string();
        return this.#after();
      case 0x74:
        return this.#literal('true');
      case 0x66:
        return this.#literal('false');
      case 0x6e:
        return this.#literal('null');
      case undefined:
        if (this.#at > 0 && this.#closers.length === 0) throw new Fault('input data is empty', 0);
        throw this.#early();
      default:
        if (byte === 0x2b || byte === 0x2e) throw new Fault('no digit after sign', this.#at);
        if (byte !== 0x2d && !isDigit(byte)) {
          throw new Fault('unexpected character, expected a JSON value', this.#at);
        }
        this.#number();
        return this.#after();
    }
  }

  #open(closer: number): void {
    if (this.#closers.length === MAX_DEPTH) throw new Fault('depth limit exceeded', this.#at + 1);
    this.#closers.push(closer);
    this.#at += 1;
  }

  #close(): boolean {
    this.#closers.pop();
    this.#at += 1;
    return this.#after();
  }

  /** What follows a value: the end of what holds it, or a comma and the next one. */
  #after(): boolean {
    const byte = this.#peek();
    const closer = this.#closers.at(-1);
    if (closer === undefined) {
      if (byte !== undefined) throw new Fault('unexpected content after document', this.#at);
      return true;
    }
    if (byte === closer) return this.#close();
    if (byte === undefined) throw this.#early();
    if (byte !== COMMA) {
      const end = closer === CLOSE_LIST ? ']' : '}';
      throw new Fault(`unexpected character, expected ',' or '${end}'`, this.#at);
    }
    const comma = this.#at;
    this.#at += 1;
    if (this.#peek() === closer) throw new Fault('trailing comma is not allowed', comma);
    if (closer === CLOSE_OBJECT) this.#key();
    return false;
  }

  #key(): void {
    const byte = this.#peek();
    if (byte === undefined) throw this.#early();
    if (byte !== QUOTE) throw new Fault('unexpected character, expected a string key', this.#at);
    this.#string();
    const colon = this.#peek();
    if (colon === undefined) throw this.#early();
    if (colon !== COLON) throw new Fault("unexpected character, expected ':' after key", this.#at);
    this.#at += 1;
  }

  #literal(word: string): boolean {
    const text = this.#bytes.toString('latin1', this.#at, this.#at + word.length);
    if (text !== word) {
      const cut = word.startsWith(text) && this.#at + text.length === this.#bytes.length;
      throw cut ? this.#early() : new Fault(`invalid literal, expected '${word}'`, this.#at);
    }
    this.#at += word.length;
    return this.#after();
  }

  #number(): void {
    const start = this.#at;
    if (this.#bytes[this.#at] === 0x2d) {
      this.#at += 1;
      this.#digit('no digit after sign');
    }
    const first = this.#at;
    this.#digits();
    if (this.#bytes[first] === 0x30 && this.#at > first + 1) {
      throw new Fault('number with leading zero is not allowed', first);
    }
    if (this.#bytes[this.#at] === 0x2e) {
      this.#at += 1;
      this.#digit('no digit after decimal point');
      this.#digits();
    }
    if (((this.#bytes[this.#at] ?? 0) | 0x20) === 0x65) {
      this.#at += 1;
      const sign = this.#bytes[this.#at];
      if (sign === 0x2b || sign === 0x2d) this.#at += 1;
      this.#digit('no digit after exponent sign');
      this.#digits();
    }
    if (!Number.isFinite(Number(this.#bytes.toString('latin1', start, this.#at)))) {
      throw new Fault('number is infinity when parsed as double', start);
    }
  }

  #digits(): void {
    while (isDigit(this.#bytes[this.#at])) this.#at += 1;
  }

  #digit(message: string): void {
    if (this.#at === this.#bytes.length) throw this.#early();
    if (!isDigit(this.#bytes[this.#at])) throw new Fault(message, this.#at);
  }

  #string(): void {
    this.#at += 1;
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw this.#early();
      if (byte === QUOTE) break;
      if (byte < 0x20) throw new Fault('unexpected control character in string', this.#at);
      if (byte === BACKSLASH) this.#escape();
      else this.#at += 1;
    }
    this.#at += 1;
  }

  #escape(): void {
    const start = this.#at;
    const kind = this.#bytes[start + 1];
    if (kind === undefined) throw this.#early();
    if (kind !== 0x75) {
      if (!'"\\/bfnrt'.includes(String.fromCharCode(kind))) {
        throw new Fault('invalid escaped sequence in string', start);
      }
      this.#at = start + 2;
      return;
    }
    const unit = this.#unit(start, 'invalid escaped sequence in string', start);
    this.#at = start + 6;
    if (unit >= 0xdc00 && unit <= 0xdfff) throw new Fault('invalid high surrogate in string', start);
    if (unit < 0xd800 || unit > 0xdbff) return;
    const second = start + 6;
    if (second === this.#bytes.length || (second + 1 === this.#bytes.length && this.#isEscape(second))) {
      throw this.#early();
    }
    if (!this.#isEscape(second) || this.#bytes[second + 1] !== 0x75) {
      throw new Fault('no low surrogate in string', start);
    }
    const low = this.#unit(second, 'invalid escape in string', start);
    if (low < 0xdc00 || low > 0xdfff) throw new Fault('invalid low surrogate in string', start);
    this.#at = start + 12;
  }

  #isEscape(at: number): boolean {
    return this.#bytes[at] === BACKSLASH;
  }

  /** The code unit of the escape that begins at `start`. */
  #unit(start: number, message: string, told: number): number {
    const digits = this.#bytes.toString('latin1', start + 2, start + 6);
    const good = /^[0-9a-fA-F]*/.exec(digits)?.[0].length ?? 0;
    if (good < 4 && start + 2 + good === this.#bytes.length) throw this.#early();
    if (good < 4) throw new Fault(message, told);
    return Number.parseInt(digits, 16);
  }

  /** The next byte that is no white space. */
  #peek(): number | undefined {
    this.#space();
    return this.#bytes[this.#at];
  }

  #space(): void {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.#at += 1;
    }
  }

  #early(): Fault {
    return new Fault('unexpected end of data', this.#bytes.length);
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
