import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { syncFolder } from '../../whole-file.ts';

/** The operations on an open file that the ledger uses. */
export type DiskFile = Pick<FileHandle, 'read' | 'write' | 'datasync' | 'truncate' | 'stat' | 'close'>;

/** The operations on the file system that the ledger uses, so that a test can inject faults. */
export interface Disk {
  open(path: string, flags: 'a+' | 'w' | 'wx'): Promise<DiskFile>;
  readFile(path: string): Promise<Buffer>;
  rename(from: string, to: string): Promise<void>;
  /** A missing file is no error. */
  remove(path: string): Promise<void>;
  /** Null when the file is missing. */
  sizeOf(path: string): Promise<number | null>;
  /** The names in a folder; none when the folder is missing. */
  list(folder: string): Promise<readonly string[]>;
  makeFolder(path: string): Promise<void>;
  /** Makes names that were created, renamed or removed in a folder durable. */
  syncFolder(folder: string): Promise<void>;
}

export const REAL_DISK: Disk = {
  open: (path, flags) => open(path, flags, 0o600),
  readFile: (path) => readFile(path),
  rename,
  remove: (path) => rm(path, { force: true }),
  sizeOf: async (path) => (await stat(path).catch(() => null))?.size ?? null,
  list: (folder) => readdir(folder).catch(() => []),
  makeFolder: async (path) => {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  syncFolder,
};

/** Writes all bytes; rejects with the system's error when some did not fit. */
export async function writeAll(file: DiskFile, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written);
    written += bytesWritten;
  }
}
