import type { CarriedActor } from './running-actors.ts';
import type { CarriedDelay } from './pending-delays.ts';

/**
 * What a run hands to the next one on continue-as-new. XState's own persisted snapshot loses the delays and runs its actors
 * again; here both are carried, so nothing is lost and nothing is run twice.
 */
export interface Carried {
  readonly snapshot: unknown;
  readonly delays: readonly CarriedDelay[];
  readonly actors: readonly CarriedActor[];
  /** Invocation numbers handed out so far. */
  readonly steps: number;
  /** State path last written to the search attribute. */
  readonly published?: string;
}
