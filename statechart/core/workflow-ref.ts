import type { AnyActorRef } from 'xstate';
import { currentRouter } from './router.ts';
import { remoteActor } from './remote-actor.ts';

const refs = new Map<string, AnyActorRef>();

/**
 * A reference to the machine of another workflow, for `sendTo` and for events: what is sent to it arrives as its `send` signal.
 *
 * @example
 * entry: sendTo(workflowRef('order-7'), { type: 'paid' })
 */
export function workflowRef(workflowId: string): AnyActorRef {
  const known = refs.get(workflowId);
  if (known !== undefined) return known;
  const ref = remoteActor({ workflowId, path: [] }, (address, event) => currentRouter()(address, event));
  refs.set(workflowId, ref);
  return ref;
}
