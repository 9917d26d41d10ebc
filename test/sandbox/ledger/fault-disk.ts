import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type Disk, type DiskFile, REAL_DISK } from '../../../sandbox/daemon/ledger/disk.ts';

/**
 * - `kill`: the process is gone before this operation, or after it
 * - `torn`: gone in the middle of a write
 * - `power`: gone, and of what was not synced any part may be lost, renamed names too
 * - `full`: this write and some after it find no room; `io`: this sync and some after it fail
 */
export type FaultKind = 'kill' | 'torn' | 'power' | 'full' | 'io';

export interface Fault {
  readonly kind: FaultKind;
  /** Operations from now on until it strikes. */
  readonly after: number;
}

interface Tracked {
  path: string;
  readonly handle: FileHandle;
  synced: number;
}

/** The real file system with a fault ahead. When the process is gone, no operation ever ends, as for one that was killed. */
export class FaultDisk implements Disk {
  /** Resolves when the process is gone. */
  readonly died: Promise<'died'>;
  /** Whether a write or a sync has failed since the last `arm`. */
  failed = false;
  readonly #random: () => number;
  #die: () => void = () => undefined;
  #fault: Fault | null = null;
  #operations = 0;
  #gone = false;
  #files: Tracked[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  /** Names that a power cut may take back, with what stood there before. */
  #renames: { readonly to: string; readonly before: Buffer | null }[] = [];

  constructor(random: () => number) {
    this.#random = random;
    this.died = new Promise((resolve) => {
      this.#die = () => resolve('died');
    });
  }

  arm(fault: Fault | null): void {
    this.#fault = fault;
    this.#operations = 0;
    this.failed = false;
  }

  /** A point at which the process may be gone, besides the operations. */
  async point(): Promise<void> {
    await this.#step('other', () => Promise.resolve());
  }

  /** What a dead process leaves: closed files. */
  async bury(): Promise<void> {
    this.#gone = true;
    // What the system had begun it finishes; nobody hears of it.
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    const files = this.#files;
    this.#files = [];
    for (const { handle } of files) await handle.close();
  }

  async open(path: string, flags: 'a+' | 'w' | 'wx'): Promise<DiskFile> {
    return this.#step('other', async () => {
      const handle = (await REAL_DISK.open(path, flags)) as FileHandle;
      const tracked: Tracked = { path, handle, synced: statSync(path).size };
      this.#files.push(tracked);
      return this.#file(tracked);
    });
  }

  readFile(path: string): Promise<Buffer> {
    return this.#step('other', () => REAL_DISK.readFile(path));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#step('other', async () => {
      const before = existsSync(to) ? readFileSync(to) : null;
      await REAL_DISK.rename(from, to);
      this.#renames.push({ to, before });
      for (const file of this.#files) if (file.path === from) file.path = to;
    });
  }

  remove(path: string): Promise<void> {
    return this.#step('other', () => REAL_DISK.remove(path));
  }

  sizeOf(path: string): Promise<number | null> {
    return this.#step('other', () => REAL_DISK.sizeOf(path));
  }

  list(folder: string): Promise<readonly string[]> {
    return this.#step('other', () => REAL_DISK.list(folder));
  }

  makeFolder(path: string): Promise<void> {
    return this.#step('other', () => REAL_DISK.makeFolder(path));
  }

  syncFolder(folder: string): Promise<void> {
    return this.#step('sync', () => {
      this.#renames = this.#renames.filter(({ to }) => !to.startsWith(folder));
      return Promise.resolve();
    });
  }

  #file(tracked: Tracked): DiskFile {
    const { handle } = tracked;
    const write = (bytes: Buffer, from: number): Promise<{ bytesWritten: number; buffer: Buffer }> =>
      this.#step(
        'write',
        () => handle.write(bytes, from),
        (share) => handle.write(bytes, from, Math.floor((bytes.length - from) * share)),
      );
    return {
      read: ((...args: Parameters<FileHandle['read']>) =>
        this.#step('other', () => handle.read(...args))) as DiskFile['read'],
      write: write as unknown as DiskFile['write'],
      datasync: () =>
        this.#step('sync', async () => {
          tracked.synced = (await handle.stat()).size;
        }),
      truncate: (size) =>
        this.#step('other', async () => {
          await handle.truncate(size);
          tracked.synced = Math.min(tracked.synced, size ?? 0);
        }),
      stat: (() => this.#step('other', () => handle.stat())) as DiskFile['stat'],
      close: () =>
        this.#step('other', async () => {
          this.#files = this.#files.filter((file) => file !== tracked);
          await handle.close();
        }),
    };
  }

  async #step<T>(
    what: 'write' | 'sync' | 'other',
    work: () => Promise<T>,
    part: (share: number) => Promise<unknown> = work,
  ): Promise<T> {
    if (this.#gone) return never();
    const done = this.#strike(what, work, part);
    this.#underWay.add(done);
    const ended = await done.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    this.#underWay.delete(done);
    if (this.#gone) return never();
    if ('error' in ended) throw ended.error;
    return ended.value;
  }

  /** Rejects with GONE when the process is gone with this operation. */
  async #strike<T>(
    what: 'write' | 'sync' | 'other',
    work: () => Promise<T>,
    part: (share: number) => Promise<unknown>,
  ): Promise<T> {
    const fault = this.#fault;
    this.#operations += 1;
    if (fault === null || this.#operations <= fault.after) return work();
    switch (fault.kind) {
      case 'full':
      case 'io':
        if (this.#operations > fault.after + 4) this.#fault = null;
        if (what !== (fault.kind === 'full' ? 'write' : 'sync')) return work();
        this.failed = true;
        if (fault.kind === 'full') await part(this.#random());
        throw Object.assign(new Error(fault.kind), { code: fault.kind === 'full' ? 'ENOSPC' : 'EIO' });
      case 'torn':
        if (what !== 'write') return work();
        this.#gone = true;
        await part(this.#random());
        break;
      case 'power':
        this.#gone = true;
        if (this.#random() < 0.5) await part(this.#random());
        this.#loseUnsynced();
        break;
      case 'kill':
        this.#gone = true;
        if (this.#random() < 0.5) await work();
    }
    this.#die();
    throw GONE;
  }

  #loseUnsynced(): void {
    for (const { path, synced } of this.#files) {
      if (!existsSync(path)) continue;
      const { size } = statSync(path);
      if (size > synced) truncateSync(path, synced + Math.floor(this.#random() * (size - synced + 1)));
    }
    for (const { to, before } of this.#renames.toReversed()) {
      if (this.#random() < 0.5) continue;
      if (before === null) rmSync(to, { force: true });
      else writeFileSync(to, before);
    }
  }
}

const GONE = new Error('the process is gone');

function never(): Promise<never> {
  return new Promise(() => undefined);
}
