/** What a listener is told of a JSON text. Offsets are those of the chunk that is being read. */
export interface JsonListener {
  /** A value begins: at depth 0 the whole, else a member or an element of what was opened last. */
  value(first: number, offset: number): void;
  /** A value has ended; `end` is the offset behind it. */
  valueEnd(end: number): void;
  /** A member's name begins with its quote, and has ended behind its other one. */
  name(offset: number): void;
  nameEnd(end: number): void;
}

/** The text is no JSON. The message is worded as the Messages API's own parser (orjson) words it. */
export class NotJsonError extends Error {
  override readonly name = 'NotJsonError';
  /** A byte's, from 0. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** Levels of lists and objects, as in the API's own parser; whoever reads the text later may read it recursively. */
export const MAX_DEPTH = 1024;

type Expected =
  | 'value'
  | 'value or ]'
  | 'name'
  | 'name or }'
  | ':'
  | ', or end'
  | 'string'
  | 'escape'
  | 'hex'
  | 'minus'
  | 'zero'
  | 'integer'
  | 'point'
  | 'fraction'
  | 'exponent'
  | 'exponent sign'
  | 'exponent digits'
  | 'word'
  | 'nothing';

/** What is wrong where another byte stands than is expected; of the states that begin nowhere else. */
const FAULTS: Readonly<Partial<Record<Expected, string>>> = {
  value: 'unexpected character, expected a JSON value',
  'value or ]': 'unexpected character, expected a JSON value',
  name: 'unexpected character, expected a string key',
  'name or }': 'unexpected character, expected a string key',
  ':': "unexpected character, expected ':' after key",
  string: 'unexpected control character in string',
  minus: 'no digit after sign',
  point: 'no digit after decimal point',
  exponent: 'no digit after exponent sign',
  'exponent sign': 'no digit after exponent sign',
  nothing: 'unexpected content after document',
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const WORDS: Readonly<Record<number, string>> = { 0x74: 'true', 0x66: 'false', 0x6e: 'null' };

/**
 * Checks a JSON text against the grammar while it arrives, in pieces of any size, and tells where values begin and end.
 * Nothing is kept but the open brackets, so that a text of any length takes the same memory.
 */
export class JsonSyntax {
  readonly #listener: JsonListener;
  /** `true` for each open object, `false` for each open list. */
  readonly #open: boolean[] = [];
  #expected: Expected = 'value';
  #isName = false;
  #word = '';
  /** What is left of a word, or of the hexadecimal digits of an escape. */
  #left = 0;
  /** Where the last comma, word or escape began, in the whole text. */
  #from = 0;
  #read = 0;

  constructor(listener: JsonListener) {
    this.#listener = listener;
  }

  /** How many containers are open. */
  get depth(): number {
    return this.#open.length;
  }

  /** Reads the next piece. Throws NotJsonError, and what the listener throws. */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) at = this.#step(chunk, at);
    this.#read += chunk.length;
  }

