import { runRefKey } from '../primitives/run-ref.ts';
import type { PendingQuery } from './query-registry.ts';

interface Turn {
  readonly query: PendingQuery;
  readonly begin: () => void;
}

/** The queries that need a run's whole history, in the order of their turns: one at a time for each run. */
export class ReplayQueue {
  readonly #runs = new Map<string, Turn[]>();

  /** Calls `begin` once it is the query's turn, which lasts until it leaves; at once when it has its turn already. */
  enter(query: PendingQuery, begin: () => void): void {
    const key = runRefKey(query.ref);
    const turns = this.#runs.get(key) ?? [];
    this.#runs.set(key, turns);
    if (!turns.some((turn) => turn.query === query)) turns.push({ query, begin });
    if (turns[0]?.query === query) begin();
  }

  isFirst(query: PendingQuery): boolean {
    return this.#runs.get(runRefKey(query.ref))?.[0]?.query === query;
  }

  leave(query: PendingQuery): void {
    const key = runRefKey(query.ref);
    const turns = this.#runs.get(key);
    if (turns === undefined) return;
    const wasFirst = turns[0]?.query === query;
    const rest = turns.filter((turn) => turn.query !== query);
    if (rest.length === 0) this.#runs.delete(key);
    else this.#runs.set(key, rest);
    if (wasFirst) rest[0]?.begin();
  }
}
