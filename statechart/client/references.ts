import type { AnyActorRef, AnyEventObject } from 'xstate';
import { isAddress, type Address } from '../core/address.ts';
import { isActorRef } from '../core/actor-tree.ts';
import type { ReferenceCodec } from '../core/data.ts';
import { remoteActor, remoteAddress } from '../core/remote-actor.ts';

/** Brings an event to the actor of an address. */
type Deliver = (address: Address, event: AnyEventObject) => void;

/** References to durable actors as XState's own: what is sent to one goes to the workflow as a signal. */
export class References {
  readonly #deliver: Deliver;

  constructor(deliver: Deliver) {
    this.#deliver = deliver;
  }

  readonly codec: ReferenceCodec = {
    encode: (value) => (isActorRef(value) ? remoteAddress(value) : undefined),
    decode: (address, assign) => assign(isAddress(address) ? this.to(address) : undefined),
  };

  to(address: Address): AnyActorRef {
    return remoteActor(address, this.#deliver);
  }
}
