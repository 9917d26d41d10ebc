import type { Blobs } from '../contract/blobs.ts';

/**
 * Blobs that are removed once no row refers to them. Functions named `...Now` run inside a write transaction, which all
 * processes take one after the other.
 */
export interface CollectedBlobs extends Blobs {
  /** Writes bytes as they arrive. When the source fails, nothing is left of them. */
  stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedBlob>;
  /** Notes that a row refers to the blob, which ends its time of grace. False when there is no such blob. */
  settleNow(hash: string): boolean;
  /** Has the bytes go, to which no row refers, unless they are within their time of grace. */
  dropNow(hash: string): void;
  /** The hashes that begin with this byte. */
  hashesIn(folder: number): readonly string[];
  /** Deletes what `dropNow` has decided on and what it could not delete inside the transaction. */
  deleteDropped(): Promise<void>;
  /** Removes what killed processes have left. */
  sweep(): Promise<void>;
}

/** Bytes that have arrived completely. `discard` is called at the end in any case. */
export interface StagedBlob {
  readonly hash: string;
  readonly size: number;
  /** The first bytes, at most 8 KiB. */
  readonly head: Uint8Array;
  /** Makes them blobs, in the transaction that writes the row that refers to them. */
  keepNow(): void;
  discard(): Promise<void>;
}
