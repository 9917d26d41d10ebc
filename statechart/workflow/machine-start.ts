import type { Address } from '../core/address.ts';
import type { CarriedMachine } from '../core/carried.ts';
import type { MachineIdentity } from '../core/machine-identity.ts';
import type { Change, RefusedEvents } from '../core/messages.ts';

/** The one argument of a machine's workflow. */
export interface MachineStart<TInput = unknown> {
  /** The machine's input. Values that JSON has no form for are encoded, as `actorClient` does. */
  readonly input: TInput;
  /** The search attributes that the workflow keeps up to date; they must be registered. Default: none. */
  readonly attributes?: StateAttributes;
  /** As `attributes.state`. */
  readonly stateAttribute?: string;
  /** Milliseconds, in place of the heartbeat timeout of every activity that is declared with one. Default: what is declared. */
  readonly heartbeatTimeout?: number;
  /** The number of history events after which a run continues as new, in place of the workflow's policy; later runs keep it. */
  readonly continueAfter?: number;
  /** Activities that are declared with options of a local activity are tried as one first. Default: false. */
  readonly triesLocally?: boolean;
  /** Written by a parent machine; other callers leave it out. */
  readonly parent?: MachineParent;
  /** Written by continue-as-new; callers leave it out. */
  readonly carried?: CarriedRun;
}

/** Names of search attributes. */
export interface StateAttributes {
  /** A Keyword: the state path, such as `request.waiting`. */
  readonly state?: string;
  /** A KeywordList: every active state with those around it, such as `request` and `request.waiting`. */
  readonly states?: string;
  /** A KeywordList: the tags of the active states. */
  readonly tags?: string;
}

/** The machine whose child a run is. */
export interface MachineParent {
  readonly address: Address;
  /** The number under which the parent knows the child. */
  readonly step: number;
  /** The parent wants to be told of every state, because it has `onSnapshot`. */
  readonly isWatched: boolean;
}

/** What a run hands to the next one. Fields that versions before 0.2 did not write are optional. */
export interface CarriedRun extends CarriedMachine {
  /** The state path that was last written to the search attribute. */
  readonly published?: string;
  readonly publishedTags?: readonly string[];
  readonly machine?: MachineIdentity;
  readonly changes?: { readonly seq: number; readonly kept: readonly Change[] };
  readonly refused?: RefusedEvents;
  /** The parent is another run by now, which hears of this one's end by a signal alone. */
  readonly reportsEnd?: boolean;
}
