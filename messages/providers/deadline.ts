/** Ends the work of a request when its caller gives up or the upstream takes too long. */
export class Deadline {
  /** The signal that the work is given. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  #total: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isWaiting = false;
  #isLate = false;

  /**
   * @param caller aborts the work
   * @param limits.totalMs how long the whole work may take
   * @param limits.idleMs how long one `waitFor` may take
   */
  constructor(caller: AbortSignal, { totalMs, idleMs }: { totalMs?: number; idleMs?: number }) {
    this.#caller = caller;
    this.signal = this.#controller.signal;
    // Neither timer keeps the process alive.
    if (totalMs !== undefined) this.#total = setTimeout(this.#late, totalMs).unref();
    if (idleMs !== undefined) {
      // One timer serves the whole stream. It has no meaning when it fires while nobody waits, as with a slow reader.
      this.#idle = setTimeout(() => {
        if (this.#isWaiting) this.#late();
      }, idleMs).unref();
    }
    if (caller.aborted) this.abort();
    else caller.addEventListener('abort', this.abort, { once: true });
  }

  /** Whether the upstream's delay, and not the caller, ended the work. */
  get isLate(): boolean {
    return this.#isLate && !this.#caller.aborted;
  }

  /** Waits for what the upstream sends next, for the idle time at most. */
  async waitFor<T>(next: Promise<T>): Promise<T> {
    this.#isWaiting = true;
    this.#idle?.refresh();
    try {
      return await next;
    } finally {
      this.#isWaiting = false;
    }
  }

  readonly abort = (): void => {
    this.clear();
    this.#controller.abort();
  };

  /** Stops the timers when the work is done. */
  clear(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    // `refresh` would start a cleared timer again.
    this.#idle = undefined;
    this.#caller.removeEventListener('abort', this.abort);
  }

  readonly #late = (): void => {
    this.#isLate = true;
    this.abort();
  };
}
