import { defineSignal } from '@temporalio/workflow';
import type { AnyEventObject } from 'xstate';
import type { ChildState } from '../core/durable-logic.ts';
import { MESSAGES } from '../core/messages.ts';

/** What the workflows of machines tell each other. */
export type ActorMessage =
  /** An event for the actor at a path below the machine. */
  | { readonly type: 'event'; readonly path: readonly string[]; readonly event: AnyEventObject }
  /** A child's state, for its parent. */
  | { readonly type: 'state'; readonly step: number; readonly state: ChildState }
  /** A child's end, for a parent that is another run than the one that started it. */
  | { readonly type: 'end'; readonly step: number; readonly output: unknown }
  | { readonly type: 'failure'; readonly step: number; readonly error: unknown }
  /** Tells a child that its parent continues as new. */
  | { readonly type: 'parent-moves' }
  /** Lets a held run look again whether its worker knows its machine. */
  | { readonly type: 'wake' };

export const actorSignal = defineSignal<[ActorMessage]>(MESSAGES.actor);
