import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorePart } from '../contract/store.ts';

/** A half-written file of this age belongs to no request, as none takes as long. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;

/** The parts whose files a process may remove at its start: `all` excludes the other parts, and they exclude it. */
const OWN: Readonly<Record<StorePart, readonly string[]>> = {
  all: ['all', 'server', 'worker'],
  server: ['server', 'all'],
  worker: ['worker', 'all'],
};

/** A folder of files that are being written, each with its writer in its name. */
export class Incoming {
  readonly dir: string;
  readonly #owner: string;
  readonly #own: readonly string[];
  readonly #now: () => number;

  constructor(dir: string, part: StorePart | undefined, now: () => number) {
    this.dir = dir;
    this.#owner = part ?? randomUUID();
    this.#own = part === undefined ? [] : OWN[part];
    this.#now = now;
  }

  /** The path of a new file. */
  path(): string {
    return join(this.dir, `${this.#owner}.${randomUUID()}`);
  }

  /** Removes the files of earlier processes of the same part; to be called before this process writes anything. */
  async removeEarlier(): Promise<void> {
    await this.#remove((owner) => this.#own.includes(owner));
  }

  /** Removes files that are too old to be still in use. */
  async removeOld(): Promise<void> {
    await this.#remove(() => false);
  }

  async #remove(isGone: (owner: string) => boolean): Promise<void> {
    for (const name of await readdir(this.dir)) {
      const path = join(this.dir, name);
      const isOld = async (): Promise<boolean> => {
        const found = await stat(path).catch(() => undefined);
        return found !== undefined && this.#now() - found.mtimeMs > LEFTOVER_AGE_MS;
      };
      if (isGone(name.split('.', 1)[0] ?? '') || (await isOld())) await rm(path, { force: true });
    }
  }
}
