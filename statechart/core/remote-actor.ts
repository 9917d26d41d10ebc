import {
  createActor,
  type ActorLogic,
  type AnyActorRef,
  type AnyEventObject,
  type InspectionEvent,
  type Snapshot,
} from 'xstate';
import type { Address } from './address.ts';
import type { Clock } from './delays.ts';

type RemoteSnapshot = Snapshot<undefined>;

/** The address of each reference that this module has made. */
const addresses = new WeakMap<object, Address>();

/**
 * An actor of another workflow, as an XState actor that passes on whatever it is sent. Its own snapshot tells nothing of the
 * other actor.
 */
export function remoteActor(
  address: Address,
  deliver: (address: Address, event: AnyEventObject) => void,
  system: { readonly clock?: Clock; readonly inspect?: (event: InspectionEvent) => void } = {},
): AnyActorRef {
  const logic: ActorLogic<RemoteSnapshot, AnyEventObject> = {
    getInitialSnapshot: () => ({ status: 'active', output: undefined, error: undefined }),
    getPersistedSnapshot: (snapshot) => snapshot,
    transition: (snapshot, event) => {
      deliver(address, event);
      return snapshot;
    },
  };
  const id = [address.workflowId, ...address.path].join('/');
  const actor: AnyActorRef = createActor(logic, { ...system, id });
  actor.start();
  addresses.set(actor, address);
  return actor;
}

/** The address behind a reference that {@link remoteActor} has made. */
export const remoteAddress = (reference: object): Address | undefined => addresses.get(reference);
