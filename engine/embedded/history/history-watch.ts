import type { RunRef } from '../types.ts';

/** Lets long polls wait for a run to change. Waiting costs nothing while nothing happens. */
export class HistoryWatch {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Calls `onChange` after every commit that changes the run, until the returned function is called. */
  subscribe(ref: RunRef, onChange: () => void): () => void {
    const key = keyOf(ref);
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
    const listeners = this.#waiting.get(keyOf(ref));
    if (listeners) for (const listener of Array.from(listeners)) listener();
  }
}

function keyOf(ref: RunRef): string {
  return `${ref.namespace}\n${ref.workflowId}\n${ref.runId}`;
}
