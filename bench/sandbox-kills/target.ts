import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { layoutOf } from '../../sandbox/layout.ts';
import { openClickTarget, type ClickTarget } from '../../test/sandbox/display/click-target.ts';

/** A window that counts what it was clicked, on whichever X server the sandbox has at the time. */
export class ClickCounter {
  readonly #folder: string;
  readonly #seen = new Map<string, number>();
  #target: ClickTarget | null = null;

  constructor(folder: string) {
    this.#folder = layoutOf(folder).x11;
  }

  /** Opens the window on the X server of now. */
  async open(): Promise<void> {
    this.close();
    for (let attempt = 0; ; attempt += 1) {
      const name = existsSync(this.#folder)
        ? readdirSync(this.#folder).find((each) => /^X\d+$/.test(each))
        : undefined;
      try {
        if (name === undefined) throw new Error('the sandbox has no X socket');
        this.#target = await openClickTarget(join(this.#folder, name));
        return;
      } catch (error) {
        if (attempt === 100) throw error;
        await pause(50);
      }
    }
  }

  /** Takes in what was clicked and lets go of the server, which may be dead. */
  close(): void {
    for (const click of this.#target?.clicks() ?? []) {
      this.#seen.set(click, (this.#seen.get(click) ?? 0) + 1);
    }
    this.#target?.close();
    this.#target = null;
  }

  /** How often the left button was pressed at a point. */
  count([x, y]: readonly [number, number]): number {
    return this.#seen.get(`1@${x},${y}`) ?? 0;
  }
}
