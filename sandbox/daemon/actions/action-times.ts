/**
 * Where an action's time went: until its turn came (`wait`), until the computer was ready and the intent written (`prepare`), the
 * action itself with settling and capture (`act`), and until the outcome was written (`record`).
 */
export type ActionStage = 'wait' | 'prepare' | 'act' | 'record';

/** A stopwatch for the stages of one action. An action that was known already has no `prepare` and no `act`. */
export class ActionTimes {
  readonly #passed: { readonly stage: ActionStage; readonly ms: number }[] = [];
  #since = performance.now();

  /** The stage ends now, and the next one begins. */
  passed(stage: ActionStage): void {
    const now = performance.now();
    this.#passed.push({ stage, ms: now - this.#since });
    this.#since = now;
  }

  /** As the header `Server-Timing` tells it, in milliseconds: `wait;dur=0.1, act;dur=20.5`. */
  header(): string {
    return this.#passed.map(({ stage, ms }) => `${stage};dur=${ms.toFixed(3)}`).join(', ');
  }
}
