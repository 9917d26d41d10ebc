import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { MachineSnapshotView } from '../../statechart/core/messages.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { connectTemporal, type TestTemporal } from '../support/temporal.ts';
import { bundleWorkflows } from '../support/workflow-bundle.ts';

// Skipped unless STEADYHAND_TEST_ENGINE=dev-server or =cluster: the embedded engine has no worker deployments.
const real = (process.env['STEADYHAND_TEST_ENGINE'] ?? 'embedded') === 'embedded' ? describe.skip : describe;

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
};

real('a machine under Temporal’s worker versioning', () => {
  let engine: TestEngine;
  let temporal: TestTemporal;
  let code: string;
  const deploymentName = `orders-${randomUUID()}`;

  beforeAll(async () => {
    ({ code } = await bundleWorkflows(path.join(__dirname, 'changing-machines.ts')));
    engine = await startTestEngine();
    temporal = await connectTemporal(engine.connection);
  }, 180_000);

  afterAll(async () => {
    await temporal.close();
    await engine.stop();
  }, 180_000);

  /** A worker of a release; new runs are its own once it is the current version. */
  async function deploy(release: string): Promise<{ stop(): Promise<void> }> {
    const version = { deploymentName, buildId: release };
    const worker = await temporal.work({
      workflowBundle: { code: code.replaceAll('RELEASE_OF_THE_WORKER', release) },
      activities: { label: async () => await Promise.resolve('label') },
      workerDeploymentOptions: { useWorkerVersioning: true, version, defaultVersioningBehavior: 'PINNED' },
    });
    // The server hears of a version by its worker's first poll.
    await until(async () => {
      const set = temporal.client.workflowService.setWorkerDeploymentCurrentVersion({
        namespace: 'default',
        deploymentName,
        buildId: release,
      });
      return await set.then(
        () => true,
        () => false,
      );
    });
    return worker;
  }

  test('a pinned run ends on the release that began it, a new one is of the newest; none is held', async () => {
    const start = async () =>
      await temporal.client.workflow.start('order', {
        taskQueue: temporal.taskQueue,
        workflowId: `order-${randomUUID()}`,
        args: [{ input: undefined }],
      });
    const first = await deploy('first');
    const old = await start();
    await old.executeUpdate('send', { args: [{ type: 'PACK' }] });
    const second = await deploy('second');
    const fresh = await start();
    await fresh.executeUpdate('send', { args: [{ type: 'PACK' }] });
    expect((await old.query<MachineSnapshotView>('snapshot')).machine.version).toBe('1');
    expect((await fresh.query<MachineSnapshotView>('snapshot')).machine.version).toBe('2');
    for (const handle of [old, fresh]) {
      await until(async () =>
        /packed|boxed/.test((await handle.query<MachineSnapshotView>('snapshot')).state),
      );
      expect((await handle.query<MachineSnapshotView>('snapshot')).held).toBeUndefined();
      await handle.signal('send', { type: 'NOTE', text: 'n' });
      await handle.signal('send', { type: 'SHIP' });
    }
    expect(await old.result()).toBe('first: n');
    expect(await fresh.result()).toBe('second: n');
    await Promise.all([first.stop(), second.stop()]);
  });
});
