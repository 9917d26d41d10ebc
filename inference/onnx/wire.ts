import { ModelRefusedError } from '../common/errors.ts';

/** The wire type of a field that states its length: a text, a message or packed numbers. */
export const BYTES = 2;

/** One field of a protobuf message, with its value where that is a number, and the place of its bytes. */
export interface Field {
  readonly number: number;
  /** The wire type: 0 varint, 1 eight bytes, 2 bytes with a length, 5 four bytes. */
  readonly wire: number;
  /** The value of a varint, where every negative number is -1; 0 for the other types. */
  readonly value: number;
  /** Where the content begins, after tag and length. */
  readonly start: number;
  readonly end: number;
}

/** A field of a message in memory. */
export class Part implements Field {
  readonly number: number;
  readonly wire: number;
  readonly value: number;
  readonly start: number;
  readonly end: number;
  readonly #message: Uint8Array;
  readonly #at: number;

  constructor({ number, wire, value, start, end }: Field, message: Uint8Array, at: number) {
    this.number = number;
    this.wire = wire;
    this.value = value;
    this.start = start;
    this.end = end;
    this.#message = message;
    this.#at = at;
  }

  /** Answers the field's content, without its tag and length. */
  get body(): Uint8Array {
    return this.#message.subarray(this.start, this.end);
  }

  /** Answers the whole field as it stands in the message. */
  get raw(): Uint8Array {
    return this.#message.subarray(this.#at, this.end);
  }
}

/**
 * Reads the field that begins at `at`; its content may reach past the bytes.
 * @throws {ModelRefusedError} where none begins
 */
export function fieldAt(bytes: Uint8Array, at: number): Field {
  const tag = varintAt(bytes, at);
  const [number, wire, start] = [Math.floor(tag.value / 8), tag.value % 8, tag.next];
  if (number < 1 || number > 0x1fff_ffff) throw notModel('no field begins where one should');
  switch (wire) {
    case 0: {
      const { value, next } = varintAt(bytes, start);
      return { number, wire, value, start, end: next };
    }
    case 1:
      return { number, wire, value: 0, start, end: start + 8 };
    case BYTES: {
      const { value: length, next } = varintAt(bytes, start);
      if (length < 0) throw notModel('a field has an impossible length');
      return { number, wire, value: 0, start: next, end: next + length };
    }
    case 5:
      return { number, wire, value: 0, start, end: start + 4 };
    default:
      throw notModel('no field begins where one should');
  }
}

/** Reads the fields of a message in their order. @throws {ModelRefusedError} where the bytes are no message */
export function partsOf(message: Uint8Array): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < message.length;) {
    const field = fieldAt(message, at);
    if (field.end > message.length) throw notModel('a field is longer than the message that holds it');
    parts.push(new Part(field, message, at));
    at = field.end;
  }
  return parts;
}

/** Bytes that follow one another in a message. They are copied once, by `joined`. */
export type Pieces = readonly Uint8Array[];

export function joined(pieces: Pieces): Uint8Array {
  const out = new Uint8Array(sizeOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

export function bytesField(number: number, content: Pieces): Pieces {
  return [varint(number * 8 + BYTES), varint(sizeOf(content)), ...content];
}

export function textField(number: number, text: string): Pieces {
  return bytesField(number, [new TextEncoder().encode(text)]);
}

export function numberField(number: number, value: number): Pieces {
  return [varint(number * 8), varint(value)];
}

export function floatField(number: number, value: number): Pieces {
  const body = new Uint8Array(4);
  new DataView(body.buffer).setFloat32(0, value, true);
  return [varint(number * 8 + 5), body];
}

export function decodeText(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

/** Answers the numbers of a repeated varint field, packed or not. */
export function numbersOf(parts: readonly Part[], number: number): number[] {
  return parts
    .filter((part) => part.number === number)
    .flatMap(({ wire, value, body }) => {
      if (wire === 0) return [value];
      const numbers: number[] = [];
      for (let at = 0; at < body.length;) {
        const found = varintAt(body, at);
        numbers.push(found.value);
        at = found.next;
      }
      return numbers;
    });
}

export function notModel(what: string): ModelRefusedError {
  return new ModelRefusedError(`not an ONNX model: ${what}`);
}

function sizeOf(pieces: Pieces): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function varintAt(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let index = 0, factor = 1; index < 10; index += 1, factor *= 128) {
    const byte = bytes[at + index];
    if (byte === undefined) throw notModel('it ends within a number');
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value: index === 9 ? -1 : value, next: at + index + 1 };
  }
  throw notModel('a number has no end');
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
