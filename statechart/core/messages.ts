import type { StateValue } from 'xstate';
import type { MachineIdentity } from './machine-identity.ts';
import { matchesPath } from './state-path.ts';

/** The names of the messages that a machine's workflow takes. */
export const MESSAGES = {
  /** Signal and update: one event. */
  send: 'send',
  /** Update: a {@link WaitCondition}. */
  waitFor: 'waitFor',
  /** Query: {@link MachineSnapshotView}. */
  snapshot: 'snapshot',
  /** Query: `MachineDescription`. */
  machine: 'machine',
  /** Query: {@link ChangesView}, from a cursor on. */
  changes: 'changes',
  /** Signal between the workflows of machines: {@link ActorMessage}. */
  actor: 'statechart.actor',
} as const;

/** Stands in the search attribute of active states while a run is held; no state has such a name. */
export const HELD_STATE = '(held)';

/** Answer of the update `send` and part of the query `snapshot`. */
export interface MachineState {
  readonly value: StateValue;
  /** The value as one line, `request.waiting`. */
  readonly state: string;
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  /** The tags of the active states. */
  readonly tags: readonly string[];
}

/** Answer of the query `snapshot`. Values that JSON has no form for are encoded; `decodeData` reads them. */
export interface MachineSnapshotView extends MachineState {
  readonly context: unknown;
  readonly output?: unknown;
  /** Why the machine has failed. */
  readonly error?: { readonly name: string; readonly message: string };
  /** Event types that have a transition now; guards are not evaluated. */
  readonly events: readonly string[];
  /** The running actors with their invocation numbers. */
  readonly actors: readonly { readonly id: string; readonly src: string; readonly step: number }[];
  /** Pending delayed events; `at` in milliseconds since the epoch. */
  readonly delays: readonly { readonly id: string | undefined; readonly at: number }[];
  /** Events that were refused at the door. Absent while there were none. */
  readonly refused?: RefusedEvents;
  readonly machine: MachineIdentity;
  /** Why the run waits without taking events. Absent while it does not. */
  readonly held?: Held;
}

export interface RefusedEvents {
  readonly count: number;
  /** Why the last one was refused. */
  readonly last: string;
}

/** A run whose machine is not the one that it was started with. */
export interface Held {
  readonly reason: string;
  /** The machine that the run belongs to; null when it is not known which. */
  readonly started: MachineIdentity | null;
  /** The machines that the worker knows. */
  readonly known: readonly MachineIdentity[];
}

/** What {@link MESSAGES.waitFor} waits for, and the milliseconds that it waits at most. Default: without limit. */
export type WaitCondition = (
  | { readonly state: string }
  | { readonly tag: string }
  | { readonly status: 'done' }
) & { readonly timeout?: number };

/** Answer of {@link MESSAGES.waitFor}. */
export interface WaitOutcome extends MachineState {
  /** The run ends or continues as new before the condition holds; the next run is asked again. */
  readonly moved: boolean;
  /** The time was over before the condition held. */
  readonly timedOut?: boolean;
}

/** Whether a state is what somebody waits for. */
export function fulfils({ state, tags, status }: MachineState, wanted: WaitCondition): boolean {
  if ('state' in wanted) return matchesPath(state, wanted.state);
  return 'tag' in wanted ? tags.includes(wanted.tag) : status === wanted.status;
}

/** A change that a subscriber sees. */
export type Change =
  | ({ readonly type: 'state'; readonly seq: number; readonly at: number } & MachineState)
  | { readonly type: 'emitted'; readonly seq: number; readonly at: number; readonly event: unknown };

/** Answer of the query {@link MESSAGES.changes}. */
export interface ChangesView {
  /** The changes after the cursor, oldest first. */
  readonly changes: readonly Change[];
  /** The cursor to go on with. */
  readonly cursor: number;
  /** Changes between the cursor and the first one here are no longer kept. */
  readonly lost: boolean;
}
