import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A file system of its own with so much room. */
export interface SmallDisk {
  readonly dir: string;
  /** Writes a file until nothing more goes onto the disk. */
  fill(): void;
  /** Takes that file away again. */
  free(): void;
  close(): void;
}

/** Undefined where this user may mount nothing. */
export function mountSmallDisk(mib: number): SmallDisk | undefined {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=0700`, 'tmpfs', dir]);
  if (status !== 0) {
    rmSync(dir, { recursive: true });
    return undefined;
  }
  const filler = path.join(dir, 'filler');
  return {
    dir,
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (let size = 1024 * 1024; size >= 1;) {
          try {
            if (writeSync(file, Buffer.alloc(size)) < size) size = Math.floor(size / 2);
          } catch {
            size = Math.floor(size / 2);
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    close() {
      spawnSync('umount', ['--lazy', dir]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