  /** The text is over. Throws NotJsonError when it should go on. */
  end(): void {
    if (this.#open.length === 0 && this.#endsNumber()) this.#close(0);
    if (this.#expected === 'nothing') return;
    if (this.#read === 0) throw new NotJsonError('Input is a zero-length, empty document', 0);
    const isEmpty = this.#open.length === 0 && this.#expected === 'value';
    throw isEmpty
      ? new NotJsonError('input data is empty', 0)
      : new NotJsonError('unexpected end of data', this.#read);
  }

  /** Reads one byte, or a run of those that need no look each; answers the offset behind. */
  #step(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? 0;
    switch (this.#expected) {
      case 'string':
        return this.#string(chunk, at);
      case 'escape':
        if (byte === 0x75) {
          this.#left = 4;
          this.#expected = 'hex';
        } else if ('"\\/bfnrt'.includes(String.fromCharCode(byte))) this.#expected = 'string';
        else this.#refuseEscape();
        return at + 1;
      case 'hex':
        if (!isHex(byte)) this.#refuseEscape();
        this.#left -= 1;
        if (this.#left === 0) this.#expected = 'string';
        return at + 1;
      case 'word':
        if (byte !== this.#word.charCodeAt(this.#word.length - this.#left))
          throw new NotJsonError(`invalid literal, expected '${this.#word}'`, this.#from);
        this.#left -= 1;
        if (this.#left === 0) this.#close(at + 1);
        return at + 1;
      case 'minus':
      case 'zero':
      case 'integer':
      case 'point':
      case 'fraction':
      case 'exponent':
      case 'exponent sign':
      case 'exponent digits':
        return this.#number(byte, at);
      default:
        if (!isSpace(byte)) this.#token(byte, at);
        return at + 1;
    }
  }

  #string(chunk: Uint8Array, start: number): number {
    let at = start;
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === QUOTE) {
        if (this.#isName) {
          this.#isName = false;
          this.#expected = ':';
          this.#listener.nameEnd(at + 1);
        } else this.#close(at + 1);
        return at + 1;
      }
      if (byte === BACKSLASH) {
        this.#from = this.#read + at;
        this.#expected = 'escape';
        return at + 1;
      }
      if (byte < 0x20) this.#refuse(at);
    }
    return at;
  }

  #token(byte: number, at: number): void {
    switch (this.#expected) {
      case 'name or }':
        return byte === 0x7d ? this.#pop(at) : this.#nameBegins(byte, at);
      case 'name':
        if (byte === 0x7d) throw this.#trailingComma();
        return this.#nameBegins(byte, at);
      case ':':
        if (byte !== 0x3a) this.#refuse(at);
        this.#expected = 'value';
        return;
      case ', or end': {
        const inObject = this.#open.at(-1) === true;
        if (byte === 0x2c) {
          this.#from = this.#read + at;
          this.#expected = inObject ? 'name' : 'value';
        } else if (byte === (inObject ? 0x7d : 0x5d)) this.#pop(at);
        else this.#refuse(at);
        return;
      }
      case 'value or ]':
        return byte === 0x5d ? this.#pop(at) : this.#value(byte, at);
      case 'value':
        // In a list it comes after a comma alone.
        if (byte === 0x5d && this.#open.at(-1) === false) throw this.#trailingComma();
        return this.#value(byte, at);
      default:
        return this.#refuse(at);
    }
  }

  #nameBegins(byte: number, at: number): void {
    if (byte !== QUOTE) this.#refuse(at);
    this.#isName = true;
    this.#expected = 'string';
    this.#listener.name(at);
  }

  #value(byte: number, at: number): void {
    const word = WORDS[byte];
    if (byte === 0x7b || byte === 0x5b) {
      if (this.#open.length === MAX_DEPTH)
        throw new NotJsonError('depth limit exceeded', this.#read + at + 1);
      this.#listener.value(byte, at);
      this.#open.push(byte === 0x7b);
      this.#expected = byte === 0x7b ? 'name or }' : 'value or ]';
      return;
    }
    if (byte === QUOTE) this.#expected = 'string';
    else if (byte === 0x2d) this.#expected = 'minus';
    else if (byte === 0x30) this.#expected = 'zero';
    else if (isDigit(byte)) this.#expected = 'integer';
    else if (word !== undefined) {
      this.#word = word;
      this.#left = word.length - 1;
      this.#from = this.#read + at;
      this.#expected = 'word';
    } else if (byte === 0x2b || byte === 0x2e) throw new NotJsonError('no digit after sign', this.#read + at);
    else this.#refuse(at);
    this.#listener.value(byte, at);
  }

  /** A number ends before the first byte that cannot belong to it, which is read again. */
  #number(byte: number, at: number): number {
    const next = afterDigits(this.#expected, byte);
    if (next !== undefined) {
      this.#expected = next;
      return at + 1;
    }
    if (!this.#endsNumber()) this.#refuse(at);
    if (this.#expected === 'zero' && isDigit(byte))
      throw new NotJsonError('number with leading zero is not allowed', this.#read + at - 1);
    this.#close(at);
    return at;
  }

  #endsNumber(): boolean {
    return (
      this.#expected === 'zero' ||
      this.#expected === 'integer' ||
      this.#expected === 'fraction' ||
      this.#expected === 'exponent digits'
    );
  }

  #pop(at: number): void {
    this.#open.pop();
    this.#close(at + 1);
  }

  #close(end: number): void {
    this.#expected = this.#open.length === 0 ? 'nothing' : ', or end';
    this.#listener.valueEnd(end);
  }

  #refuse(at: number): never {
    const closer = this.#open.at(-1) === true ? '}' : ']';
    const fault = FAULTS[this.#expected] ?? `unexpected character, expected ',' or '${closer}'`;
    throw new NotJsonError(fault, this.#read + at);
  }

  #refuseEscape(): never {
    throw new NotJsonError('invalid escaped sequence in string', this.#from);
  }

  #trailingComma(): NotJsonError {
    return new NotJsonError('trailing comma is not allowed', this.#from);
  }
}

/** What a number expects after a byte that belongs to it; undefined for one that does not. */
function afterDigits(state: Expected, byte: number): Expected | undefined {
  const isExponent = byte === 0x65 || byte === 0x45;
  switch (state) {
    case 'minus':
      if (byte === 0x30) return 'zero';
      return isDigit(byte) ? 'integer' : undefined;
    case 'zero':
    case 'integer':
      if (byte === 0x2e) return 'point';
      if (isExponent) return 'exponent';
      return state === 'integer' && isDigit(byte) ? 'integer' : undefined;
    case 'point':
      return isDigit(byte) ? 'fraction' : undefined;
    case 'fraction':
      if (isExponent) return 'exponent';
      return isDigit(byte) ? 'fraction' : undefined;
    case 'exponent':
      if (byte === 0x2b || byte === 0x2d) return 'exponent sign';
      return isDigit(byte) ? 'exponent digits' : undefined;
    case 'exponent sign':
    case 'exponent digits':
      return isDigit(byte) ? 'exponent digits' : undefined;
    default:
      return undefined;
  }
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
