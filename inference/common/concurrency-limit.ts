interface ConcurrencyOptions {
  /** Ends the wait, also for the answer of a task under way. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that a task may run, not counting its wait. */
  readonly limitMs?: number;
  /** What the promise rejects with after `limitMs`. */
  readonly late?: () => Error;
}

/**
 * Lets a bounded number of tasks run at once; the others wait in the order of their arrival. A task that is late or no
 * longer wanted counts until it is over, because its thread cannot be stopped.
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

  /**
   * Runs the task as soon as it may. Rejects with the signal's reason when that is aborted, or when the task is late.
   */
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
