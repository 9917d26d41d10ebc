import type { Pace } from '../http/pacing.ts';

/** How many values a JSON text may hold, whatever its bytes. */
export const MAX_JSON_VALUES = 4_000_000;

/** What differs from one API of the server to another. The defaults are for tensors. */
export interface JsonLimits {
  /** How many values the text may hold, names of members not counted; default 4,000,000. */
  readonly values?: number;
  /** How many members one object may have; default: as many as there may be values. */
  readonly members?: number;
  /** Levels of lists and objects; default 64. */
  readonly depth?: number;
  /** A longer text must be free of escapes, as base64 is: it is then taken as it stands. Default 1 MiB. */
  readonly escapedBytes?: number;
  /** Whether integers that a double cannot hold become bigints; otherwise they are rounded. Default true. */
  readonly bigints?: boolean;
  /** Whether a number beyond a double is refused; otherwise it is infinity. Default false. */
  readonly finite?: boolean;
}

const TENSOR_LIMITS: Required<JsonLimits> = {
  values: MAX_JSON_VALUES,
  members: MAX_JSON_VALUES,
  depth: 64,
  escapedBytes: 1024 * 1024,
  bigints: true,
  finite: false,
};
/** Numbers are read by Node's own parser, this many bytes at a time. */
const RUN_BYTES = 64 * 1024;
/** A look at whether others want a turn is due after so many values or bytes: about a millisecond's work. */
const VALUES_A_LOOK = 2048;
const BYTES_A_LOOK = 128 * 1024;
/** White space in one place; nobody writes more. */
const MAX_SPACE = 64 * 1024;

/** The text is no JSON. `position` is a byte's; the message is Python's, as FastAPI's users know it. */
export class JsonInvalidError extends Error {
  override readonly name = 'JsonInvalidError';
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** The text is JSON and larger than what is taken in this form. */
export class JsonTooLargeError extends Error {
  override readonly name = 'JsonTooLargeError';
}

/** It is JSON of more values than are taken, or with an object of more members. */
export class JsonTooManyError extends JsonTooLargeError {
  /** Whether it is one object's members that are too many. */
  readonly members: boolean;

  constructor(message: string, members: boolean) {
    super(message);
    this.members = members;
  }
}

type Container =
  | { readonly kind: 'list'; readonly items: unknown[] }
  | { readonly kind: 'object'; readonly members: Record<string, unknown>; count: number; key: string };

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/**
 * Parses JSON in small turns, because a tensor as text is many megabytes and `JSON.parse` would hold everybody up for
 * hundreds of milliseconds. Integers that a double cannot hold become bigints; objects have no prototype.
 * Throws JsonInvalidError, JsonTooLargeError.
 */
export async function parseJson(bytes: Buffer, pace: Pace, limits: JsonLimits = {}): Promise<unknown> {
  const reader = new JsonReader(bytes, { ...TENSOR_LIMITS, ...limits });
  while (!reader.step()) await pace();
  return reader.result;
}

class JsonReader {
  result: unknown;
  readonly #bytes: Buffer;
  readonly #limits: Required<JsonLimits>;
  readonly #stack: Container[] = [];
  #at: number;
  #values = 0;

  constructor(bytes: Buffer, limits: Required<JsonLimits>) {
    this.#bytes = bytes;
    this.#limits = limits;
    // A byte order mark.
    this.#at = bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xefbbbf ? 3 : 0;
  }

