/**
 * A queue like JavaScript's own of microtasks. In a workflow the outcomes of one task reach the machine after as many microtasks
 * as the promises on their way take, and so in an order of their own.
 */
export class Microtasks {
  #queue: (() => void)[] = [];

  /** Calls `work` after so many microtasks. */
  after(ticks: number, work: () => void): void {
    if (ticks === 0) work();
    else this.#queue.push(() => this.after(ticks - 1, work));
  }

  drain(): void {
    while (this.#queue.length > 0) {
      const queue = this.#queue;
      this.#queue = [];
      for (const work of queue) work();
    }
  }
}

/** How many microtasks the SDK and `machine-run.ts` take from a job of an activation to the mailbox. */
export interface Ticks {
  readonly timer: number;
  /** From the start of a delay of 0, which needs no timer. */
  readonly noTimer: number;
  readonly activity: number;
  readonly localActivity: number;
  readonly child: number;
  /** A child whose start and end come in one task. */
  readonly childAtOnce: number;
  /** From the start of an actor whose input cannot be sent. */
  readonly badInput: number;
  readonly cancel: number;
  /** From a condition that has come true to what waits for it. */
  readonly wake: number;
  /** The same where it was true from the beginning. */
  readonly wakeAtOnce: number;
  /** Between two looks at the mailbox. */
  readonly look: number;
  /** From the decision to continue as new until it is done. */
  readonly move: number;
}

const EARLIER: Ticks = {
  timer: 2,
  noTimer: 2,
  activity: 2,
  localActivity: 4,
  child: 4,
  childAtOnce: 6,
  badInput: 2,
  cancel: 1,
  wake: 3,
  wakeAtOnce: 4,
  look: 0,
  move: 5,
};

/** Since version 0.2 the scope of an actor or a delay adds no microtask. */
const TODAY: Ticks = {
  ...EARLIER,
  timer: 1,
  noTimer: 1,
  activity: 1,
  localActivity: 3,
  child: 3,
  childAtOnce: 5,
  badInput: 1,
};

/** @param isIdentified Whether the run has recorded its machine, as none did before version 0.2. */
export const ticksOf = (isIdentified: boolean): Ticks => (isIdentified ? TODAY : EARLIER);
