import type { Invocation } from '@steadyhand/statechart/workflow';
import { ApplicationFailure } from '@temporalio/common';
import type { Order } from './machine.ts';

interface Shop {
  reserve(order: Order, invocation: Invocation): Promise<null>;
  charge(order: Order, invocation: Invocation): Promise<string>;
  ship(order: Order, invocation: Invocation): Promise<null>;
  refund(payment: { receipt: string | null }, invocation: Invocation): Promise<null>;
  release(order: Order, invocation: Invocation): Promise<null>;
}

/** Stands for the shop's systems. A real one would take `order.id` and `step` as the key under which it does a thing once. */
export function shop(say: (line: string) => void): Shop {
  return {
    async reserve({ item }: Order, { step }: Invocation): Promise<null> {
      say(`${step} reserve ${item}`);
      return await Promise.resolve(null);
    },
    async charge({ amount }: Order, { step }: Invocation): Promise<string> {
      say(`${step} charge ${amount}`);
      // An answer, not a mishap: it makes no sense to ask again.
      if (amount > 1000) throw ApplicationFailure.nonRetryable('the card was declined', 'CardDeclined');
      return await Promise.resolve(`receipt-${amount}`);
    },
    async ship({ item }: Order, { step }: Invocation): Promise<null> {
      say(`${step} ship ${item}`);
      if (item === 'piano') throw new Error('no lorry is free');
      return await Promise.resolve(null);
    },
    async refund({ receipt }: { receipt: string | null }, { step }: Invocation): Promise<null> {
      say(`${step} refund ${receipt}`);
      return await Promise.resolve(null);
    },
    async release({ item }: Order, { step }: Invocation): Promise<null> {
      say(`${step} release ${item}`);
      return await Promise.resolve(null);
    },
  };
}
