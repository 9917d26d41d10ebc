import path from 'node:path';
import type { WorkflowBundle } from '@temporalio/worker';
import {
  durableTarget,
  runScenario,
  scriptedActivities,
  testTarget,
  type Scenario,
} from '../../../statechart/client/index.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { connectTemporal, type TestTemporal } from '../../support/temporal.ts';
import { bundleWorkflows } from '../../support/workflow-bundle.ts';
import { orderMachine } from './machines.ts';

type OrderScenario = Scenario<typeof orderMachine>;

const paid: OrderScenario = {
  input: { id: '7' },
  sources: { charge: [{ output: 'r1' }], ship: [{ output: 'sent' }] },
  steps: [{ send: { type: 'pay' } }, { pass: 3000 }, { pass: 3000 }],
};

describe('a scenario on a test actor', () => {
  test('tells of each step what was entered, called, emitted and awaited', async () => {
    const trace = await runScenario(testTarget(orderMachine), paid);
    expect(trace.map(({ step, states, delays }) => [step, states, delays])).toEqual([
      ['start', ['open'], 1],
      ['send pay', ['charging', 'shipping', 'resting'], 1],
      ['pass 3000 ms', ['almost'], 1],
      ['pass 3000 ms', ['done'], 0],
    ]);
    expect(trace[1]?.started).toEqual([
      { source: 'charge', input: { id: '7', at: '1970-01-01T00:00:01.000Z' } },
      { source: 'ship', input: { receipt: 'r1' } },
    ]);
    expect(trace[1]?.emitted).toEqual([{ type: 'paid', receipt: 'r1' }]);
    expect(trace[3]).toMatchObject({ status: 'done', output: { id: '7' } });
  });

  test('answers a source call after call, and the last answer holds', async () => {
    const trace = await runScenario(testTarget(orderMachine), {
      input: { id: '7' },
      sources: { charge: ['wait'] },
      steps: [{ send: { type: 'pay' } }, { reject: 'charge', error: new Error('no funds') }],
    });
    expect(trace.map(({ state, running }) => [state, running])).toEqual([
      ['open', []],
      ['charging', ['charge']],
      ['cancelled', []],
    ]);
  });

  test('refuses an answer to an actor that does not wait', () => {
    expect(() =>
      testTarget(orderMachine).run({ input: { id: '7' }, steps: [{ resolve: 'charge' }] }),
    ).toThrow("no actor 'charge' waits; waiting: none");
  });
});

describe('the same scenario on a worker', () => {
  let engine: TestEngine;
  let temporal: TestTemporal;
  let worker: { stop(): Promise<void> };
  let workflowBundle: WorkflowBundle;
  const scripted = scriptedActivities(['charge', 'ship', 'refund']);

  beforeAll(async () => {
    workflowBundle = await bundleWorkflows(path.join(__dirname, 'machines.ts'));
    engine = await startTestEngine();
    temporal = await connectTemporal(engine.connection);
    worker = await temporal.work({ workflowBundle, activities: scripted.activities });
  }, 180_000);

  afterAll(async () => {
    await worker.stop();
    await temporal.close();
    await engine.stop();
  }, 180_000);

  const durable = (timeout?: number): ReturnType<typeof durableTarget<typeof orderMachine>> =>
    durableTarget({
      client: temporal.client,
      taskQueue: temporal.taskQueue,
      workflowType: 'order',
      machine: orderMachine,
      scripted,
      ...(timeout === undefined ? {} : { timeout }),
    });

  const scenarios: Readonly<Record<string, OrderScenario>> = {
    'answers and delays': paid,
    'an error with its name and fields': {
      input: { id: '8' },
      sources: {
        charge: [{ output: 'r2' }],
        ship: [{ error: Object.assign(new RangeError('too far'), { km: 9000 }) }],
        refund: [{ output: null }],
      },
      steps: [{ send: { type: 'pay' } }],
    },
    'answers that come later, and an actor that is stopped': {
      input: { id: '9' },
      sources: { refund: ['wait'] },
      steps: [
        { send: { type: 'pay' } },
        { resolve: 'charge', output: 'r3' },
        { send: { type: 'cancel' } },
        { resolve: 'refund', output: null },
      ],
    },
    'events that the state does not take': {
      input: { id: '10' },
      sources: { charge: ['wait'] },
      steps: [{ send: { type: 'pay' } }, { send: { type: 'cancel' } }, { send: { type: 'pay' } }],
    },
  };

  test.each(Object.entries(scenarios))(
    '%s: the trace is the same',
    async (_name, scenario) => {
      const expected = await runScenario(testTarget(orderMachine), scenario);
      expect(await runScenario(durable(), scenario)).toEqual(expected);
    },
    60_000,
  );

  test('their histories replay', async () => {
    expect(await temporal.replayAll(workflowBundle)).toBeGreaterThanOrEqual(4);
  }, 60_000);

  test('a run that goes another way ends the trace where it does', async () => {
    const other = orderMachine.provide({ actors: {} });
    const target = durableTarget({
      client: temporal.client,
      taskQueue: temporal.taskQueue,
      workflowType: 'lamp',
      machine: other,
      scripted,
      timeout: 500,
    });
    const trace = await runScenario(target, paid);
    expect(trace.map(({ step, state }) => [step, state])).toEqual([['start', 'dark']]);
  }, 60_000);
});
