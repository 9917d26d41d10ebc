/** How long a step may go on failing: longer than a server, a sandbox or a machine of a pool needs to come back. */
const LIMIT_MS = 120_000;
/** Fewer failures than this are never too many, however much time lies between them. */
const LEAST_FAILURES = 5;
/** Steps whose failures are remembered; the oldest is forgotten first. */
const MOST_STEPS = 1000;

interface Failing {
  readonly since: number;
  failures: number;
}

/**
 * Tells when a step that fails again and again is to be given up. It counts failures that were thrown, in this process: an
 * attempt that is lost with its worker was no failure of the step, so that no number of crashes gives one up.
 */
export class Patience {
  readonly #failing = new Map<string, Failing>();
  readonly #limitMs: number;
  readonly #now: () => number;

  /** @param now monotonic milliseconds */
  constructor(limitMs = LIMIT_MS, now: () => number = () => performance.now()) {
    this.#limitMs = limitMs;
    this.#now = now;
  }

  /** Notes a failure of the step; true when it is one too many. */
  isOver(step: string): boolean {
    const known = this.#failing.get(step) ?? { since: this.#now(), failures: 0 };
    known.failures += 1;
    this.#failing.set(step, known);
    for (const oldest of this.#failing.keys()) {
      if (this.#failing.size <= MOST_STEPS) break;
      this.#failing.delete(oldest);
    }
    return known.failures >= LEAST_FAILURES && this.#now() - known.since >= this.#limitMs;
  }

  /** The step has ended, one way or the other. */
  forget(step: string): void {
    this.#failing.delete(step);
  }
}
