import { setImmediate } from 'node:timers/promises';

/** Some milliseconds of matching. */
const SLICE = 100_000;
/** Some seconds of matching; 200 rules that people write come to a tenth of it on the longest command. */
const MOST = 200_000_000;
/** How long the event loop is held at a time, until the slice under way ends. */
const TURN_MS = 10;

/**
 * What judging one tool use may cost. It is counted, not timed, so that the same action is judged alike on every machine. A unit
 * is one way through a pattern that is followed past one character.
 */
export class Effort {
  #left: number;
  #slice = 0;

  constructor(most = MOST) {
    this.#left = most;
  }

  spend(units: number): void {
    this.#left -= units;
    this.#slice += units;
  }

  /** Nothing more is looked at: in doubt, the stricter. */
  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Whether it is time to let others have a turn; once for each slice. */
  get isDue(): boolean {
    if (this.#slice < SLICE) return false;
    this.#slice = 0;
    return true;
  }
}

/** Work in slices: it yields wherever it may be interrupted. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** Does the work, and gives the event loop back at the end of the first slice after ten milliseconds. */
export async function unhurried<T>(work: Sliced<T>): Promise<T> {
  let began = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (performance.now() - began < TURN_MS) continue;
    await setImmediate();
    began = performance.now();
  }
}

/** Does the work at once. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
