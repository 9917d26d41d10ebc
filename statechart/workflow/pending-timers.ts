import { CancellationScope, sleep } from '@temporalio/workflow';
import { BareScope } from './bare-scope.ts';

/** Delays as durable timers. A delay of 0 needs none. */
export class PendingTimers {
  readonly #due: (key: number) => void;
  readonly #scopes = new Map<number, CancellationScope>();
  readonly #isIdentified: boolean;

  /** @param isIdentified As {@link Lineage.isIdentified}. */
  constructor(due: (key: number) => void, isIdentified: boolean) {
    this.#due = due;
    this.#isIdentified = isIdentified;
  }

  get areNone(): boolean {
    return this.#scopes.size === 0;
  }

  start(key: number, ms: number): void {
    const scope = this.#isIdentified ? new BareScope() : new CancellationScope();
    this.#scopes.set(key, scope);
    scope
      .run(() => (ms > 0 ? sleep(ms) : Promise.resolve()))
      .then(
        () => {
          if (this.#scopes.delete(key)) this.#due(key);
        },
        () => this.#scopes.delete(key),
      );
  }

  cancel(key: number): void {
    const scope = this.#scopes.get(key);
    this.#scopes.delete(key);
    scope?.cancel();
  }

  cancelAll(): void {
    // A deleted key of a Map is not visited again.
    for (const key of this.#scopes.keys()) this.cancel(key);
  }
}
