import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { startEngine, type EngineKind } from '../../engine/index.ts';

/** The embedded engine, a worker and a client in this process, so that its processor time is the whole of theirs. */
export class Host {
  readonly client: Client;
  readonly #close: () => Promise<void>;
  #runs = 0;

  private constructor(client: Client, close: () => Promise<void>) {
    this.client = client;
    this.#close = close;
  }

  static async open(kind: EngineKind): Promise<Host> {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    const folder = mkdtempSync(join(tmpdir(), 'bench-statechart-'));
    const workflowBundle = await bundleWorkflowCode({
      workflowsPath: join(process.cwd(), 'bench/statechart/workflows.ts'),
      logger: new DefaultLogger('ERROR'),
      webpackConfigHook: (config) => ({
        ...config,
        mode: 'production',
        optimization: { ...config.optimization, minimize: false },
      }),
    });
    const engine = await startEngine({ kind, dataDir: folder, port: 0 });
    const { namespace } = engine;
    const connection = await Connection.connect(engine.connection);
    const native = await NativeConnection.connect(engine.connection);
    const worker = await Worker.create({
      connection: native,
      namespace,
      taskQueue: 'bench',
      workflowBundle,
      activities: { noop: (i: number) => Promise.resolve(i) },
    });
    const working = worker.run();
    return new Host(new Client({ connection, namespace }), async () => {
      worker.shutdown();
      await working;
      await connection.close();
      await native.close();
      await engine.stop();
      rmSync(folder, { recursive: true, force: true });
    });
  }

  async start(type: string, input: unknown = null): Promise<WorkflowHandle> {
    return await this.client.workflow.start(type, {
      taskQueue: 'bench',
      workflowId: `${type}-${process.pid}-${this.#runs++}`,
      args: [{ input }],
    });
  }

  close(): Promise<void> {
    return this.#close();
  }
}
