import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MountedFile } from '@steadyhand/contracts';
import type { SandboxLayout } from '../../layout.ts';
import { readRecord, unlessDamaged } from '../../record-file.ts';
import { SerialQueue } from '../../serial-queue.ts';
import { syncFolder, writeWhole } from '../../whole-file.ts';

/**
 * The files that callers have mounted below `/mnt/session/uploads`, each under its own id. They are written from
 * outside: the folder is read-only inside, so nothing there can be in the way or be changed. The list of files is
 * written after the files, so that a crash only means that a file is written once more.
 */
export class MountedFiles {
  readonly #layout: SandboxLayout;
  readonly #queue = new SerialQueue();

  constructor(layout: SandboxLayout) {
    this.#layout = layout;
  }

  /** Removes files that are not wanted any more and returns the ids of those that are still to be written. */
  settle(wanted: readonly MountedFile[]): Promise<readonly string[]> {
    return this.#queue.run(async () => {
      const there = this.#noted();
      const ids = new Map(wanted.map(({ path, id }) => [path, id]));
      const gone = [...there].filter(([path, id]) => ids.get(path) !== id);
      for (const [path] of gone) there.delete(path);
      if (gone.length > 0) await this.#note(there);
      for (const [path] of gone) await this.#remove(path);
      return wanted.filter(({ path, id }) => there.get(path) !== id).map(({ id }) => id);
    });
  }

  async write({ path, id }: MountedFile, bytes: AsyncIterable<Buffer>): Promise<void> {
    const draft = join(this.#layout.folder, `.mounting-${randomBytes(8).toString('hex')}`);
    try {
      const file = await open(draft, 'wx', 0o644);
      try {
        for await (const chunk of bytes) await file.writeFile(chunk);
        await file.chmod(0o644);
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#queue.run(() => this.#place(draft, path, id));
    } finally {
      await rm(draft, { force: true });
    }
  }

  async #place(draft: string, path: string, id: string): Promise<void> {
    const target = join(this.#layout.uploads, path);
    const made = await mkdir(dirname(target), { recursive: true });
    // The mode is set explicitly, because this process's umask would keep the agent from reading.
    for (let at = dirname(target); made !== undefined && at.startsWith(made); at = dirname(at))
      await chmod(at, 0o755);
    await rename(draft, target);
    await syncFolder(dirname(target));
    await this.#note(this.#noted().set(path, id));
  }

  async #remove(path: string): Promise<void> {
    const target = join(this.#layout.uploads, path);
    await rm(target, { force: true });
    for (let at = dirname(target); at !== this.#layout.uploads; at = dirname(at)) {
      try {
        await rmdir(at);
      } catch {
        return;
      }
    }
  }

  #noted(): Map<string, string> {
    const noted = (): Map<string, string> => new Map(readRecord(this.#layout.mounted, isNote));
    // Every file counts as missing after damage, and is written once more.
    return unlessDamaged(noted, () => new Map());
  }

  #note(there: ReadonlyMap<string, string>): Promise<void> {
    return writeWhole(this.#layout.mounted, JSON.stringify([...there]));
  }
}

function isNote(value: unknown): value is [string, string][] {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2);
}
