import { CancellationScope, sleep } from '@temporalio/workflow';
import type { AnyEventObject } from 'xstate';
import type { Delay, SendTarget } from './effect.ts';

/** A delay as it is carried to a new run: with an absolute time. */
export interface CarriedDelay {
  readonly id: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly event: AnyEventObject;
  readonly to: SendTarget;
}

interface Pending extends CarriedDelay {
  readonly scope: CancellationScope;
}

/** The machine's delayed events as durable timers. */
export class PendingDelays {
  readonly #due: (delay: CarriedDelay) => void;
  readonly #pending = new Set<Pending>();

  constructor(due: (delay: CarriedDelay) => void) {
    this.#due = due;
  }

  list(): CarriedDelay[] {
    return [...this.#pending].map(({ id, at, event, to }) => ({ id, at, event, to }));
  }

  schedule(delay: Delay): void {
    this.resume({ id: delay.id, at: Date.now() + delay.ms, event: delay.event, to: delay.to });
  }

  /** Starts a timer for the remaining time of a delay; a delay that is due, or is 0, needs no timer. */
  resume(delay: CarriedDelay): void {
    if (delay.id !== undefined) this.cancel(delay.id);
    const scope = new CancellationScope();
    const pending: Pending = { ...delay, scope };
    this.#pending.add(pending);
    const remaining = delay.at - Date.now();
    scope
      .run(() => (remaining > 0 ? sleep(remaining) : Promise.resolve()))
      .then(
        () => {
          if (this.#pending.delete(pending)) this.#due(delay);
        },
        () => this.#pending.delete(pending),
      );
  }

  cancel(id: string): void {
    for (const pending of this.#pending) {
      if (pending.id !== id) continue;
      this.#pending.delete(pending);
      pending.scope.cancel();
    }
  }

  cancelAll(): void {
    for (const pending of this.#pending) {
      this.#pending.delete(pending);
      pending.scope.cancel();
    }
  }
}
