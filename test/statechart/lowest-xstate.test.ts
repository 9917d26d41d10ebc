/**
 * The lowest XState that the package's manifest allows; all other tests run with the newest. `test/oracle/xstate-range.mjs`
 * tells which one that is.
 *
 * @own-modules
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { WorkflowBundle } from '@temporalio/worker';
import { manifest } from '../support/bundling.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { connectTemporal, type TestTemporal } from '../support/temporal.ts';
import { bundleWorkflows } from '../support/workflow-bundle.ts';
import './interpreter.test.ts';

jest.mock('xstate', () => jest.requireActual<object>('xstate-lowest'));

const { version } = jest.requireActual<{ version: string }>('xstate-lowest/package.json');

test('it is the one that the manifest names', () => {
  expect(manifest('statechart').peerDependencies?.['xstate']).toBe(`^${version}`);
  expect(jest.requireMock('xstate')).not.toBe(jest.requireActual('xstate'));
});

describe('on a worker', () => {
  const machines = path.join(__dirname, 'machines.ts');
  let engine: TestEngine;
  let temporal: TestTemporal;
  let bundle: WorkflowBundle;
  let worker: { stop(): Promise<void> };

  beforeAll(async () => {
    bundle = await bundleWorkflows(machines, { xstate$: 'xstate-lowest' });
    engine = await startTestEngine();
    temporal = await connectTemporal(engine.connection);
    const activities = {
      load: async () => await Promise.resolve('page'),
      peek: async () => await Promise.resolve('peeked'),
      step: async (_input: null, { step }: { step: number }) => await Promise.resolve(step),
    };
    worker = await temporal.work({ workflowBundle: bundle, activities });
  }, 180_000);

  afterAll(async () => {
    await worker.stop();
    await temporal.close();
    await engine.stop();
  }, 180_000);

  const start = async (type: string, input: unknown = {}) =>
    await temporal.client.workflow.start(type, {
      taskQueue: temporal.taskQueue,
      workflowId: `${type}-${randomUUID()}`,
      args: [{ input }],
    });

  test('activities, delays, children, messages and continue-as-new work, and the newest XState replays the histories', async () => {
    expect(await (await start('loader', { fail: false })).result()).toEqual({ got: 'page' });
    expect(await (await start('parent')).result()).toEqual({ opened: 1, local: 'peeked' });
    expect(await (await start('walker', { steps: 12 })).result()).toHaveLength(12);
    const door = await start('door');
    expect((await door.query<{ events: string[] }>('machine')).events).toEqual(['open', 'lock', 'break']);
    await door.executeUpdate('send', { args: [{ type: 'open' }] });
    await door.signal('send', { type: 'close' });
    await door.signal('send', { type: 'lock' });
    expect(await door.result()).toBe(1);

    const newest = await bundleWorkflows(machines);
    expect(newest.code).not.toBe(bundle.code);
    // One history of each of the workflows, and one of each run of the walker.
    expect(await temporal.replayAll(newest)).toBeGreaterThan(5);
  }, 240_000);
});
