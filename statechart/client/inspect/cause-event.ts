import type { AnyEventObject } from 'xstate';
import type { Cause } from '../history/explanation.ts';

/** The event by which XState's machine hears of a cause; undefined for one that it does not hear of. */
export function causeEvent(cause: Cause): AnyEventObject | undefined {
  switch (cause.type) {
    case 'start':
      return { type: 'xstate.init', input: cause.input };
    case 'signal':
    case 'update':
      return cause.event;
    case 'done':
      return { type: `xstate.done.actor.${lastOf(cause.actor.id)}`, output: cause.output };
    case 'error':
      return { type: `xstate.error.actor.${lastOf(cause.actor.id)}`, error: cause.error };
    case 'child state':
      return { type: `xstate.snapshot.${lastOf(cause.actor.id)}` };
    case 'delay':
      return { type: cause.id };
    case 'cancel':
      return { type: 'workflow.cancel' };
    case 'continued':
    case 'migration':
    case 'refused':
    case 'inside':
      return undefined;
  }
}

const lastOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);
