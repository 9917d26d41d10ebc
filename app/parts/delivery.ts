import { Client } from '@temporalio/client';
import type { Sandboxes } from '@steadyhand/sandbox/client';
import type { Store } from '@steadyhand/store';
import { BatchRuntime } from '../batch-runtime.ts';
import type { TaskQueues } from '../task-queues.ts';
import { WorkflowRuntime } from '../workflow-runtime.ts';
import { clientInterceptor } from '../tracing/client-interceptor.ts';
import type { Start } from './start.ts';
import type { Temporal } from './temporal.ts';

interface Delivery {
  readonly runtime: WorkflowRuntime;
  readonly batches: BatchRuntime;
  /** Begins to deliver and to finish what an earlier process left; nothing waits for it, and a failure is tried again. */
  readonly deliverAll: () => void;
}

/** Connects the server's sessions and batches with their workflows. */
export function openDelivery(
  { config, log, tracing, shutdown }: Start,
  {
    engine,
    connection,
    attributes,
    store,
    sandboxes,
    taskQueues,
  }: Temporal & {
    readonly store: Store;
    readonly sandboxes: Sandboxes;
    readonly taskQueues: TaskQueues;
  },
): Delivery {
  const client = new Client({
    connection,
    namespace: engine.namespace,
    ...(tracing === undefined ? {} : { interceptors: { workflow: [clientInterceptor(tracing)] } }),
  });
  const runtime = new WorkflowRuntime({
    client,
    store,
    sandboxes,
    log,
    attributes,
    tracing,
    taskQueue: taskQueues.sessions,
    heartbeatTimeoutMs: config.failover.heartbeatTimeoutMs,
    workflowTaskTimeoutMs: config.failover.workflowTaskTimeoutMs,
  });
  shutdown.add(() => runtime.close());
  const batches = new BatchRuntime({
    client,
    store,
    log,
    taskQueues,
    concurrency: config.batchConcurrency,
    workflowTaskTimeoutMs: config.failover.workflowTaskTimeoutMs,
  });
  shutdown.add(() => batches.close());
  const deliverAll = (): void => {
    runtime.start();
    batches.start();
  };
  return { runtime, batches, deliverAll };
}
