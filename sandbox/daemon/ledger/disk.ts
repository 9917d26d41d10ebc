import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { syncFolder } from '../../sync-folder.ts';

/** What the ledger does with one open file. */
export type DiskFile = Pick<FileHandle, 'read' | 'write' | 'datasync' | 'truncate' | 'stat' | 'close'>;

/** What the ledger does with the file system, so that a test can put faults between the two. */
export interface Disk {
  open(path: string, flags: 'a+' | 'w' | 'wx'): Promise<DiskFile>;
  readFile(path: string): Promise<Buffer>;
  rename(from: string, to: string): Promise<void>;
  /** No error when nothing is there. */
  remove(path: string): Promise<void>;
  /** null when nothing is there. */
  sizeOf(path: string): Promise<number | null>;
  /** Names in a folder; none when there is no such folder. */
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

/** Writes all of it; rejects with the system's error when part of it did not fit. */
export async function writeAll(file: DiskFile, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written);
    written += bytesWritten;
  }
}
