import type { AnyMachineSnapshot, InspectionEvent } from 'xstate';
import { statePath } from './state-path.ts';

/** How many of the last microsteps an error names. */
const NAMED = 24;

/** Ends a loop that would never end: it counts the microsteps that one event leads to in all actors together. */
export class StepLimit {
  readonly #limit: number;
  #count = 0;
  #last: string[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  reset(): void {
    this.#count = 0;
    this.#last = [];
  }

  /**
   * Counts what XState's inspection tells.
   *
   * @throws Error when there were too many, which XState makes the failure of the actor that it comes from.
   */
  count(event: InspectionEvent): void {
    if (event.type !== '@xstate.microstep') return;
    this.#count += 1;
    if (this.#count <= this.#limit - NAMED) return;
    this.#last.push(statePath((event.snapshot as AnyMachineSnapshot).value as never));
    if (this.#count <= this.#limit) return;
    const states = [...new Set(this.#last)].join(', ');
    throw new Error(
      `one event led to more than ${this.#limit} microsteps; the last ones went through ${states}`,
    );
  }
}
