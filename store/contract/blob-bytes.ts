import type { Readable } from 'node:stream';

/** Bytes that have arrived completely under a temporary name. */
export interface StagedBytes {
  /** SHA-256, 64 lowercase hex digits. */
  readonly hash: string;
  readonly size: number;
  /** The first bytes, at most 8 KiB. */
  readonly head: Uint8Array;
  /** Gives the bytes their hash as name, durably, unless that is there already. It may be called again until `discard`. */
  publish(): Promise<void>;
  /** Removes the temporary copy. It has to be called at the end in any case, also after `publish`. */
  discard(): Promise<void>;
}

/** A part of some bytes: both ends are included, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Bytes that lie in the place. */
interface ListedBytes {
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

/**
 * A place for bytes under their SHA-256 (64 lowercase hex digits), such as a folder or a bucket. It knows nothing of who
 * refers to them: the store's rows decide what is written and what is deleted, and nothing is written before a row
 * tells of it.
 */
export interface BlobBytes {
  /** Where the bytes lie, for messages, such as a folder or `s3://bucket/prefix`; without credentials. */
  readonly place: string;
  /** Stores bytes durably under their hash. When they are there already, nothing is written. */
  put(hash: string, bytes: Uint8Array): Promise<void>;
  /**
   * Throws NotStoredError for an unknown hash, CorruptError when the bytes no longer match it, and
   * StoreUnavailableError when the place cannot be reached.
   */
  get(hash: string): Promise<Uint8Array>;
  has(hash: string): Promise<boolean>;
  /** `size` is that of all the bytes. Throws NotStoredError for an unknown hash. */
  stream(hash: string, range?: ByteRange): Promise<{ readonly size: number; readonly body: Readable }>;
  /** Deletes bytes; what is not there is no error. */
  delete(hashes: readonly string[]): Promise<void>;
  /** All that lies in the place, in no particular order. */
  list(): AsyncIterable<ListedBytes>;
  /**
   * Writes bytes under a temporary name as they arrive, with a bounded amount of them in memory. A failure, of the
   * source too, leaves nothing.
   * @throws {BytesTooManyError} when there are more than `maxBytes`
   */
  stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedBytes>;
  /** Removes what processes that are gone have left under temporary names. */
  sweep(): Promise<void>;
  /** Throws StoreUnavailableError or another error when the place cannot be used now; for checks of readiness. */
  check(): Promise<void>;
  close(): Promise<void>;
}