  /** Reads on for a while; true once the whole text is read. */
  step(): boolean {
    const values = this.#values + VALUES_A_LOOK;
    const at = this.#at + BYTES_A_LOOK;
    while (this.#values < values && this.#at < at) if (this.#value()) return true;
    return false;
  }

  /** Reads up to the end of one value. True when that was the outermost. */
  #value(): boolean {
    this.#space();
    const byte = this.#bytes[this.#at];
    if (byte === 0x7b) return this.#openObject();
    if (byte === 0x5b) return this.#openList();
    if (byte === QUOTE) return this.#complete(this.#string());
    if (byte === 0x74) return this.#word('true', true);
    if (byte === 0x66) return this.#word('false', false);
    if (byte === 0x6e) return this.#word('null', null);
    if (byte !== undefined && startsNumber(byte)) return this.#numbers();
    throw new JsonInvalidError('Expecting value', this.#at);
  }

  #openObject(): boolean {
    this.#push({
      kind: 'object',
      members: Object.create(null) as Record<string, unknown>,
      count: 0,
      key: '',
    });
    if (!this.#take(0x7d)) {
      this.#key();
      return false;
    }
    return this.#close();
  }

  #openList(): boolean {
    this.#push({ kind: 'list', items: [] });
    return this.#take(0x5d) ? this.#close() : false;
  }

  #push(container: Container): void {
    const { depth } = this.#limits;
    if (this.#stack.length === depth) throw new JsonTooLargeError(`JSON deeper than ${depth} levels`);
    this.#stack.push(container);
    this.#at += 1;
  }

  #close(): boolean {
    const container = this.#stack.pop();
    return this.#complete(container?.kind === 'object' ? container.members : container?.items);
  }

  /** Puts a value in its place and reads what follows it: a comma, or ends. */
  #complete(value: unknown): boolean {
    this.#count(1);
    const container = this.#stack.at(-1);
    if (container === undefined) {
      this.result = value;
      this.#space();
      if (this.#at < this.#bytes.length) throw new JsonInvalidError('Extra data', this.#at);
      return true;
    }
    if (container.kind === 'list') container.items.push(value);
    else container.members[container.key] = value;
    return this.#next(container);
  }

  #next(container: Container): boolean {
    if (this.#take(container.kind === 'list' ? 0x5d : 0x7d)) return this.#close();
    if (!this.#take(COMMA)) throw new JsonInvalidError("Expecting ',' delimiter", this.#at);
    if (container.kind === 'object') this.#key();
    return false;
  }

  #key(): void {
    this.#space();
    if (this.#bytes[this.#at] !== QUOTE) {
      throw new JsonInvalidError('Expecting property name enclosed in double quotes', this.#at);
    }
    const key = this.#string();
    const container = this.#stack.at(-1);
    if (container?.kind === 'object') {
      const { members } = this.#limits;
      container.key = key;
      container.count += 1;
      if (container.count > members)
        throw new JsonTooManyError(`JSON with more than ${members} members in one object`, true);
    }
    if (!this.#take(0x3a)) throw new JsonInvalidError("Expecting ':' delimiter", this.#at);
  }

  #word(word: string, value: unknown): boolean {
    if (this.#bytes.toString('latin1', this.#at, this.#at + word.length) !== word) {
      throw new JsonInvalidError('Expecting value', this.#at);
    }
    this.#at += word.length;
    return this.#complete(value);
  }

  #string(): string {
    const start = this.#at;
    const quote = this.#bytes.indexOf(QUOTE, start + 1);
    if (quote === -1) throw new JsonInvalidError('Unterminated string starting at', start);
    const escape = this.#bytes.subarray(start, quote).indexOf(BACKSLASH);
    if (escape === -1 && quote - start > TENSOR_LIMITS.escapedBytes) {
      this.#at = quote + 1;
      return this.#bytes.toString('utf8', start + 1, quote);
    }
    const end = escape === -1 ? quote : this.#endOfEscaped(start, start + escape);
    this.#at = end + 1;
    try {
      return JSON.parse(this.#bytes.toString('utf8', start, end + 1)) as string;
    } catch {
      throw new JsonInvalidError('Invalid control character or escape in the string at', start);
    }
  }

  #endOfEscaped(start: number, escape: number): number {
    const { escapedBytes } = this.#limits;
    const last = start + escapedBytes;
    for (let at = escape; at < this.#bytes.length; at += 1) {
      const byte = this.#bytes[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at += 1;
      if (at > last) {
        throw new JsonTooLargeError(`A JSON string with escapes is longer than ${escapedBytes} bytes`);
      }
    }
    throw new JsonInvalidError('Unterminated string starting at', start);
  }

  /** A number, and in a list all that follow it up to the run's bound. */
  #numbers(): boolean {
    const start = this.#at;
    const bound = Math.min(this.#bytes.length, start + RUN_BYTES);
    const container = this.#stack.at(-1);
    const isList = container?.kind === 'list';
    let end = start;
    let comma = -1;
    for (; end < bound; end += 1) {
      const byte = this.#bytes[end] ?? 0;
      if (byte === COMMA) {
        comma = end;
        if (!isList) break;
      } else if (!inNumber(byte)) break;
    }
    // A run that is cut, or goes on with something else, ends before its last comma: the next step takes up from there.
    if (isList && this.#bytes[end] !== 0x5d && comma !== -1) end = comma;
    const text = this.#bytes.toString('latin1', start, end);
    const values = this.#parseRun(text, start);
    this.#at = end;
    if (!isList) return this.#complete(values[0]);
    this.#count(values.length);
    for (const value of values) container.items.push(value);
    return this.#next(container);
  }

  #parseRun(text: string, start: number): readonly unknown[] {
    try {
      const values = JSON.parse(`[${text}]`) as number[];
      if (this.#limits.finite && !values.every(Number.isFinite)) throw new RangeError('not finite');
      return this.#limits.bigints && LONG_INTEGER.test(text)
        ? text.split(',').map((token, index) => exact(token, values[index]))
        : values;
    } catch {
      let at = start;
      for (const token of text.split(',')) {
        const space = token.length - token.trimStart().length;
        const good = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\s*/.exec(token.slice(space))?.[0];
        if (good === undefined) throw new JsonInvalidError('Expecting value', at + space);
        const read = space + good.length;
        if (read < token.length) throw new JsonInvalidError("Expecting ',' delimiter", at + read);
        at += token.length + 1;
      }
      throw new JsonInvalidError('Expecting value', start);
    }
  }

  #count(values: number): void {
    this.#values += values;
    const { values: most } = this.#limits;
    if (this.#values > most) {
      throw new JsonTooManyError(
        `JSON with more than ${most} values; send numbers in binary or as base64`,
        false,
      );
    }
  }

  #take(wanted: number): boolean {
    this.#space();
    if (this.#bytes[this.#at] !== wanted) return false;
    this.#at += 1;
    return true;
  }

  #space(): void {
    const end = this.#at + MAX_SPACE;
    for (; this.#at < end; this.#at += 1) {
      const byte = this.#bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
    }
    throw new JsonTooLargeError(`JSON with more than ${MAX_SPACE} bytes of white space in one place`);
  }
}

/** Integers that may not fit a double. */
const LONG_INTEGER = /(?:^|[,\s-])\d{16,}(?=[,\s]|$)/;

function exact(token: string, value: number | undefined): unknown {
  const text = token.trim();
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

function startsNumber(byte: number): boolean {
  return byte === 0x2d || (byte >= 0x30 && byte <= 0x39);
}

/** Digits, signs, points, exponents and the space between them. */
function inNumber(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2e ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x65 ||
    byte === 0x45 ||
    byte === 0x20 ||
    byte === 0x0a ||
    byte === 0x0d ||
    byte === 0x09
  );
}
