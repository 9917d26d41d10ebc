import type { Connection } from '@temporalio/client';
import {
  ACTOR_ATTRIBUTES,
  ActorHeldError,
  ensureSearchAttributes,
  findActors,
} from '../../../statechart/client/index.ts';
import { until } from '../../engine/until.ts';
import { buyerMachine } from './machines.ts';
import { errorOf, freshId, openWorkshop, type Workshop } from './support.ts';

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
  await ensureSearchAttributes(workshop.temporal.client.connection as Connection);
}, 180_000);

afterAll(async () => {
  await workshop.close();
}, 180_000);

test('a run whose machine the worker does not know says so to everybody who asks', async () => {
  const { client, taskQueue } = workshop.temporal;
  const { machine, states, tags } = ACTOR_ATTRIBUTES;
  const workflowId = freshId('buyer');
  // As an earlier run of another machine has carried it over.
  const carried = {
    snapshot: { status: 'active', value: 'silent', context: { heard: [] }, children: {} },
    delays: [],
    actors: [],
    steps: 0,
    machine: { id: 'buyer', version: '0.9', hash: '0123456789abcdef' },
  };
  await client.workflow.start('buyer', {
    workflowId,
    taskQueue,
    args: [{ carried, attributes: { states, tags } }],
    typedSearchAttributes: [{ key: { name: machine, type: 'KEYWORD' }, value: 'buyer' }],
  });
  const actor = workshop.clientOf(buyerMachine, 'buyer').get(workflowId);
  for (const question of [
    actor.waitFor('greeted'),
    actor.waitFor(({ state }) => state === 'greeted'),
    actor.sendAndWait({ type: 'hello', from: 'client' }),
    actor.snapshot(),
    actor.legalEvents(),
  ]) {
    const error = await errorOf(question);
    expect(error).toBeInstanceOf(ActorHeldError);
    expect((error as ActorHeldError).message).toContain('The machine has changed');
    expect((error as ActorHeldError).held).toMatchObject({
      started: { id: 'buyer', version: '0.9' },
      known: [{ id: 'buyer', version: null }],
    });
  }
  const held = async (): Promise<string[]> => {
    const ids: string[] = [];
    for await (const found of findActors(client, { machine: buyerMachine, held: true })) {
      if (found.isHeld) ids.push(found.workflowId);
    }
    return ids;
  };
  await until(async () => (await held()).includes(workflowId));
  await actor.cancel();
  expect(await errorOf(actor.result())).toMatchObject({ name: 'ActorEndedError', status: 'CANCELLED' });
});
