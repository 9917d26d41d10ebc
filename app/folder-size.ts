import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';

/** How long a measurement holds. */
const FRESH_MS = 60_000;
/** How long the first one is waited for. */
const FIRST_MS = 500;

/** A folder's size, as it was found some time ago. */
export interface MeasuredSize {
  /** What its files take on the disk; null until they were looked at. */
  readonly bytes: number | null;
  /** Milliseconds since the epoch. */
  readonly at: number | null;
}

/**
 * Measures a folder when it is asked for and the last time is a minute ago, one measurement at a time. Only the first is
 * waited for, and half a second at most; a large folder takes longer.
 */
export function folderSizes(folder: string, now: () => number = Date.now): () => Promise<MeasuredSize> {
  let known: MeasuredSize = { bytes: null, at: null };
  let measuring: Promise<void> | undefined;
  const measure = async (): Promise<void> => {
    try {
      known = { bytes: await sizeOf(folder), at: now() };
    } finally {
      measuring = undefined;
    }
  };
  return async () => {
    if (known.at === null || now() - known.at > FRESH_MS) measuring ??= measure();
    if (known.at === null && measuring !== undefined) await atMost(measuring, FIRST_MS);
    return known;
  };
}

/** The blocks that the files below a folder take. What goes away meanwhile takes none. */
async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  const open = [folder];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    try {
      for await (const entry of await opendir(place)) {
        const file = path.join(place, entry.name);
        if (entry.isDirectory()) open.push(file);
        else if (entry.isFile()) bytes += (await lstat(file)).blocks * 512;
      }
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
  }
  return bytes;
}

function isUnreadable(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR';
}

async function atMost(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
