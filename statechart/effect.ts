import type { AnyEventObject } from 'xstate';

/**
 * What a macrostep asks for, as data. The workflow turns each effect into a Temporal command; a test only reads them.
 * Actors that a macrostep both starts and stops never appear.
 */
export type Effect =
  | { readonly type: 'start'; readonly actor: ActorStart }
  | { readonly type: 'stop'; readonly id: string }
  | { readonly type: 'delay'; readonly delay: Delay }
  | { readonly type: 'cancel'; readonly id: string }
  | { readonly type: 'send'; readonly to: SendTarget; readonly event: AnyEventObject }
  | { readonly type: 'run'; readonly name: string; readonly run: () => void };

/** An actor to start: the invoked or spawned source with its resolved input. */
export interface ActorStart {
  /** The actor's id in the machine, unique among its running siblings. */
  readonly id: string;
  /** The source's name in the machine's `actors`. */
  readonly src: string;
  readonly input: unknown;
}

/** A delayed event: `after`, or `raise`/`sendTo` with a delay. */
export interface Delay {
  /** The id that `cancel` refers to; undefined for a delay that cannot be cancelled. */
  readonly id: string | undefined;
  /** Milliseconds from the macrostep. */
  readonly ms: number;
  readonly event: AnyEventObject;
  readonly to: SendTarget;
}

/** `self`, one of the machine's own actors, or any other workflow. */
export type SendTarget =
  | { readonly kind: 'self' }
  | { readonly kind: 'actor'; readonly id: string }
  | { readonly kind: 'workflow'; readonly workflowId: string };

export const SELF: SendTarget = { kind: 'self' };
