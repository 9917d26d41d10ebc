import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StorageFullError, StoreUnwritableError } from '../contract/errors.ts';
import { codeOf, isFull, isUnwritable } from './faults.ts';

const LOOK_MS = 2000;
const MIB = 1024 * 1024;
/** An error of the disk with less room than this is one of a full disk: not every write says so. */
const NEXT_TO_NOTHING = 256 * 1024;

const random = promisify(randomBytes);

/** Whether the store can take more, and why not. */
export type StorageState =
  | { readonly status: 'ok' }
  | { readonly status: 'full'; readonly folder: string; readonly free_bytes: number | null }
  | { readonly status: 'unwritable'; readonly folder: string; readonly reason: string };

/**
 * Watches over the room of a folder. At the first sign of a full disk it gives up a reserve, so that what has to be said and
 * ended can be written; from then on nothing else is taken, until there is room again and the reserve has been made anew.
 * Processes on one folder share the reserve: where it is missing, the disk is full for all of them.
 */
export interface StorageGuard {
  /** What a failed write is to throw: StorageFullError, StoreUnwritableError, or the error itself. */
  failed(error: unknown): unknown;
  /** A write has gone well. */
  succeeded(): void;
  /** Throws StorageFullError when nothing more is to be taken. */
  requireRoom(): void;
  state(): StorageState;
  /** Looks for room now; it does so every two seconds by itself. */
  look(): Promise<void>;
  close(): void;
}

export interface StorageGuardOptions {
  readonly dir: string;
  /** 0: none. */
  readonly reserveBytes: number;
  /** Told once at each change. */
  readonly onChange?: (state: StorageState) => void;
  /** Bytes that this user may still write; null where the system does not say. */
  readonly freeBytes?: () => number | null;
}

export function createStorageGuard(options: StorageGuardOptions): StorageGuard {
  const { dir, reserveBytes, onChange } = options;
  const freeBytes = options.freeBytes ?? ((): number | null => freeBytesOf(dir));
  const reserve = join(dir, 'storage.reserve');
  const enough = Math.max(2 * reserveBytes, 4 * MIB);
  let isDiskFull = false;
  let hadReserve = false;
  let refused: string | undefined;

  const state = (): StorageState => {
    if (isDiskFull) return { status: 'full', folder: dir, free_bytes: freeBytes() };
    if (refused !== undefined) return { status: 'unwritable', folder: dir, reason: refused };
    return { status: 'ok' };
  };

  const becomeFull = (): void => {
    // The room for the words that follow.
    if (reserveBytes > 0) rmSync(reserve, { force: true });
    if (isDiskFull) return;
    isDiskFull = true;
    onChange?.(state());
  };

  const look = async (): Promise<void> => {
    if (reserveBytes > 0 && hadReserve && !isDiskFull && !existsSync(reserve)) becomeFull();
    if (!isDiskFull && (reserveBytes === 0 || hadReserve)) return;
    if ((freeBytes() ?? Number.POSITIVE_INFINITY) < enough) return;
    try {
      if (reserveBytes > 0) await makeReserve(reserve, reserveBytes);
    } catch (error) {
      if (isFull(error)) becomeFull();
      return;
    }
    hadReserve = reserveBytes > 0;
    if (!isDiskFull) return;
    isDiskFull = false;
    onChange?.(state());
  };

  let looking: Promise<void> | undefined;
  const lookOnce = (): Promise<void> =>
    (looking ??= look().finally(() => {
      looking = undefined;
    }));
  const timer = setInterval(() => void lookOnce().catch(() => undefined), LOOK_MS).unref();

  return {
    failed(error) {
      const isRoom = isFull(error) || (isUnwritable(error) && (freeBytes() ?? enough) < NEXT_TO_NOTHING);
      if (isRoom) {
        const free = freeBytes();
        becomeFull();
        return new StorageFullError(dir, free, { cause: error });
      }
      if (!isUnwritable(error)) return error;
      const reason = `${codeOf(error)}: ${error instanceof Error ? error.message : String(error)}`;
      const isNew = refused === undefined;
      refused = reason;
      if (isNew) onChange?.(state());
      return new StoreUnwritableError(dir, reason, { cause: error });
    },
    succeeded() {
      if (refused === undefined) return;
      refused = undefined;
      onChange?.(state());
    },
    requireRoom() {
      if (isDiskFull) throw new StorageFullError(dir, freeBytes());
    },
    state,
    look: lookOnce,
    close() {
      clearInterval(timer);
    },
  };
}

/** Random bytes, which no file system makes smaller. */
async function makeReserve(path: string, bytes: number): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size === bytes) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.draft`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      for (let done = 0; done < bytes; done += MIB)
        await file.writeFile(await random(Math.min(MIB, bytes - done)));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function freeBytesOf(dir: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  } catch {
    return null;
  }
}
