import type { EngineClock } from '../primitives/clock.ts';
import { TimerQueue } from '../queues/timer-queue.ts';
import { failedPrecondition } from '../protocol/rpc-error.ts';

interface TimeSkipperOptions {
  readonly clock: EngineClock;
  /** The queues of the engine's own deadlines. */
  readonly timers: readonly TimerQueue[];
  /** Whether every change is committed and all that follows from it has been done. */
  readonly isIdle: () => boolean;
  /** Whether time is skipped from the start; else a client has to unlock it. */
  readonly unlocked: boolean;
}

const NO_RUN = { namespace: '', workflowId: '', runId: '' };

/**
 * Moves the engine's time to the next deadline while nobody works, as Temporal's test server does. Whoever works holds a lock: each
 * workflow task, each activity that is not in back-off, and each client that locked. While anyone does, or while nothing waits for a
 * time, time passes at its own pace.
 */
export class TimeSkipper {
  readonly #options: TimeSkipperOptions;
  /** What clients hold. It is negative while a client has unlocked what a worker holds. */
  #clients: number;
  #working = 0;
  readonly #byRun = new Map<number, number>();
  readonly #sleeps: TimerQueue;
  readonly #sleepers = new Map<number, () => void>();
  #nextSleep = 0;
  #considering: NodeJS.Immediate | undefined;
  #stopped = false;

  constructor(options: TimeSkipperOptions) {
    this.#options = options;
    this.#clients = options.unlocked ? 0 : 1;
    this.#sleeps = new TimerQueue(options.clock.now, (key) => {
      const wake = this.#sleepers.get(key);
      this.#sleepers.delete(key);
      wake?.();
    });
  }

  get now(): number {
    return this.#options.clock.now();
  }

  lock(): void {
    this.#clients += 1;
  }

  /** @throws RpcError FAILED_PRECONDITION when nothing is locked */
  unlock(): void {
    if (this.#clients + this.#working <= 0) throw failedPrecondition('Unbalanced lock and unlock calls');
    this.#clients -= 1;
    this.consider();
  }

  /** Says how much of a run is being worked on. */
  setWork(run: number, count: number): void {
    const before = this.#byRun.get(run) ?? 0;
    if (count === 0) this.#byRun.delete(run);
    else this.#byRun.set(run, count);
    this.#working += count - before;
    // The run's new deadline may be the next one, whether or not its work has changed.
    this.consider();
  }

  /** Calls `wake` once the time has come; answers how to stop waiting. */
  sleepUntil(time: number, wake: () => void): () => void {
    const key = this.#nextSleep++;
    this.#sleepers.set(key, wake);
    this.#sleeps.set(key, NO_RUN, time);
    this.consider();
    return () => {
      this.#sleepers.delete(key);
      this.#sleeps.set(key, NO_RUN, undefined);
    };
  }

  /** Skips to the next deadline if nobody works once all that is under way has been done. */
  consider(): void {
    if (this.#stopped || this.#considering) return;
    this.#considering = setImmediate(() => {
      this.#considering = undefined;
      this.#skip();
    });
  }

  stop(): void {
    this.#stopped = true;
    if (this.#considering) clearImmediate(this.#considering);
    this.#sleeps.stop();
  }

  #skip(): void {
    const { clock, timers, isIdle } = this.#options;
    if (this.#clients + this.#working > 0) return;
    if (!isIdle()) return this.consider();
    const queues = [...timers, this.#sleeps];
    const next = Math.min(...queues.map(({ nextAt }) => nextAt ?? Infinity));
    if (next === Infinity) return;
    clock.skipTo(next);
    for (const queue of queues) queue.fireDue();
    this.consider();
  }
}
