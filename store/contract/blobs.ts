import type { Readable } from 'node:stream';

/**
 * Bytes named by their SHA-256 (64 lowercase hex digits): a screenshot, a long output. Never changed once put. They stay while
 * an event or an effect names them; one that was put has an hour to be named.
 */
export interface Blobs {
  /** Stores bytes durably and answers their hash. Putting the same bytes again costs a look-up. */
  put(bytes: Uint8Array): Promise<string>;
  /** Throws NotStoredError for an unknown hash, CorruptError when the bytes no longer match it. */
  get(hash: string): Promise<Uint8Array>;
  has(hash: string): Promise<boolean>;
  /** Bytes in pieces, for responses. Throws NotStoredError for an unknown hash. */
  stream(hash: string): Promise<{ readonly size: number; readonly body: Readable }>;
}

/** Says whether a text can be a blob's name. */
export function isBlobHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
