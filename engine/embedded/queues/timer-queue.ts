import type { Clock } from '../primitives/clock.ts';
import type { RunRef } from '../primitives/run-ref.ts';

interface Entry {
  readonly at: number;
  readonly key: number;
}

/** The longest wait of setTimeout, 24.8 days; longer waits take several timeouts. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** A timer that is so late was held up together with the whole process. */
const HELD_UP_MS = 250;
/** This is enough time to read what has come meanwhile. */
const CATCH_UP_MS = 50;

/**
 * Fires the deadlines of runs. It holds one entry for each run that waits, that of its earliest deadline; a run that
 * changes replaces its entry. After the process was held up, what has come meanwhile, such as the heartbeat that a
 * timeout waits for, is read before timers fire.
 */
export class TimerQueue {
  readonly #now: Clock;
  readonly #onDue: (key: number, ref: RunRef) => void;
  readonly #waiting = new Map<number, { at: number; ref: RunRef }>();
  readonly #heap: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #armedFor = Infinity;
  #stopped = false;

  constructor(now: Clock, onDue: (key: number, ref: RunRef) => void) {
    this.#now = now;
    this.#onDue = onDue;
  }

  /** Sets a run's deadline; undefined when the run waits for nothing any more. */
  set(key: number, ref: RunRef, at: number | undefined): void {
    if (at === undefined) {
      this.#waiting.delete(key);
      return;
    }
    const current = this.#waiting.get(key);
    if (current?.at === at) return;
    this.#waiting.set(key, { at, ref });
    this.#push({ at, key });
    if (this.#heap.length > 2 * this.#waiting.size + 1024) this.#compact();
    this.#arm();
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** The number of entries, including replaced ones. */
  get entries(): number {
    return this.#heap.length;
  }

  clear(): void {
    this.#waiting.clear();
    this.#heap.length = 0;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Removes replaced entries, which would otherwise stay in the heap until their time comes. */
  #compact(): void {
    this.#heap.length = 0;
    for (const [key, { at }] of this.#waiting) this.#push({ at, key });
  }

  #arm(): void {
    const next = this.#heap[0];
    if (this.#stopped || !next || next.at >= this.#armedFor) return;
    clearTimeout(this.#timer);
    this.#armedFor = next.at;
    const now = this.#now();
    const wait = Math.ceil(Math.min(Math.max(0, next.at - now), LONGEST_WAIT_MS));
    this.#timer = setTimeout(() => this.#fire(now + wait), wait);
  }

  #fire(expected: number): void {
    if (this.#now() - expected < HELD_UP_MS) this.#wake();
    else this.#timer = setTimeout(() => this.#wake(), CATCH_UP_MS);
  }

  #wake(): void {
    this.#armedFor = Infinity;
    const now = this.#now();
    for (let next = this.#heap[0]; next && next.at <= now; next = this.#heap[0]) {
      this.#pop();
      const waiting = this.#waiting.get(next.key);
      if (waiting?.at !== next.at) continue;
      this.#waiting.delete(next.key);
      this.#onDue(next.key, waiting.ref);
    }
    this.#arm();
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(entry);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (!above || above.at <= entry.at) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      const leftEntry = heap[left];
      if (!leftEntry) break;
      const rightEntry = heap[right];
      const child = rightEntry && rightEntry.at < leftEntry.at ? right : left;
      const childEntry = heap[child];
      if (!childEntry || childEntry.at >= last.at) break;
      heap[index] = childEntry;
      index = child;
    }
    heap[index] = last;
  }
}
