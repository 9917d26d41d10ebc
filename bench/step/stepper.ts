import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import type { Engine } from '../../engine/index.ts';

/** A worker and a client on one engine that run the loop of steps. */
export class Stepper {
  readonly engine: Engine;
  readonly #client: Client;
  readonly #worker: Worker;
  readonly #working: Promise<void>;
  readonly #close: () => Promise<void>;
  #runs = 0;

  private constructor(engine: Engine, client: Client, worker: Worker, close: () => Promise<void>) {
    this.engine = engine;
    this.#client = client;
    this.#worker = worker;
    this.#working = worker.run();
    this.#close = close;
  }

  static async open(engine: Engine, workflowBundle: WorkflowBundleWithSourceMap): Promise<Stepper> {
    const { namespace } = engine;
    const connection = await Connection.connect(engine.connection);
    const native = await NativeConnection.connect(engine.connection);
    const worker = await Worker.create({
      connection: native,
      namespace,
      taskQueue: 'steps',
      workflowBundle,
      activities: { noop: (i: number) => Promise.resolve(i) },
    });
    const close = async (): Promise<void> => {
      await connection.close();
      await native.close();
    };
    return new Stepper(engine, new Client({ connection, namespace }), worker, close);
  }

  /** Milliseconds until so many runs, begun together, have taken so many steps each. */
  async time(runs: number, steps: number): Promise<number> {
    const start = performance.now();
    await Promise.all(
      Array.from({ length: runs }, () =>
        this.#client.workflow.execute('steps', {
          taskQueue: 'steps',
          workflowId: `steps-${process.pid}-${this.#runs++}`,
          args: [steps],
        }),
      ),
    );
    return performance.now() - start;
  }

  async close(): Promise<void> {
    this.#worker.shutdown();
    await this.#working;
    await this.#close();
    await this.engine.stop();
  }
}
