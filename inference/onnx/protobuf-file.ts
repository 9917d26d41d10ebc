import type { FileHandle } from 'node:fs/promises';
import { ModelRefusedError } from '../common/errors.ts';
import { fieldAt, notModel, type Field } from './wire.ts';

const WINDOW_BYTES = 16_384;
/** A tag and a length, each a varint of at most ten bytes. */
const HEADER_BYTES = 20;

/** Reads messages of a file field by field. What nobody asks for, such as weights, is skipped by its length. */
export class ProtobufFile {
  readonly size: number;
  readonly #handle: FileHandle;
  #window: Uint8Array = new Uint8Array(0);
  #windowStart = 0;

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /**
   * Answers the fields of the message from `start` to before `end`.
   * @throws {ModelRefusedError} where the bytes are no message
   */
  async *fields(start: number, end: number): AsyncGenerator<Field, void, void> {
    for (let at = start; at < end;) {
      const field = fieldAt(await this.bytes(at, Math.min(HEADER_BYTES, end - at)), 0);
      if (at + field.end > end) {
        throw end === this.size
          ? new ModelRefusedError(
              `the file is cut short: a part at byte ${at} needs ${field.end} bytes, ${end - at} are left`,
            )
          : notModel(`a field at byte ${at} is longer than the message that holds it`);
      }
      yield { ...field, start: at + field.start, end: at + field.end };
      at += field.end;
    }
  }

  /** Reads the bytes from `start` on; the next call may overwrite them. */
  async bytes(start: number, length: number): Promise<Uint8Array> {
    const from = start - this.#windowStart;
    if (from >= 0 && from + length <= this.#window.length) return this.#window.subarray(from, from + length);
    const wanted = Math.max(length, Math.min(WINDOW_BYTES, this.size - start));
    const window = new Uint8Array(wanted);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await this.#handle.read(window, filled, wanted - filled, start + filled);
      if (bytesRead === 0) throw new ModelRefusedError('the file became shorter while it was read');
      filled += bytesRead;
    }
    this.#window = window;
    this.#windowStart = start;
    return window.subarray(0, length);
  }
}
