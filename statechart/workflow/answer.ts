import type { MachineState } from '../core/messages.ts';

/** What an update is answered with: at once where that is known, else once it is. */
export class Answer {
  #outcome: MachineState | Error | undefined;
  #later: ((outcome: MachineState | Error) => void) | undefined;

  settle(outcome: MachineState | Error): void {
    this.#outcome ??= outcome;
    this.#later?.(outcome);
  }

  /** @throws What it was settled with, where that is an error. */
  get value(): MachineState | Promise<MachineState> {
    const outcome = this.#outcome;
    if (outcome instanceof Error) throw outcome;
    if (outcome !== undefined) return outcome;
    return new Promise((resolve, reject) => {
      this.#later = (later) => (later instanceof Error ? reject(later) : resolve(later));
    });
  }
}
