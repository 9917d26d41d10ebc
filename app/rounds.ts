/** After a round that failed the next one waits so many times as long, so that a server without faults comes before this one. */
const AFTER_FAILURE = 3;

interface RoundsOptions {
  readonly everyMs: number;
  readonly work: () => Promise<void>;
  /** Told why a round failed; the next one comes all the same. */
  readonly failed: (error: unknown) => void;
}

/** Does the same work again and again, one round after the other, with a pause in between. */
export class Rounds {
  readonly #options: RoundsOptions;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** Begins with the first round at once. */
  start(): void {
    void this.#round();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #round(): Promise<void> {
    const { everyMs, work, failed } = this.#options;
    let wait = everyMs;
    try {
      await work();
    } catch (error) {
      if (this.#isClosed) return;
      wait *= AFTER_FAILURE;
      failed(error);
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#round(), wait).unref();
  }
}
