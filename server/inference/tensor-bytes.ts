import type { Datatype, Tensor, TensorData } from '@steadyhand/inference';
import { RequestRefusedError } from '../body/request-refused.ts';

/** Bytes an element takes; BYTES has none of its own. */
export const ELEMENT_BYTES: Readonly<Record<Exclude<Datatype, 'BYTES'>, number>> = {
  BOOL: 1,
  UINT8: 1,
  UINT16: 2,
  UINT32: 4,
  UINT64: 8,
  INT8: 1,
  INT16: 2,
  INT32: 4,
  INT64: 8,
  FP16: 2,
  FP32: 4,
  FP64: 8,
};

export function isDatatype(text: unknown): text is Datatype {
  return typeof text === 'string' && (text === 'BYTES' || Object.hasOwn(ELEMENT_BYTES, text));
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
  const { buffer } = new Uint8Array(bytes);
  switch (datatype) {
    case 'BOOL':
    case 'UINT8':
      return new Uint8Array(buffer);
    case 'FP16':
    case 'UINT16':
      return new Uint16Array(buffer);
    case 'UINT32':
      return new Uint32Array(buffer);
    case 'UINT64':
      return new BigUint64Array(buffer);
    case 'INT8':
      return new Int8Array(buffer);
    case 'INT16':
      return new Int16Array(buffer);
    case 'INT32':
      return new Int32Array(buffer);
    case 'INT64':
      return new BigInt64Array(buffer);
    case 'FP32':
      return new Float32Array(buffer);
    case 'FP64':
      return new Float64Array(buffer);
  }
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
