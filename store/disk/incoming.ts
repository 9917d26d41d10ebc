import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorePart } from '../contract/store.ts';

/** From this age on a half-written file is nobody's: no request takes as long. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;

/** What a process that holds a part knows to be nobody's but its own: `all` keeps the others out, and they keep it out. */
const OWN: Readonly<Record<StorePart, readonly string[]>> = {
  all: ['all', 'server', 'worker'],
  server: ['server', 'all'],
  worker: ['worker', 'all'],
};

/** A folder of files that are being written, each under a name that tells who writes it. */
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

  /** A new file's path. */
  path(): string {
    return join(this.dir, `${this.#owner}.${randomUUID()}`);
  }

  /** At the start, when this process has written nothing yet. */
  async removeEarlier(): Promise<void> {
    await this.#remove((owner) => this.#own.includes(owner));
  }

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
