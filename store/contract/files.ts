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
  /** The session that it belongs to and goes with; null: an upload, everybody's. */
  readonly scope: string | null;
  /** Where in the session's sandbox it was found; null for uploads and copies of them. */
  readonly origin: string | null;
}

export type NewFileRecord = Pick<FileRecord, 'id' | 'filename' | 'mime_type'> & {
  /** Seconds from now; never when absent. */
  readonly expiresInSeconds?: number;
  readonly scope?: string;
  readonly origin?: string;
  /** Of the content at its origin; see `newestFrom`. */
  readonly stamp?: string;
};

/** What is known of the file that was last found at an origin. */
export interface FoundFile {
  readonly id: string;
  readonly stamp: string | null;
}

/** Bytes that have arrived whole and belong to no file yet. Exactly one of `keep` and `discard` is to be called. */
export interface StagedFile {
  readonly size: number;
  /** The first bytes, at most 8 KiB. */
  readonly head: Uint8Array;
  /**
   * Makes the file: record and bytes come to be together, or neither. With an `origin` whose newest file has the same bytes,
   * that one is the file, with the new stamp.
   */
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
  /** Those of one session; without it those of none. Passed over when `ids` are given. */
  readonly scope?: string;
}

/**
 * Uploaded files. Ids sort by their age, so a place in a list is an id, and stays one when its file is deleted. Equal bytes
 * are stored once and go with the last file that has them; bytes of an expired file go with the next look.
 */
export interface FileRecords {
  /**
   * Takes bytes in as they come. A fault of the source leaves nothing.
   * @throws {BytesTooManyError} when there are more than `maxBytes`
   */
  stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedFile>;
  get(id: string): Promise<FileRecord | undefined>;
  list(request: FileListRequest): Promise<readonly FileRecord[]>;
  /** False when there was none. */
  delete(id: string): Promise<boolean>;
  /** A file of its own with the same bytes, which are not stored again. Throws NotStoredError for an unknown or expired one. */
  copy(id: string, to: Pick<NewFileRecord, 'id' | 'scope'>): Promise<FileRecord>;
  /** The file that was last found at an origin of a session's sandbox. */
  newestFrom(scope: string, origin: string): Promise<FoundFile | undefined>;
  /** Deletes all files of a session. */
  deleteScope(scope: string): Promise<void>;
  /** The bytes in one piece. Throws NotStoredError for an unknown or expired file, CorruptError when they are not what came. */
  read(id: string): Promise<Uint8Array>;
  /** The bytes as they come from the disk. Throws NotStoredError for an unknown or expired file. */
  stream(id: string): Promise<{ readonly size: number; readonly hash: string; readonly body: Readable }>;
}
