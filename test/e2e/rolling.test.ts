import { Client, Connection } from '@temporalio/client';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { Product } from '../support/product.ts';
import { events, idle, prepare, resultTexts, say } from './support.ts';

/** Workers of two versions: a session that is open moves on to the new one. The embedded engine has no versions of workers. */

const isReal = ['dev-server', 'cluster'].includes(process.env['STEADYHAND_TEST_ENGINE'] ?? '');
const describeOnServer = isReal ? describe : describe.skip;
const why = isReal ? '' : ' (skipped: it needs STEADYHAND_TEST_ENGINE=dev-server or cluster)';

const DEPLOYMENT = `steadyhand-${process.pid}`;

let engine: TestEngine;
let dataDir: string;
let server: Product;
let connection: Connection;

beforeAll(async () => {
  if (!isReal) return;
  engine = await startTestEngine();
  connection = await Connection.connect(engine.connection);
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-'));
  server = new Product(engine.env, dataDir, ['--role=server']);
  await server.start();
}, 360_000);

afterAll(async () => {
  if (!isReal) return;
  await server.dispose();
  await connection.close();
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 360_000);

const workerOf = (buildId: string): Product =>
  new Product({ ...engine.env, WORKER_DEPLOYMENT: DEPLOYMENT, WORKER_BUILD_ID: buildId }, dataDir, [
    '--role=worker',
  ]);

/** What `temporal worker deployment set-current-version` does; the version is known once its worker has polled. */
async function setCurrent(buildId: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; ;) {
    try {
      await connection.workflowService.setWorkerDeploymentCurrentVersion({
        namespace: 'default',
        deploymentName: DEPLOYMENT,
        buildId,
      });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

describeOnServer(`on a real Temporal server${why}`, () => {
  test('a session that waits for an approval goes on with the next version', async () => {
    const one = workerOf('one');
    await one.start();
    await setCurrent('one');
    const { client } = server;
    const { agent, environment_id } = await prepare(client, { bash: 'always_ask' });
    const { id } = await client.beta.sessions.create({ agent, environment_id });
    await say(client, id, JSON.stringify([{ bash: 'echo moved' }]));
    expect(await idle(server, id)).toBe('requires_action');
    expect(await one.stop()).toBe(0);
    const two = workerOf('two');
    await two.start();
    await setCurrent('two');
    const [asked] = (await events(client, id)).filter(({ type }) => type === 'agent.tool_use');
    await client.beta.sessions.events.send(id, {
      events: [{ type: 'user.tool_confirmation', tool_use_id: asked?.id ?? '', result: 'allow' }],
    });
    expect(await idle(server, id)).toBe('end_turn');
    expect(resultTexts(await events(client, id))).toEqual(['moved']);
    const { raw } = await new Client({ connection }).workflow.getHandle(`session/${id}`).describe();
    expect(raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId).toBe('two');
    expect(await two.stop()).toBe(0);
  }, 360_000);
});
