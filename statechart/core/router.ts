import type { AnyEventObject } from 'xstate';
import type { Address } from './address.ts';

/** Brings an event to the actor of an address. */
export type Router = (address: Address, event: AnyEventObject) => void;

let current: Router | undefined;

/**
 * Says which machine is at work. A reference that is made before any machine runs, as `workflowRef` in a machine's definition,
 * sends by it; a workflow has one machine.
 */
export function enterRouter(router: Router): void {
  current = router;
}

export function currentRouter(): Router {
  if (current === undefined)
    throw new Error('a reference to another workflow sends only from a durable actor');
  return current;
}
