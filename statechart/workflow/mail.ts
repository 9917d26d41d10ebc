import type { AnyEventObject } from 'xstate';
import type { MachineState } from '../core/messages.ts';
import type { ActorMessage } from './actor-message.ts';

/** What a machine's run takes one after the other. */
export type Mail =
  | {
      readonly type: 'event';
      readonly event: AnyEventObject;
      readonly path?: readonly string[];
      readonly settled?: (outcome: MachineState | Error) => void;
    }
  | {
      readonly type: 'settle';
      readonly step: number;
      readonly outcome: { output: unknown } | { error: unknown };
    }
  | { readonly type: 'due'; readonly key: number }
  | { readonly type: 'state'; readonly message: ActorMessage & { type: 'state' } }
  | { readonly type: 'end'; readonly message: ActorMessage & { type: 'end' | 'failure' } };
