import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../error-fields.ts';
import { LINE_SILENCE_MS } from './registry.ts';

/**
 * The line of sandboxes that wait for a place, an empty file each. Its name begins with the time at which the sandbox
 * joined, and its own time is that of the last request.
 */
export class LineFolder {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Joins the line, or stays in it; returns how many sandboxes are ahead. */
  join(sandbox: string): number {
    const now = Date.now();
    const names = this.#names();
    const found = names.find((name) => sandboxOf(name) === sandbox);
    const name = found ?? `${String(now).padStart(15, '0')}.${sandbox}`;
    try {
      mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
      writeFileSync(join(this.#dir, name), '', { flag: 'a', mode: 0o600 });
      utimesSync(join(this.#dir, name), now / 1000, now / 1000);
    } catch (error) {
      // Another process has served this sandbox meanwhile.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
    return names.filter((other) => other < name && this.#isWaiting(other, now)).length;
  }

  leave(sandbox: string): void {
    for (const name of this.#names())
      if (sandboxOf(name) === sandbox) rmSync(join(this.#dir, name), { force: true });
  }

  /** How many sandboxes wait now. */
  get length(): number {
    const now = Date.now();
    return this.#names().filter((name) => this.#isWaiting(name, now)).length;
  }

  #isWaiting(name: string, now: number): boolean {
    const found = statSync(join(this.#dir, name), { throwIfNoEntry: false });
    return found !== undefined && now - found.mtimeMs < LINE_SILENCE_MS;
  }

  /** In the order of the line. */
  #names(): string[] {
    try {
      return readdirSync(this.#dir).sort();
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }
}

function sandboxOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}
