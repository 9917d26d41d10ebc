import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { AnyEventObject, StateValue } from 'xstate';
import type { MachineDescription } from './machine-description.ts';

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
  /** The running actors with their invocation numbers. */
  readonly actors: readonly { readonly id: string; readonly src: string; readonly step: number }[];
  /** Pending delayed events; `at` in milliseconds since the epoch. */
  readonly delays: readonly { readonly id: string | undefined; readonly at: number }[];
}

/** Sends an event without an answer; one that the machine has no transition for is dropped, as XState does. */
export const sendSignal = defineSignal<[AnyEventObject]>('send');

/**
 * Sends an event and answers with the state that it led to. It is refused, without a trace in history, when
 * `snapshot.can(event)` is false.
 */
export const sendUpdate = defineUpdate<MachineState, [AnyEventObject]>('send');

export const snapshotQuery = defineQuery<MachineSnapshotView>('snapshot');

export const machineQuery = defineQuery<MachineDescription>('machine');
