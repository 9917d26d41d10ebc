/** Ends the work of one request: when its caller gives up, or when the upstream takes too long. */
export class Deadline {
  /** For what does the work. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #total: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  #isWaiting = false;
  #isLate = false;

  /**
   * @param caller rejects the work with its own reason
   * @param totalMs until everything must be done
   * @param idleMs until what is waited for must come
   */
  constructor(caller: AbortSignal, totalMs: number, idleMs?: number) {
    this.#caller = caller;
    this.signal = this.#controller.signal;
    // Neither timer is a reason for the process to live.
    this.#total = setTimeout(this.#late, totalMs).unref();
    if (idleMs !== undefined) {
      // One timer for the whole stream: that it fires while nobody waits, because the reader is slow, means nothing.
      this.#idle = setTimeout(() => {
        if (this.#isWaiting) this.#late();
      }, idleMs).unref();
    }
    if (caller.aborted) this.abort();
    else caller.addEventListener('abort', this.abort, { once: true });
  }

  /** Whether the upstream, not the caller, was what ended the work. */
  get isLate(): boolean {
    return this.#isLate && !this.#caller.aborted;
  }

  /** Waits for what the upstream sends next. */
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

  /** The work is done. */
  clear(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    // A timer that was cleared must not be refreshed into life again.
    this.#idle = undefined;
    this.#caller.removeEventListener('abort', this.abort);
  }

  readonly #late = (): void => {
    this.#isLate = true;
    this.abort();
  };
}
