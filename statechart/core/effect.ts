import type { AnyEventObject } from 'xstate';
import type { Address } from './address.ts';
import type { DurableSource } from './durable-logic.ts';

/**
 * What a macrostep asks of its surroundings, as data: a workflow turns it into Temporal commands, a test performs it by a script.
 */
export type Effect =
  /** Cancels the actor of that number; whatever it still answers is dropped. */
  | { readonly type: 'stop'; readonly step: number }
  /** Calls {@link Interpreter.due} with the key after so many milliseconds. */
  | { readonly type: 'delay'; readonly key: number; readonly ms: number }
  | { readonly type: 'cancel'; readonly key: number };

/** A durable actor to start. Its outcome is given to {@link Interpreter.settle} under its number. */
export interface ActorStart {
  /** The number of the invocation, from 1. */
  readonly step: number;
  /** The ids of the actors from the machine down to this one. */
  readonly path: readonly string[];
  readonly source: DurableSource;
  readonly input: unknown;
  /** A child machine that an earlier run has started and that runs on: it is not started again. */
  readonly isAttached?: boolean;
}

/** An event for an actor outside of this workflow. */
export interface OutgoingEvent {
  /** A running child of this workflow by its number, or any actor by its address. */
  readonly to: { readonly step: number } | Address;
  readonly event: AnyEventObject;
}

/** An event that the machine emitted, numbered from 1 over all runs. */
export interface EmittedEvent {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly event: AnyEventObject;
}
