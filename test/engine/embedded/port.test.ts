import { createServer } from 'node:net';
import { once } from 'node:events';
import { startTestEngine } from './support/engine.ts';

/** A port that something else listens on while `use` runs. */
async function withTakenPort<T>(use: (port: number) => Promise<T>): Promise<T> {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const address = blocker.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  try {
    return await use(port);
  } finally {
    blocker.close();
  }
}

test('a port that is taken is passed over for the next free one', async () => {
  await withTakenPort(async (port) => {
    const engine = await startTestEngine({ port, fallbackToFreePort: true });
    expect(Number(engine.engine.address.split(':')[1])).toBeGreaterThan(port);
    await engine.close();
  });
});

test('a port that is taken ends the start when no other will do', async () => {
  await withTakenPort(async (port) => {
    await expect(startTestEngine({ port, fallbackToFreePort: false })).rejects.toThrow(/EADDRINUSE/);
  });
});

test('an engine describes itself as a healthy Temporal service', async () => {
  const engine = await startTestEngine({ namespace: 'somewhere' });
  const { connection, client } = engine;
  const { status } = await connection.healthService.check({
    service: 'temporal.api.workflowservice.v1.WorkflowService',
  });
  expect(status).toBe(1);
  const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace: 'somewhere' });
  expect(namespaceInfo).toMatchObject({ name: 'somewhere', state: 1 });
  const { namespaces } = await connection.workflowService.listNamespaces({});
  expect(namespaces.map((one) => one.namespaceInfo?.name)).toEqual(['somewhere']);
  expect((await connection.workflowService.getClusterInfo({})).persistenceStore).toBe('sqlite');
  expect(client.options.namespace).toBe('somewhere');
  await engine.close();
});
