import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { SnapshotInfo } from '@steadyhand/contracts';
import { errorCode } from '../error-fields.ts';
import { DamagedFileError, isNumber, isRecordOf, isText, readRecord } from '../record-file.ts';
import { syncFileSystem, syncFolder, writeSynced } from '../whole-file.ts';
import { invalidRequest } from '../invalid-request.ts';
import { archiveOf, unpackArchive } from './archive.ts';
import { copyTree } from './copy-tree.ts';

const ID = /^snap_[A-Za-z0-9]{1,100}$/;
const MAX_ENTRIES = 1_000_000;
/** A file changed within this time before a snapshot may be changed again without a difference in its times. */
const SETTLED_NS = 2_000_000_000n;
/** A draft of this age was left behind. */
const DRAFT_AGE_MS = 24 * 60 * 60 * 1000;

export function isSnapshotId(id: string): boolean {
  return ID.test(id);
}

/** The file that a file of a snapshot was copied from: inode, size, times of content and of inode. */
type Source = readonly [path: string, ino: string, size: string, mtime: string, ctime: string, mode: string];

/**
 * The snapshots beside the sandboxes of a data folder, each a folder with the tree and its description. A snapshot is
 * there whole or not at all. Nobody inside a sandbox can reach them, so the snapshots of one sandbox share unchanged
 * files by hard links.
 */
export class Snapshots {
  readonly #dir: string;
  readonly #maxEntries: number;

  /** @param dir `snapshots` in the folder of all sandboxes, or in that of the only one */
  constructor(dir: string, { maxEntries = MAX_ENTRIES }: { readonly maxEntries?: number } = {}) {
    this.#dir = dir;
    this.#maxEntries = maxEntries;
  }

