import path from 'node:path';
import {
  checkPath,
  durableTarget,
  PathError,
  pathsOf,
  scriptedActivities,
  testTarget,
} from '../../../statechart/client/index.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { connectTemporal, type TestTemporal } from '../../support/temporal.ts';
import { bundleWorkflows } from '../../support/workflow-bundle.ts';
import { lampMachine, orderMachine } from './machines.ts';

const lampPaths = pathsOf(lampMachine, { kind: 'shortest' });
const orderPaths = pathsOf(orderMachine, {
  kind: 'simple',
  input: { id: '7' },
  events: [
    { type: 'pay' },
    { type: 'cancel' },
    { type: 'xstate.done.actor.charge', output: 'r1' },
    { type: 'xstate.error.actor.charge', error: new Error('no funds') },
    { type: 'xstate.done.actor.ship', output: 's1' },
    { type: 'xstate.error.actor.ship', error: new Error('no way') },
    { type: 'xstate.done.actor.refund', output: null },
    { type: 'xstate.after.3000.order.resting' },
    { type: 'xstate.after.3000.order.almost' },
  ],
});

/** Without those with which another one begins: who walks that one walks them, too. */
function whole<Path extends { readonly description: string }>(paths: readonly Path[]): readonly Path[] {
  return paths.filter(
    ({ description }) => !paths.some((other) => other.description.startsWith(`${description} -> `)),
  );
}

describe('the paths of a machine', () => {
  test('reach every state, with delays and outcomes of actors as steps', () => {
    const last = (states: readonly string[]): string => states.at(-1) ?? '';
    expect(new Set(lampPaths.map(({ states }) => last(states)))).toEqual(
      new Set(['dark', 'bright', 'dim', 'worn']),
    );
    const done = orderPaths.find(({ states }) => last(states) === 'done');
    expect(done?.scenario.steps).toEqual([
      { send: { type: 'pay' } },
      { resolve: 'charge', output: 'r1' },
      { resolve: 'ship', output: 's1' },
      { pass: 3000 },
      { pass: 3000 },
    ]);
    expect(done?.states).toEqual(['open', 'charging', 'shipping', 'resting', 'almost', 'done']);
  });

  test.each(lampPaths)('lamp on a test actor: $description', async (way) => {
    await expect(checkPath(testTarget(lampMachine), way)).resolves.toBeUndefined();
  });

  test.each(orderPaths)('order on a test actor: $description', async (way) => {
    await expect(checkPath(testTarget(orderMachine), way)).resolves.toBeUndefined();
  });

  test('a target that goes another way is told with the event and both states', async () => {
    const [, way] = orderPaths;
    const wrong = { ...way, states: [...(way?.states.slice(0, -1) ?? []), 'elsewhere'] } as typeof way &
      object;
    await expect(checkPath(testTarget(orderMachine), wrong)).rejects.toThrow(PathError);
  });
});

describe('the paths of a machine on a worker', () => {
  let engine: TestEngine;
  let temporal: TestTemporal;
  let worker: { stop(): Promise<void> };
  const scripted = scriptedActivities(['charge', 'ship', 'refund']);

  beforeAll(async () => {
    const workflowBundle = await bundleWorkflows(path.join(__dirname, 'machines.ts'));
    engine = await startTestEngine();
    temporal = await connectTemporal(engine.connection);
    worker = await temporal.work({ workflowBundle, activities: scripted.activities });
  }, 180_000);

  afterAll(async () => {
    await worker.stop();
    await temporal.close();
    await engine.stop();
  }, 180_000);

  test.each(whole(orderPaths))(
    'order: $description',
    async (way) => {
      const { client, taskQueue } = temporal;
      const target = durableTarget({
        client,
        taskQueue,
        workflowType: 'order',
        machine: orderMachine,
        scripted,
      });
      await expect(checkPath(target, way)).resolves.toBeUndefined();
    },
    60_000,
  );

  test.each(whole(lampPaths))(
    'lamp: $description',
    async (way) => {
      const { client, taskQueue } = temporal;
      const target = durableTarget({
        client,
        taskQueue,
        workflowType: 'lamp',
        machine: lampMachine,
        scripted,
      });
      await expect(checkPath(target, way)).resolves.toBeUndefined();
    },
    60_000,
  );
});
