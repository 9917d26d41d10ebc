import { Client, Connection } from '@temporalio/client';
import type { Sandboxes } from '@steadyhand/sandbox/client';
import type { Store } from '@steadyhand/store';
import { BatchRuntime } from '../batch-runtime.ts';
import { WorkflowRuntime } from '../workflow-runtime.ts';
import { clientInterceptor } from '../tracing/client-interceptor.ts';
import type { Start } from './start.ts';
import type { Temporal } from './temporal.ts';

interface Delivery {
  readonly connection: Connection;
  readonly runtime: WorkflowRuntime;
  readonly batches: BatchRuntime;
  /** Begins to deliver and to finish what an earlier process left; nothing waits for it, and a failure is tried again. */
  readonly deliverAll: () => void;
}

/** Connects the server's sessions and batches with their workflows. */
export async function openDelivery(
  { config, log, tracing, shutdown }: Start,
  {
    engine,
    attributes,
    store,
    sandboxes,
  }: Temporal & { readonly store: Store; readonly sandboxes: Sandboxes },
): Promise<Delivery> {
  const connection = await Connection.connect(engine.connection);
  shutdown.add(() => connection.close());
  const client = new Client({
    connection,
    namespace: engine.namespace,
    ...(tracing === undefined ? {} : { interceptors: { workflow: [clientInterceptor(tracing)] } }),
  });
  const runtime = new WorkflowRuntime({ client, store, sandboxes, log, attributes, tracing });
  shutdown.add(() => runtime.close());
  const batches = new BatchRuntime({ client, store, log, concurrency: config.batchConcurrency });
  shutdown.add(() => batches.close());
  const deliverAll = (): void => {
    runtime.start();
    batches.start();
  };
  return { connection, runtime, batches, deliverAll };
}