  /**
   * Takes a snapshot of a folder, or returns the one of this id. Rejects with TreeTooLargeError or the disk's error.
   */
  async take(id: string, sandbox: string, folder: string, now = new Date()): Promise<SnapshotInfo> {
    const found = await this.find(id);
    if (found !== null) return found;
    return this.#make(id, now, async (draft) => {
      // Data is written back now, so that later changes through a memory mapping show in the files' times.
      await syncFileSystem(folder);
      const before = await this.#newestOf(sandbox);
      const sources: Source[] = [];
      const report = await copyTree(folder, join(draft, 'tree'), {
        owner: null,
        maxEntries: this.#maxEntries,
        ...(before === null ? {} : { same: before.same }),
        onFile: (path, stats) => sources.push(sourceOf(path, stats)),
      });
      const info: SnapshotInfo = {
        id,
        sandbox_id: sandbox,
        status: 'ready',
        reason: null,
        created_at: now.toISOString(),
        entries: report.entries,
        size_bytes: report.bytes,
        skipped: report.skipped,
        skipped_paths: report.skippedPaths,
      };
      await writeSynced(join(draft, 'sources.json'), JSON.stringify(sources));
      await writeSynced(join(draft, 'snapshot.json'), JSON.stringify(info));
      return info;
    });
  }

  /** Fills a new folder, which becomes the snapshot when all of it is on the disk. */
  async #make(id: string, now: Date, fill: (draft: string) => Promise<SnapshotInfo>): Promise<SnapshotInfo> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    await this.#removeDrafts(now);
    const draft = join(this.#dir, `.new-${randomBytes(8).toString('hex')}`);
    await mkdir(draft, { mode: 0o700 });
    try {
      const info = await fill(draft);
      await syncFileSystem(draft);
      await rename(draft, join(this.#dir, id));
      await syncFolder(this.#dir);
      return info;
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
  }

  /** A snapshot, or null. One whose record is damaged is `failed`, and nothing else is known of it. */
  async find(id: string): Promise<SnapshotInfo | null> {
    if (!isSnapshotId(id)) return null;
    const folder = join(this.#dir, id);
    try {
      const info = readRecord(join(folder, 'snapshot.json'), isSnapshotInfo);
      return info === null ? null : { ...info, status: 'ready', reason: null };
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      const found = await stat(folder).catch(() => null);
      return found === null ? null : damagedInfo(id, new Date(found.mtimeMs), error.message);
    }
  }

  /** All snapshots, newest first. */
  async list(): Promise<readonly SnapshotInfo[]> {
    const names = await readdir(this.#dir).catch(() => []);
    const found = await Promise.all(names.map((name) => this.find(name)));
    return found
      .filter((info): info is SnapshotInfo => info !== null)
      .toSorted((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
  }

  /** The snapshot as bytes, for `unpack`. Rejects with ENOENT when there is none. */
  async pack(id: string): Promise<Readable> {
    const folder = join(this.#dir, id);
    await access(join(folder, 'snapshot.json'));
    return archiveOf(folder, ['snapshot.json', 'tree']);
  }

  /** Makes a snapshot of what `pack` gave, on another machine as well. One that is there stays as it is. */
  async unpack(id: string, archive: Readable, now = new Date()): Promise<SnapshotInfo> {
    const found = await this.find(id);
    if (found !== null) {
      archive.destroy();
      return found;
    }
    return this.#make(id, now, async (draft) => {
      await unpackArchive(archive, draft);
      const info = readRecord(join(draft, 'snapshot.json'), isSnapshotInfo);
      if (info === null || info.id !== id)
        throw invalidRequest(`the archive is not that of the snapshot ${id}`);
      return info;
    });
  }

  /** Deletes a snapshot; false when there was none. */
  async remove(id: string): Promise<boolean> {
    if (!isSnapshotId(id)) return false;
    const gone = join(this.#dir, `.gone-${randomBytes(8).toString('hex')}`);
    try {
      await rename(join(this.#dir, id), gone);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
    await rm(gone, { recursive: true, force: true });
    return true;
  }

  /** Copies a snapshot into a new folder. Rejects with ENOENT when it is gone. */
  async copy(id: string, to: string, owner: number | null): Promise<void> {
    await copyTree(join(this.#dir, id, 'tree'), to, { owner, maxEntries: this.#maxEntries });
  }

  async #newestOf(
    sandbox: string,
  ): Promise<{ readonly same: (path: string, found: BigIntStats) => Buffer | null } | null> {
    const newest = (await this.list()).find((info) => info.sandbox_id === sandbox);
    if (newest === undefined) return null;
    const folder = join(this.#dir, newest.id);
    const text = await readFile(join(folder, 'sources.json'), 'utf8').catch(() => '[]');
    const known = new Map(sourcesIn(text).map((source) => [source[0], source.join(':')]));
    const settled = BigInt(Date.parse(newest.created_at)) * 1_000_000n - SETTLED_NS;
    return {
      same: (path, found) =>
        found.ctimeNs < settled && known.get(path) === sourceOf(path, found).join(':')
          ? Buffer.concat([Buffer.from(join(folder, 'tree/')), Buffer.from(path, 'latin1')])
          : null,
    };
  }

  /** Removes what interrupted creations and deletions left behind. */
  async #removeDrafts(now: Date): Promise<void> {
    for (const name of await readdir(this.#dir)) {
      if (!name.startsWith('.')) continue;
      const path = join(this.#dir, name);
      const found = await stat(path).catch(() => null);
      const isOld = found !== null && now.getTime() - found.mtimeMs > DRAFT_AGE_MS;
      if (isOld || name.startsWith('.gone-')) await rm(path, { recursive: true, force: true });
    }
  }
}

function sourceOf(path: string, { ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): Source {
  return [path, `${ino}`, `${size}`, `${mtimeNs}`, `${ctimeNs}`, `${mode}`];
}

/** The sources of a snapshot; none when they cannot be read, and then every file is copied. */
function sourcesIn(text: string): readonly Source[] {
  try {
    const sources: unknown = JSON.parse(text);
    return Array.isArray(sources) && sources.every(Array.isArray) ? (sources as unknown as Source[]) : [];
  } catch {
    return [];
  }
}

export function isSnapshotInfo(value: unknown): value is SnapshotInfo {
  return isRecordOf(value, {
    id: isText,
    sandbox_id: isText,
    created_at: isText,
    entries: isNumber,
    size_bytes: isNumber,
    skipped: isNumber,
    skipped_paths: Array.isArray,
  });
}

function damagedInfo(id: string, taken: Date, reason: string): SnapshotInfo {
  const nothing = { entries: 0, size_bytes: 0, skipped: 0, skipped_paths: [] };
  return { id, sandbox_id: '', status: 'failed', reason, created_at: taken.toISOString(), ...nothing };
}
