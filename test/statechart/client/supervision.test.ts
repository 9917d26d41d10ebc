import { ApplicationFailure } from '@temporalio/common';
import type { ActorClient, ActorHandle } from '../../../statechart/client/index.ts';
import { until } from '../../engine/until.ts';
import { keeperMachine } from './machines.ts';
import { freshId, openWorkshop, type Workshop } from './support.ts';

type Keepers = ActorClient<typeof keeperMachine>;

let workshop: Workshop;
/** When each attempt of a child's activity began, by the child's name. */
const attempts = new Map<string, number[]>();
/** How many attempts of a child fail. */
const failing = new Map<string, number>();

beforeAll(async () => {
  workshop = await openWorkshop({
    activities: {
      async attempt(name: string) {
        const began = [...(attempts.get(name) ?? []), Date.now()];
        attempts.set(name, began);
        if (began.length <= (failing.get(name) ?? 0)) {
          throw ApplicationFailure.nonRetryable(`attempt ${began.length}`, 'Broken');
        }
        return await Promise.resolve('made');
      },
    },
  });
}, 180_000);

afterAll(async () => {
  await workshop.close();
}, 180_000);

const keepers = (type: string): Keepers => workshop.clientOf(keeperMachine, type);

async function start(type: string, failures: number): Promise<ActorHandle<typeof keeperMachine>> {
  const name = freshId(type);
  failing.set(name, failures);
  return await keepers(type).start({ workflowId: name, input: { name } });
}

const triesOf = ({ workflowId }: { readonly workflowId: string }): number[] => attempts.get(workflowId) ?? [];
const childIds = async ({ workflowId }: { readonly workflowId: string }): Promise<string[]> => {
  const ids: string[] = [];
  const { client } = workshop.temporal;
  for await (const child of client.workflow.list({ query: `WorkflowType = 'childOf'` })) {
    if (child.workflowId.startsWith(`${workflowId}/`)) ids.push(child.workflowId);
  }
  return ids.toSorted();
};

test('a child that fails is started again after a time that grows, and its output counts', async () => {
  const keeper = await start('restarting', 2);
  expect(await keeper.result()).toBe(`${keeper.workflowId} is done`);
  const [first = 0, second = 0, third = 0] = triesOf(keeper);
  expect(triesOf(keeper)).toHaveLength(3);
  expect(second - first).toBeGreaterThanOrEqual(300);
  // Twice as long, up to the limit of 400.
  expect(third - second).toBeGreaterThanOrEqual(400);
  await until(async () => (await childIds(keeper)).length === 3);
});

test('without a restart left the error escalates to onError, as the child threw it', async () => {
  const keeper = await start('restarting', 9);
  expect(await keeper.result()).toMatchObject({ name: 'Broken', message: 'attempt 3' });
  expect(triesOf(keeper)).toHaveLength(3);
});

test('or the child ends without a word, and the parent goes on', async () => {
  const keeper = await start('stopping', 9);
  await until(() => triesOf(keeper).length === 2);
  const snapshot = await keeper.waitFor(({ actors }) => actors.length === 0, { poll: { most: 50 } });
  expect(snapshot.state).toBe('keeping');
  await keeper.send({ type: 'leave' });
  expect(await keeper.result()).toBeNull();
});

test('a parent that leaves during the pause starts no further child', async () => {
  const keeper = await start('moving', 9);
  const waiting = await keeper.waitFor(({ actors }) => actors.length === 0 && triesOf(keeper).length === 1);
  expect(waiting.state).toBe('keeping');
  await keeper.send({ type: 'leave' });
  await keeper.result();
  expect(triesOf(keeper)).toHaveLength(1);
});

test('the pause and the number of failures go on through continue-as-new', async () => {
  const keeper = await start('moving', 1);
  const { runId } = await keeper.describe();
  await until(() => triesOf(keeper).length === 1);
  for (let n = 0; n < 12; n += 1) await keeper.sendAndWait({ type: 'nudge' });
  expect((await keeper.describe()).runId).not.toBe(runId);
  expect(await keeper.result()).toBe(`${keeper.workflowId} is done`);
  const [first = 0, second = 0] = triesOf(keeper);
  expect(triesOf(keeper)).toHaveLength(2);
  expect(second - first).toBeGreaterThanOrEqual(2900);
});
