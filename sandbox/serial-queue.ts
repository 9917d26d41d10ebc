/**
 * Does pieces of work one after another in the order in which they came; a failure does not keep back those behind it.
 * With keys there is a queue for each key.
 */
export class SerialQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(work: () => T | Promise<T>, key = ''): Promise<T> {
    const result = this.idle(key).then(work);
    const ended = (): void => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    };
    const settled = result.then(ended, ended);
    this.#last.set(key, settled);
    return result;
  }

  /** Resolves when all that was handed in before has ended. */
  idle(key = ''): Promise<unknown> {
    return this.#last.get(key) ?? Promise.resolve();
  }
}
