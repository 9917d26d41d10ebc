import type { Clock } from '../primitives/clock.ts';

const WINDOW_S = 30;

/** How often something happened in a second, as the average of the last half minute. */
export class Rate {
  readonly #now: Clock;
  readonly #counts = new Float64Array(WINDOW_S);
  #second = 0;

  constructor(now: Clock) {
    this.#now = now;
  }

  add(): void {
    this.#forget();
    const slot = this.#second % WINDOW_S;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
  }

  get perSecond(): number {
    this.#forget();
    return this.#counts.reduce((sum, count) => sum + count, 0) / WINDOW_S;
  }

  /** Clears the seconds that have passed since the last look. */
  #forget(): void {
    const second = Math.floor(this.#now() / 1000);
    const passed = Math.min(Math.max(second - this.#second, 0), WINDOW_S);
    for (let at = 0; at < passed; at += 1) this.#counts[(second - at) % WINDOW_S] = 0;
    // A clock that was set back counts on in the newest second.
    this.#second = Math.max(second, this.#second);
  }
}
