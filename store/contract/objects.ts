import type { Readable } from 'node:stream';
import type { ByteRange } from './ranges.ts';

/**
 * Named bytes (_objects_) in an S3-compatible store or in a folder. An object is whole or not there, and never changes:
 * each upload has a name of its own. Names are path-like: letters, digits, `.`, `_`, `-`, and `/` between the parts, at most 200 characters.
 *
 * Who needs an object is recorded in the database, and the two are kept together in this order:
 *
 * 1. Staged: the bytes are uploaded under a new name, to which nothing refers yet.
 * 2. Row: a transaction writes the row that names them.
 * 3. Collected: a transaction finds that nothing refers to the row and marks it; then the object is deleted.
 *
 * So nothing refers to what is not there. As no name is used twice, a delete that comes late never meets the bytes of a
 * later upload. What a killed process left without a row is found by listing; its name is marked in the database before
 * it is deleted, so that an upload that was only slow is refused its row instead of losing its bytes.
 */
export interface ObjectStore {
  /** Where the objects are, for people to read: without credentials. */
  readonly place: string;
  /** Writes an object durably. Throws ObjectExistsError when the name is taken. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Writes an object from bytes as they arrive, with one part of them at a time in memory. When the source fails, nothing
   * is left of them.
   * @throws {BytesTooManyError} when there are more than `maxBytes`
   */
  stage(name: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedObject>;
  /** Throws NotStoredError for an unknown name, CorruptError when the bytes do not have this SHA-256. */
  get(name: string, sha256: string): Promise<Uint8Array>;
  /**
   * The bytes as a stream; `size` is that of the whole object. Where a hash is given, a stream of the whole ends with a
   * CorruptError instead of its last piece when the bytes do not have it. Throws NotStoredError for an unknown name.
   */
  stream(
    name: string,
    options?: { readonly range?: ByteRange; readonly sha256?: string },
  ): Promise<ObjectStream>;
  find(name: string): Promise<FoundObject | undefined>;
  /** Deletes objects; a name without one is no error. */
  delete(names: readonly string[]): Promise<void>;
  /** The objects whose names begin with the prefix, page by page in the order of their names, from after `after`. */
  list(prefix: string, after?: string): AsyncIterable<readonly ListedObject[]>;
  /** Removes what is left of uploads under the prefix that began more than so long ago and never ended. */
  removeUnfinished(prefix: string, olderThanMs: number): Promise<void>;
  /** Resolves when the store answers and would take our bytes; otherwise throws the reason. */
  check(): Promise<void>;
  close(): void;
}

/** What is known of bytes that were written as they arrived. */
export interface StagedObject {
  readonly name: string;
  readonly size: number;
  /** SHA-256, 64 lowercase hex digits. */
  readonly hash: string;
  /** The first bytes, at most 8 KiB. */
  readonly head: Uint8Array;
}

export interface ObjectStream {
  readonly size: number;
  readonly body: Readable;
}

export interface FoundObject {
  readonly size: number;
  /** When it was written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

export interface ListedObject extends FoundObject {
  readonly name: string;
}

/** Whether a text may name an object. */
export function isObjectName(text: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/.test(text) && text.length <= 200;
}
