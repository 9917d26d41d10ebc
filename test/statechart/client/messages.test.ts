import { buyerMachine, orderMachine } from './machines.ts';
import { errorOf, freshId, openWorkshop, type Workshop } from './support.ts';

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
}, 180_000);

afterAll(async () => {
  await workshop.close();
}, 180_000);

const start = async (workflowId = freshId('order')) =>
  await workshop
    .clientOf(orderMachine, 'order')
    .start({ workflowId, input: { id: '7', placed: new Date(0) } });

test('a workflow that was written by hand sends typed events and references', async () => {
  const order = await start();
  const buyer = await workshop
    .clientOf(buyerMachine, 'buyer')
    .start({ workflowId: `${order.workflowId}-buyer` });
  const { client, taskQueue } = workshop.temporal;
  await client.workflow.execute('clerk', {
    workflowId: freshId('clerk'),
    taskQueue,
    args: [order.workflowId],
  });
  await buyer.waitFor('greeted');
  expect((await order.snapshot()).context).toMatchObject({ total: 12n });
  await Promise.all([order.workflow.terminate(), buyer.workflow.terminate()]);
});

test('signals of other names reach the machine as its events', async () => {
  const order = await start();
  await order.workflow.signal('paid', '250');
  await order.waitFor('request.paid');
  expect((await order.snapshot()).context.total).toBe(250n);
  // One that no event can be made of is refused, and harms nothing.
  await order.workflow.signal('paid', 'a lot');
  expect((await order.waitFor(({ refused }) => refused?.count === 1)).refused?.last).toContain('paid');
  await order.workflow.terminate();
});

test('updates of other names reach the machine and answer as send does', async () => {
  const order = await start();
  const state = await order.workflow.executeUpdate('put', { args: ['fig', 3] });
  expect(state).toMatchObject({ state: 'request.waiting', tags: ['open'] });
  // What no event can be made of is refused, too.
  expect(await errorOf(order.workflow.executeUpdate('price', { args: ['a lot'] }))).toMatchObject({
    cause: { message: 'Cannot convert a lot to a BigInt' },
  });
  expect((await order.snapshot()).context.lines).toEqual(new Map([['fig', 3]]));
  await order.sendAndWait({ type: 'pay', amount: 1n, at: new Date(0) });
  await order.sendAndWait({ type: 'ship' });
  await order.send({ type: 'deliver' });
  await order.result();
  expect(await errorOf(order.workflow.executeUpdate('put', { args: ['fig', 3] }))).toMatchObject({
    name: 'WorkflowNotFoundError',
  });
});
