import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** A database as it lies on the disk: its file and its write-ahead log. */
export interface FileImage {
  readonly main: Buffer;
  readonly log: Buffer;
}

/** What a disk writes whole or not at all. */
const SECTOR = 512;
/** The head of the log, which SQLite syncs before the frames that follow a new one. */
const LOG_HEAD = 32;

export function readImage(path: string): FileImage {
  const log = `${path}-wal`;
  return { main: readFileSync(path), log: existsSync(log) ? readFileSync(log) : Buffer.alloc(0) };
}

/** Writes the image where no database was; the shared memory beside one does not outlive a process. */
export function writeImage(path: string, { main, log }: FileImage): void {
  writeFileSync(path, main);
  writeFileSync(`${path}-wal`, log);
}

/**
 * Makes what a power cut in the middle of a commit may leave, between the image before it and the one after it. The log is
 * synced before the file is written, so either the log has any part of the new sectors and the file none, or the log is
 * whole and the file has any part of them.
 */
export function tornImage(before: FileImage, after: FileImage, random: () => number): FileImage {
  if (!before.main.equals(after.main) && random() < 0.5) {
    return { main: mixed(before.main, after.main, random), log: after.log };
  }
  const log = mixed(before.log, after.log, random);
  after.log.copy(log, 0, 0, LOG_HEAD);
  // The end of a file that grew may be missing.
  const kept = before.log.length + Math.floor(random() * (log.length - before.log.length + 1));
  return { main: before.main, log: random() < 0.5 ? log.subarray(0, Math.max(kept, LOG_HEAD)) : log };
}

/** Each sector is the new one, the old one, or zeros where there was none. */
function mixed(before: Buffer, after: Buffer, random: () => number): Buffer {
  const written = random();
  const result = Buffer.alloc(Math.max(before.length, after.length));
  before.copy(result);
  for (let at = 0; at < after.length; at += SECTOR) {
    if (random() < written) after.copy(result, at, at, Math.min(at + SECTOR, after.length));
  }
  return result;
}
