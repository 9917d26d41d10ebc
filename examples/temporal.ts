import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEngine } from '@steadyhand/engine';
import { activityErrors } from '@steadyhand/statechart/client';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';

export interface Example {
  /** The module that exports the workflows. */
  readonly workflows: URL;
  readonly activities?: NonNullable<WorkerOptions['activities']>;
  /** What the client does while the worker runs. */
  readonly use: (client: Client, taskQueue: string) => Promise<void>;
}

/**
 * Runs a worker and a client, on the Temporal server at TEMPORAL_ADDRESS or else on one within this process that forgets
 * everything at the end.
 */
export async function runExample({ workflows, activities = {}, use }: Example): Promise<void> {
  const { TEMPORAL_ADDRESS: address } = process.env;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'example-'));
  const engine = await startEngine(
    address === undefined
      ? { kind: 'embedded', dataDir, port: 0, access: 'open' }
      : { kind: 'cluster', dataDir, address },
  );
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const native = await NativeConnection.connect(engine.connection);
  const connection = await Connection.connect(engine.connection);
  const { namespace } = engine;
  const taskQueue = 'examples';
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue,
    workflowsPath: fileURLToPath(workflows),
    activities,
    interceptors: { activity: [activityErrors] },
  });
  await worker.runUntil(use(new Client({ connection, namespace }), taskQueue));
  await connection.close();
  await native.close();
  await engine.stop();
  await rm(dataDir, { recursive: true, force: true });
}
