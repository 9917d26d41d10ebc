export interface ConcurrencyOptions {
  /** Gives up the wait, or the answer of a task under way. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds a task may run, not counting its wait. */
  readonly limitMs?: number;
  /** What the promise rejects with after `limitMs`. */
  readonly late?: () => Error;
}

/**
 * Lets a bounded number of tasks run at once; the others wait their turn. A task that was given up, or is late, keeps its
 * room until it is over: its thread cannot be taken back.
 */
export class ConcurrencyLimit {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs the task when there is room. Rejects at once with the signal's reason, or when the task is late. */
  run<T>(task: () => Promise<T>, options: ConcurrencyOptions = {}): Promise<T> {
    const { signal, limitMs, late } = options;
    return new Promise<T>((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error);
      let timer: NodeJS.Timeout | undefined;
      const begin = (): void => {
        this.#running += 1;
        if (limitMs !== undefined && late !== undefined) timer = setTimeout(() => reject(late()), limitMs);
        void task()
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', onAbort);
            this.#running -= 1;
            this.#next();
          });
      };
      const onAbort = (): void => {
        const place = this.#waiting.indexOf(begin);
        if (place !== -1) this.#waiting.splice(place, 1);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(begin);
      this.#next();
    });
  }

  #next(): void {
    if (this.#running < this.#limit) this.#waiting.shift()?.();
  }
}
