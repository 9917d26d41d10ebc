import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StorageFullError, StoreUnwritableError } from '../contract/errors.ts';
import { codeOf, isFull, isUnwritable } from './faults.ts';

const LOOK_MS = 2000;
const MIB = 1024 * 1024;
/** With less room than this, any error of the disk counts as a full disk, as not every write reports one. */
const NEXT_TO_NOTHING = 256 * 1024;

const random = promisify(randomBytes);

/** Whether the store can be written, and why not. */
export type StorageState =
  | { readonly status: 'ok' }
  | { readonly status: 'full'; readonly folder: string; readonly free_bytes: number | null }
  | { readonly status: 'unwritable'; readonly folder: string; readonly reason: string };

/**
 * Guards a folder against a full disk. At the first sign of one it deletes a reserve file, so that essential events can
 * still be written; everything else is refused until there is room again and the reserve has been made anew. Processes
 * on one folder share the reserve: where it is missing, the disk counts as full for all of them.
 */
export interface StorageGuard {
  /** The error that a failed write is to throw: StorageFullError, StoreUnwritableError, or the same error. */
  failed(error: unknown): unknown;
  /** Notes a successful write. */
  succeeded(): void;
  /** Throws StorageFullError while only essential writes are taken. */
  requireRoom(): void;
  state(): StorageState;
  /** Checks for room now; the guard does so by itself every two seconds. */
  look(): Promise<void>;
  close(): void;
}

interface StorageGuardOptions {
  readonly dir: string;
  /** The size of the reserve file; 0 for none. */
  readonly reserveBytes: number;
  /** Called once at each change. */
  readonly onChange?: (state: StorageState) => void;
  /** The bytes that this user may still write; null where the system does not tell. */
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
    // This makes room for the essential events that follow.
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

/** The reserve holds random bytes, which no file system compresses. */
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
