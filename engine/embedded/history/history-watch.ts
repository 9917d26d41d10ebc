import { type RunRef, runRefKey } from '../primitives/run-ref.ts';

/** Informs long polls of changes of the run that they wait for. */
export class HistoryWatch {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Calls `onChange` after every commit that changes the run, until the returned function is called. */
  subscribe(ref: RunRef, onChange: () => void): () => void {
    const key = runRefKey(ref);
    let listeners = this.#waiting.get(key);
    if (!listeners) {
      listeners = new Set();
      this.#waiting.set(key, listeners);
    }
    listeners.add(onChange);
    return () => {
      listeners.delete(onChange);
      if (listeners.size === 0 && this.#waiting.get(key) === listeners) this.#waiting.delete(key);
    };
  }

  notify(ref: RunRef): void {
    const listeners = this.#waiting.get(runRefKey(ref));
    if (listeners) for (const listener of Array.from(listeners)) listener();
  }
}
