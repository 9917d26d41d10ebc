import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { AnyEventObject, StateValue } from 'xstate';
import type { MachineDescription } from './describe.ts';

/** Answer of the update `send` and part of the query `snapshot`. */
export interface MachineState {
  readonly value: StateValue;
  /** The value as one line, `request.waiting`. */
  readonly state: string;
  readonly status: 'active' | 'done' | 'error' | 'stopped';
}

/** Answer of the query `snapshot`. */
export interface MachineSnapshotView extends MachineState {
  readonly context: unknown;
  readonly tags: readonly string[];
  readonly output?: unknown;
  /** Running actors with their invocation number. */
  readonly actors: readonly { readonly id: string; readonly src: string; readonly step: number }[];
  /** Pending delayed events; `at` in milliseconds since the epoch. */
  readonly delays: readonly { readonly id: string | undefined; readonly at: number }[];
}

/** Fire and forget: an event the machine has no transition for is dropped, as XState does. */
export const sendSignal = defineSignal<[AnyEventObject]>('send');

/** Validated: refused without a trace in history when `snapshot.can(event)` is false; answers with the state it led to. */
export const sendUpdate = defineUpdate<MachineState, [AnyEventObject]>('send');

export const snapshotQuery = defineQuery<MachineSnapshotView>('snapshot');

export const machineQuery = defineQuery<MachineDescription>('machine');
