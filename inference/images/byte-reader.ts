/** A file's header ends too early or contradicts itself. Callers turn it into an `InferenceError`. */
export class BrokenHeaderError extends Error {
  override readonly name = 'BrokenHeaderError';
}

/** Reads numbers and texts of a file, and checks every access against the file's end. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  littleEndian: boolean;

  constructor(bytes: Uint8Array, littleEndian = false) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.littleEndian = littleEndian;
  }

  get length(): number {
    return this.bytes.length;
  }

  #need(offset: number, size: number): void {
    if (!(offset >= 0 && offset + size <= this.bytes.length))
      throw new BrokenHeaderError('the file ends too early');
  }

  u8(offset: number): number {
    this.#need(offset, 1);
    return this.#view.getUint8(offset);
  }

  u16(offset: number): number {
    this.#need(offset, 2);
    return this.#view.getUint16(offset, this.littleEndian);
  }

  u24le(offset: number): number {
    this.#need(offset, 3);
    return this.u8(offset) | (this.u8(offset + 1) << 8) | (this.u8(offset + 2) << 16);
  }

  u32(offset: number): number {
    this.#need(offset, 4);
    return this.#view.getUint32(offset, this.littleEndian);
  }

  /** An offset over 2^53 lies outside any file and is refused. */
  u64(offset: number): number {
    this.#need(offset, 8);
    const value = this.#view.getBigUint64(offset, this.littleEndian);
    if (value > BigInt(Number.MAX_SAFE_INTEGER))
      throw new BrokenHeaderError('an offset lies outside the file');
    return Number(value);
  }

  /** Reads Latin-1 text. */
  text(offset: number, length: number): string {
    this.#need(offset, length);
    return String.fromCharCode(...this.bytes.subarray(offset, offset + length));
  }

  sub(offset: number, length: number): Uint8Array {
    this.#need(offset, length);
    return this.bytes.subarray(offset, offset + length);
  }
}
