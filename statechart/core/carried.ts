import type { AnyEventObject } from 'xstate';
import type { Address } from './address.ts';

/**
 * What a run hands to the next one on continue-as-new. XState's own persisted snapshot loses the delays and runs its actors
 * again; here both are carried, so nothing is lost and nothing is run twice.
 */
export interface CarriedMachine {
  /** XState's persisted snapshot with encoded contexts. */
  readonly snapshot: unknown;
  readonly delays: readonly CarriedDelay[];
  readonly actors: readonly CarriedActor[];
  /** The number of invocations so far. */
  readonly steps: number;
  /** The number of emitted events so far. Absent in what versions before 0.2 carried. */
  readonly emitted?: number;
}

/** A pending delayed event. */
export interface CarriedDelay {
  readonly id: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly event: AnyEventObject;
  /** The path of the actor that waits. Absent in what versions before 0.2 carried, where it was the machine itself. */
  readonly source?: readonly string[];
  /** Versions before 0.2 wrote `{ kind: 'self' }`. */
  readonly to: Address | { readonly kind: string };
}

/** A started actor, or one that the next run has to start under the same number. */
export interface CarriedActor {
  readonly id: string;
  readonly src: string;
  readonly input: unknown;
  /** Absent while it has never been started. */
  readonly step?: number;
  /** The path to it; absent in what versions before 0.2 carried, where it was its id alone. */
  readonly path?: readonly string[];
  /** How often it has failed under supervision. */
  readonly failures?: number;
  /** When a supervised actor is started again, in milliseconds since 1970. */
  readonly restartAt?: number;
  /** A child machine that runs on and reports its end to whatever run there is then: it is not started again. */
  readonly isAttached?: boolean;
}
