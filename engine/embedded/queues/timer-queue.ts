import type { Clock } from '../primitives/clock.ts';
import { KeyedHeap } from '../primitives/keyed-heap.ts';
import type { RunRef } from '../primitives/run-ref.ts';

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
  readonly #refs = new Map<number, RunRef>();
  readonly #heap = new KeyedHeap<number>();
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
      this.#remove(key);
      return;
    }
    this.#heap.set(key, at);
    this.#refs.set(key, ref);
    this.#arm();
  }

  get size(): number {
    return this.#heap.size;
  }

  /** The number of entries, including replaced ones. */
  get entries(): number {
    return this.#heap.entries;
  }

  /** The earliest deadline, in ms since the epoch; undefined when nothing waits. */
  get nextAt(): number | undefined {
    return this.#heap.earliest()?.at;
  }

  /** Fires at once what is due, after the time was moved on. */
  fireDue(): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#wake();
  }

  clear(): void {
    this.#heap.clear();
    this.#refs.clear();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #remove(key: number): void {
    this.#heap.set(key, undefined);
    this.#refs.delete(key);
  }

  #arm(): void {
    const next = this.#heap.earliest();
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
    for (let next = this.#heap.earliest(); next && next.at <= now; next = this.#heap.earliest()) {
      const { key } = next;
      const ref = this.#refs.get(key);
      this.#remove(key);
      if (ref) this.#onDue(key, ref);
    }
    this.#arm();
  }
}
