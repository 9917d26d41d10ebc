import type { Readable } from 'node:stream';
import type { JsonObject } from './json.ts';
import type { ByteRange } from './ranges.ts';

/** An uploaded file, without its bytes. Timestamps are RFC 3339 in UTC with milliseconds. */
export interface FileRecord {
  readonly id: string;
  readonly created_at: string;
  /** The time from which its bytes are not given out; null for never. */
  readonly expires_at: string | null;
  readonly filename: string;
  readonly mime_type: string;
  readonly size_bytes: number;
  /** The session that it belongs to and is deleted with; null for others. */
  readonly scope: string | null;
  /** The path in the session's sandbox where it was found, or the sandbox of a snapshot; null for uploads and copies of them. */
  readonly origin: string | null;
  /** What a snapshot of a sandbox says of itself, which is kept like a file; null for the files of the API. */
  readonly details: JsonObject | null;
}

export type NewFileRecord = Pick<FileRecord, 'id' | 'filename' | 'mime_type'> & {
  /** Seconds from now; without it the file never expires. */
  readonly expiresInSeconds?: number;
  readonly scope?: string;
  readonly origin?: string;
  /** Tells one version of the content at the origin from another; see `newestFrom`. */
  readonly stamp?: string;
  readonly details?: JsonObject;
};

/** The file that was last found at an origin. */
interface FoundFile {
  readonly id: string;
  readonly stamp: string | null;
}

/**
 * Bytes that have arrived completely and belong to no file yet. The caller calls exactly one of `keep` and `discard`.
 */
interface StagedFile {
  readonly size: number;
  /** The first bytes, at most 8 KiB. */
  readonly head: Uint8Array;
  /**
   * Makes the file: record and bytes appear together, or neither does. Where the newest file of the same `origin` has
   * the same bytes, that one is answered, with the new stamp.
   */
  keep(record: NewFileRecord): Promise<FileRecord>;
  readonly discard: () => Promise<void>;
}

export interface FileListRequest {
  readonly limit: number;
  /** Only files older than this id, newest first. */
  readonly after?: string;
  /** Only files newer than this id, the nearest ones; they come newest first too. */
  readonly before?: string;
  /** Only files with these ids. */
  readonly ids?: readonly string[];
  /** Only files of this session; without it, files of no session. Ignored when `ids` are given. */
  readonly scope?: string;
  /** Only snapshots, or with an id only those of that sandbox; without it, only files of the API. */
  readonly snapshots?: true | string;
}

/**
 * Uploaded files. Ids sort by age, so an id is a place in a list, also after its file is deleted. Equal bytes are
 * stored once and removed with the last file that has them; the bytes of an expired file are removed at the next
 * access.
 */
export interface FileRecords {
  /**
   * Writes bytes as they arrive. When the source fails, nothing is left of them.
   * @throws {BytesTooManyError} when there are more than `maxBytes`
   */
  stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedFile>;
  get(id: string): Promise<FileRecord | undefined>;
  list(request: FileListRequest): Promise<readonly FileRecord[]>;
  /** False when there was none. */
  delete(id: string): Promise<boolean>;
  /**
   * Makes a file with the same bytes, which are not stored again. Throws NotStoredError for an unknown or expired one.
   */
  copy(id: string, to: Pick<NewFileRecord, 'id' | 'scope'>): Promise<FileRecord>;
  /** The file that was last found at an origin of a session's sandbox. */
  newestFrom(scope: string, origin: string): Promise<FoundFile | undefined>;
  /** Deletes all files of a session. */
  deleteScope(scope: string): Promise<void>;
  /**
   * The bytes in one piece. Throws NotStoredError for an unknown or expired file, CorruptError when the bytes have
   * changed.
   */
  read(id: string): Promise<Uint8Array>;
  /** The bytes, or a range of them, as a stream; `size` is that of all. Throws NotStoredError for an unknown or expired file. */
  stream(
    id: string,
    range?: ByteRange,
  ): Promise<{ readonly size: number; readonly hash: string; readonly body: Readable }>;
}
