import type { BigIntStats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import type { BytePath } from '../../byte-path.ts';
import type { TreeEntry, TreeEntryKind } from '../../guest-protocol/tree.ts';

export const toBytes = (path: BytePath): Buffer => Buffer.from(path, 'latin1');
export const toBytePath = (bytes: Uint8Array): BytePath => Buffer.from(bytes).toString('latin1');

/** Describes one path; a symbolic link is not followed. */
export async function entryAt(path: BytePath): Promise<TreeEntry> {
  const found = await lstat(toBytes(path), { bigint: true });
  const target = found.isSymbolicLink() ? await readlink(toBytes(path), 'buffer') : null;
  return entryOf(path, found, target === null ? null : toBytePath(target));
}

export function entryOf(path: BytePath, found: BigIntStats, target: BytePath | null = null): TreeEntry {
  const kind = entryKind(found);
  return {
    path,
    kind,
    size: kind === 'file' ? Number(found.size) : 0,
    mode: Number(found.mode & 0o7777n),
    mtimeMs: Number(found.mtimeMs),
    stamp: [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(':'),
    target,
  };
}

function entryKind(found: BigIntStats): TreeEntryKind {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'directory';
  return found.isSymbolicLink() ? 'symlink' : 'other';
}

/** Lists the entries below a folder; see `treeList`. */
export async function listTree(
  root: BytePath,
  depth: number | null,
  after: BytePath | null,
  limit: number,
): Promise<{ entries: readonly TreeEntry[]; more: boolean }> {
  const entries: TreeEntry[] = [];
  const base = root.endsWith('/') ? root : `${root}/`;
  const resume = after !== null && after.startsWith(base) ? after.slice(base.length).split('/') : [];
  const more = await visit(base, depth ?? Infinity, resume, entries, limit, true);
  return { entries, more };
}

/** Returns whether there is more than fits. `resume` holds the names down to the last entry of the previous page. */
async function visit(
  base: BytePath,
  depth: number,
  resume: readonly string[],
  entries: TreeEntry[],
  limit: number,
  isRoot: boolean,
): Promise<boolean> {
  // A folder below the root that may not be read, or that is gone, is listed but not entered, as `find` does.
  const names = await readdir(toBytes(base), { encoding: 'buffer' }).catch((error: unknown) => {
    if (isRoot) throw error;
    return [];
  });
  const [start, ...rest] = resume;
  for (const name of names.map((bytes) => bytes.toString('latin1')).sort(byCodeUnits)) {
    if (start !== undefined && byCodeUnits(name, start) < 0) continue;
    const path = base + name;
    const seen = start !== undefined && name === start;
    const entry = await entryAt(path).catch(() => null);
    if (entry === null) continue;
    if (!seen) {
      if (entries.length >= limit) return true;
      entries.push(entry);
    }
    if (entry.kind !== 'directory' || depth <= 1) continue;
    if (await visit(`${path}/`, depth - 1, seen ? rest : [], entries, limit, false)) return true;
  }
  return false;
}

/** One character is one byte, so this is the order of the bytes. */
function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
