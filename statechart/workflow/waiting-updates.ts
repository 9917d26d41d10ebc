import { ApplicationFailure, condition } from '@temporalio/workflow';
import { fulfils, HELD_STATE, type WaitCondition, type WaitOutcome } from '../core/messages.ts';
import type { MachineRun } from './machine-run.ts';

/** The most updates that wait for a state at a time. */
const MAX_WAITING = 6;

/** The updates that wait for a machine's state. */
export class WaitingUpdates {
  readonly #run: Pick<MachineRun, 'state' | 'requireFree' | 'isOver' | 'isMoving'>;
  #waiting = 0;

  constructor(run: Pick<MachineRun, 'state' | 'requireFree' | 'isOver' | 'isMoving'>) {
    this.#run = run;
  }

  /**
   * Throws when no more may wait: a server takes ten updates of a workflow at a time, and events must still get through.
   *
   * @throws ApplicationFailure of type `MachineHeld` or `TooManyWaiting`.
   */
  requireRoom(): void {
    this.#run.requireFree();
    if (this.#waiting < MAX_WAITING) return;
    throw ApplicationFailure.nonRetryable(
      `${MAX_WAITING} wait already; ask the query instead`,
      'TooManyWaiting',
    );
  }

  /** Waits until the condition holds, the machine ends or is held, the time is over, or the run is about to continue as new. */
  async waitFor(wanted: WaitCondition): Promise<WaitOutcome> {
    const run = this.#run;
    const holds = (): boolean => {
      const state = run.state();
      return state.state !== HELD_STATE && fulfils(state, wanted);
    };
    const isReady = (): boolean => holds() || run.isOver;
    const { timeout } = wanted;
    this.#waiting += 1;
    const wasInTime = timeout === undefined ? await condition(isReady) : await condition(isReady, timeout);
    this.#waiting -= 1;
    run.requireFree();
    return {
      ...run.state(),
      moved: run.isMoving && !holds(),
      ...(wasInTime === false ? { timedOut: true } : {}),
    };
  }
}
