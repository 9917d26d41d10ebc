import type { FileHandle } from 'node:fs/promises';
import { ModelRefusedError } from '../errors.ts';

/** One field of a message: a number, or the place of its bytes. */
export interface Field {
  readonly number: number;
  /** Of a varint field; every negative number as -1, and 0 for the other kinds. */
  readonly value: number;
  /** Of a length-delimited field: where its bytes begin. */
  readonly start: number;
  /** How many bytes; -1 for the other kinds. */
  readonly length: number;
}

const WINDOW_BYTES = 16_384;
/** A tag and a length, each a varint of at most ten bytes. */
const HEADER_BYTES = 20;
const NUMBER = { value: 0, start: 0, length: -1 };

/** The fields of a message in memory. @throws {ModelRefusedError} where the bytes are no message */
export function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length;) {
    const { field, next } = fieldAt(bytes, at);
    if (next > bytes.length) throw broken('a field is longer than the message that holds it');
    fields.push(field);
    at = next;
  }
  return fields;
}

/** Reads messages in a file field by field; what nobody asks for (weights) is passed over by its length. */
export class ProtobufFile {
  readonly size: number;
  private readonly handle: FileHandle;
  private window: Uint8Array = new Uint8Array(0);
  private windowStart = 0;

  constructor(handle: FileHandle, size: number) {
    this.handle = handle;
    this.size = size;
  }

  /** The fields of the message from `start` to `end`. @throws {ModelRefusedError} where the bytes are no message */
  async *fields(start: number, end: number): AsyncGenerator<Field, void, void> {
    for (let at = start; at < end;) {
      const { field, next } = fieldAt(await this.bytes(at, Math.min(HEADER_BYTES, end - at)), 0);
      if (at + next > end) {
        throw end === this.size
          ? new ModelRefusedError(
              `the file is cut short: a part at byte ${at} needs ${next} bytes, ${end - at} are left`,
            )
          : broken(`a field at byte ${at} is longer than the message that holds it`);
      }
      yield { ...field, start: at + field.start };
      at += next;
    }
  }

  /** The bytes at `start`; they hold until the next call. */
  async bytes(start: number, length: number): Promise<Uint8Array> {
    const from = start - this.windowStart;
    if (from >= 0 && from + length <= this.window.length) return this.window.subarray(from, from + length);
    const wanted = Math.max(length, Math.min(WINDOW_BYTES, this.size - start));
    const window = new Uint8Array(wanted);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await this.handle.read(window, filled, wanted - filled, start + filled);
      if (bytesRead === 0) throw new ModelRefusedError('the file became shorter while it was read');
      filled += bytesRead;
    }
    this.window = window;
    this.windowStart = start;
    return window.subarray(0, length);
  }
}

function fieldAt(bytes: Uint8Array, at: number): { field: Field; next: number } {
  const tag = varintAt(bytes, at);
  const number = Math.floor(tag.value / 8);
  if (number < 1 || number > 0x1fff_ffff) throw broken('no field begins where one should');
  switch (tag.value % 8) {
    case 0: {
      const { value, next } = varintAt(bytes, tag.next);
      return { field: { ...NUMBER, number, value }, next };
    }
    case 1:
      return { field: { ...NUMBER, number }, next: tag.next + 8 };
    case 2: {
      const { value: length, next } = varintAt(bytes, tag.next);
      if (length < 0) throw broken('a field has an impossible length');
      return { field: { number, value: 0, start: next, length }, next: next + length };
    }
    case 5:
      return { field: { ...NUMBER, number }, next: tag.next + 4 };
    default:
      throw broken('no field begins where one should');
  }
}

function varintAt(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let index = 0, factor = 1; index < 10; index += 1, factor *= 128) {
    const byte = bytes[at + index];
    if (byte === undefined) throw broken('it ends within a number');
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value: index === 9 ? -1 : value, next: at + index + 1 };
  }
  throw broken('a number has no end');
}

function broken(what: string): ModelRefusedError {
  return new ModelRefusedError(`not an ONNX model: ${what}`);
}
