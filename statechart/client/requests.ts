/** The requests under way, with those that callers gave up. */
export class Requests {
  readonly #open = new Set<Promise<unknown>>();

  /** Keeps a request until it has ended. */
  keep<T>(request: Promise<T>): Promise<T> {
    this.#open.add(request);
    const ended = (): void => void this.#open.delete(request);
    request.then(ended, ended);
    return request;
  }

  /** Resolves once there are none. */
  async settled(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }
}
