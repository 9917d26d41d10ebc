import type { Datatype, Tensor, TensorData } from '@steadyhand/inference';
import { RequestRefusedError } from '../body/request-refused.ts';

/** The array that holds a datatype's values; FP16 is held as its bits, and texts are held in a list. */
export const ARRAYS = {
  BOOL: Uint8Array,
  UINT8: Uint8Array,
  UINT16: Uint16Array,
  UINT32: Uint32Array,
  UINT64: BigUint64Array,
  INT8: Int8Array,
  INT16: Int16Array,
  INT32: Int32Array,
  INT64: BigInt64Array,
  FP16: Uint16Array,
  FP32: Float32Array,
  FP64: Float64Array,
} as const satisfies Readonly<Record<Exclude<Datatype, 'BYTES'>, unknown>>;

export function isDatatype(text: unknown): text is Datatype {
  return typeof text === 'string' && (text === 'BYTES' || Object.hasOwn(ARRAYS, text));
}

/**
 * A tensor's values as the wire has them: little endian, row-major; BYTES as texts each after its length in 4 bytes.
 * Where this machine is little endian, as every one that the product runs on, numbers are a view, not a copy.
 */
export function toBytes({ datatype, data }: Tensor): Buffer {
  if (datatype !== 'BYTES') {
    const { buffer, byteOffset, byteLength } = data as Exclude<TensorData, readonly string[]>;
    return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
  }
  const texts = (data as readonly string[]).map((text) => Buffer.from(text, 'utf8'));
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + 4 + text.length, 0));
  let at = 0;
  for (const text of texts) {
    at = bytes.writeUInt32LE(text.length, at);
    at += text.copy(bytes, at);
  }
  return bytes;
}

/**
 * The values in wire bytes, copied so that they are aligned and can be transferred.
 * Throws RequestRefusedError (400) where BYTES are cut short or have another count.
 */
export function fromBytes(datatype: Datatype, bytes: Buffer, count: number, field: string): TensorData {
  if (datatype === 'BYTES') return textsFrom(bytes, count, field);
  return new ARRAYS[datatype](new Uint8Array(bytes).buffer);
}

function textsFrom(bytes: Buffer, count: number, field: string): readonly string[] {
  const texts: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const length = at + 4 <= bytes.length ? bytes.readUInt32LE(at) : Infinity;
    if (at + 4 + length > bytes.length) {
      throw new RequestRefusedError(400, `${field}: the binary data ends within element ${texts.length}`);
    }
    texts.push(bytes.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length;
  }
  if (texts.length !== count) {
    throw new RequestRefusedError(
      400,
      `${field}: the binary data has ${texts.length} elements, its shape ${count}`,
    );
  }
  return texts;
}
