import type { Readable } from 'node:stream';
import type { ByteRange } from './ranges.ts';

/**
 * Bytes under their SHA-256 (64 lowercase hex digits), such as a screenshot or a long output. They never change. They
 * stay while an event or an effect refers to them; within an hour after a put, something has to.
 */
export interface Blobs {
  /** Stores bytes durably and answers their hash. Putting the same bytes again costs no more than looking them up. */
  put(bytes: Uint8Array): Promise<string>;
  /** Throws NotStoredError for an unknown hash, CorruptError when the bytes no longer match it. */
  get(hash: string): Promise<Uint8Array>;
  has(hash: string): Promise<boolean>;
  /** The bytes, or a range of them, as a stream; `size` is that of all. Throws NotStoredError for an unknown hash. */
  stream(hash: string, range?: ByteRange): Promise<{ readonly size: number; readonly body: Readable }>;
}

/** Whether a text has the form of a blob's name. */
export function isBlobHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
