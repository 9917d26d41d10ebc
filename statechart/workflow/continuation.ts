import { log, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { DataError } from '../core/data.ts';
import type { Interpreter } from '../core/interpreter.ts';
import type { ContinueAsNewPolicy } from './continue-as-new-policy.ts';
import type { CarriedRun } from './machine-start.ts';
import type { RunningActors } from './running-actors.ts';

const DEFAULT_AT_MOST = 10_240;
const DEFAULT_MAX_BYTES = 1_900_000;

/** Decides when a run makes way for a next one, and whether what it would hand over is enough for that. */
export class Continuation {
  readonly #policy: ContinueAsNewPolicy;
  #mustStay = false;

  constructor(policy: ContinueAsNewPolicy) {
    this.#policy = policy;
  }

  isDue(interpreter: Interpreter, actors: RunningActors): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    const { after } = this.#policy;
    if (this.#mustStay) return false;
    if (!(after === undefined ? continueAsNewSuggested : historyLength >= after)) return false;
    // A child workflow that was written by hand answers only the run that started it.
    if (actors.areBound || interpreter.hasUnsent) return false;
    return (this.#isUrgent || actors.areIdle) && this.#holds(interpreter);
  }

  /** What is handed over; undefined where the next run would lose something. What can never be handed over makes the run stay. */
  carried(interpreter: Interpreter, carry: () => CarriedRun, state: () => string): CarriedRun | undefined {
    if (!this.#holds(interpreter)) return undefined;
    const { maxBytes = DEFAULT_MAX_BYTES } = this.#policy;
    let run: CarriedRun;
    try {
      run = carry();
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      return this.#stay(`the machine's state cannot be handed to a next run: ${error.message}`, state());
    }
    const bytes = new TextEncoder().encode(JSON.stringify(run)).length;
    if (bytes <= maxBytes) return run;
    return this.#stay(
      `the machine's state has ${bytes} bytes of JSON and cannot be handed to a next run, which takes ${maxBytes}; keep less in the context`,
      state(),
    );
  }

  get #isUrgent(): boolean {
    return workflowInfo().historyLength >= (this.#policy.atMost ?? DEFAULT_AT_MOST);
  }

  /** Whether the next run would go on where this one is. What runs in the process begins anew when there is no other way. */
  #holds({ persistence }: Interpreter): boolean {
    return persistence === 'whole' || (persistence === 'restarts' && this.#isUrgent);
  }

  /** Goes on in this run for good, and says why. */
  #stay(reason: string, state: string): undefined {
    this.#mustStay = true;
    log.warn(reason);
    setCurrentDetails(`${state}\n\n${reason}`);
  }
}
