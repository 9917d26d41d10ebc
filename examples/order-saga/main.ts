import { actorClient } from '@steadyhand/statechart/client';
import { runExample } from '../temporal.ts';
import { shop } from './activities.ts';
import { orderMachine, type Order } from './machine.ts';

const orders: readonly Order[] = [
  { id: '1', item: 'book', amount: 20 },
  { id: '2', item: 'yacht', amount: 90_000 },
  { id: '3', item: 'piano', amount: 900 },
];

await runExample({
  workflows: new URL('./workflows.ts', import.meta.url),
  activities: shop((line) => console.log(`  ${line}`)),
  async use(client, taskQueue) {
    const actors = actorClient(orderMachine, client, { workflowType: 'order', taskQueue });
    for (const input of orders) {
      const order = await actors.start({ workflowId: `order-${input.id}`, input });
      const { status, reason } = await order.result();
      console.log(`${input.item}: ${status}${reason === null ? '' : `, as ${reason}`}`);
    }
  },
});
