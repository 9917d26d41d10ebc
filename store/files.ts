import type { Readable } from 'node:stream';

/** An uploaded file, without its bytes. Timestamps are RFC 3339 in UTC with milliseconds. */
export interface FileRecord {
  readonly id: string;
  readonly created_at: string;
  /** From then on its bytes are not given out; null for never. */
  readonly expires_at: string | null;
  readonly filename: string;
  readonly mime_type: string;
  readonly size_bytes: number;
}

export type NewFileRecord = Pick<FileRecord, 'id' | 'filename' | 'mime_type'> & {
  /** Seconds from now; never when absent. */
  readonly expiresInSeconds?: number;
};

/** Bytes that have arrived whole and belong to no file yet. Exactly one of `keep` and `discard` is to be called. */
export interface StagedFile {
  readonly size: number;
  /** The first bytes, at most 8 KiB. */
  readonly head: Uint8Array;
  /** Makes the file: record and bytes come to be together, or neither. */
  keep(record: NewFileRecord): Promise<FileRecord>;
  readonly discard: () => Promise<void>;
}

export interface FileListRequest {
  readonly limit: number;
  /** Files older than this id, newest first. */
  readonly after?: string;
  /** The files just newer than this id; they come newest first too. */
  readonly before?: string;
  /** Only these. */
  readonly ids?: readonly string[];
}

/**
 * Uploaded files. Ids sort by their age, so a place in a list is an id, and stays one when its file is deleted. Equal bytes
 * are stored once and go with the last file that has them; bytes of an expired file go with the next look.
 */
export interface FileRecords {
  /**
   * Takes bytes in as they come. A fault of the source leaves nothing.
   * @throws {BytesTooMany} when there are more than `maxBytes`
   */
  stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedFile>;
  get(id: string): Promise<FileRecord | undefined>;
  list(request: FileListRequest): Promise<readonly FileRecord[]>;
  /** False when there was none. */
  delete(id: string): Promise<boolean>;
  /** The bytes in one piece. Throws NotStored for an unknown or expired file, Corrupt when they are not what came. */
  read(id: string): Promise<Uint8Array>;
  /** The bytes as they come from the disk. Throws NotStored for an unknown or expired file. */
  stream(id: string): Promise<{ readonly size: number; readonly hash: string; readonly body: Readable }>;
}
