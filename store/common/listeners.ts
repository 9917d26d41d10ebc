/** The functions that wait for sessions' event logs to grow. */
export class Listeners {
  readonly #bySession = new Map<string, Set<() => void>>();

  /** Adds a listener and answers the function that removes it. */
  add(session: string, listener: () => void): () => void {
    // Each call has a function of its own, so that the same listener may subscribe twice.
    const own = (): void => listener();
    const set = this.#bySession.get(session) ?? new Set();
    this.#bySession.set(session, set.add(own));
    return () => {
      set.delete(own);
      if (set.size === 0 && this.#bySession.get(session) === set) this.#bySession.delete(session);
    };
  }

  ring(session: string): void {
    for (const listener of this.#bySession.get(session) ?? []) queueMicrotask(listener);
  }

  sessions(): readonly string[] {
    return [...this.#bySession.keys()];
  }

  has(session: string): boolean {
    return this.#bySession.has(session);
  }

  get isEmpty(): boolean {
    return this.#bySession.size === 0;
  }

  clear(): void {
    this.#bySession.clear();
  }
}
