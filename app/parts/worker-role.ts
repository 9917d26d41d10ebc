import { createActivities, createBatchActivities } from '@steadyhand/activities';
import type { ProviderRegistry } from '@steadyhand/messages';
import type { Files, LiveReplies, Vault } from '@steadyhand/sessions';
import type { Sandboxes } from '@steadyhand/sandbox/client';
import type { Store } from '@steadyhand/store';
import type { TaskQueues } from '../task-queues.ts';
import { stepInterceptor } from '../step-interceptor.ts';
import { activityInterceptor } from '../tracing/activity-interceptor.ts';
import { startWorker } from '../worker.ts';
import { workerVersion } from '../worker-version.ts';
import type { Start } from './start.ts';
import { isTemporary, type Temporal } from './temporal.ts';
import { versionOf } from '../version.ts';

/** What the worker works with. */
export interface WorkerParts extends Pick<Temporal, 'engine' | 'connection'> {
  readonly taskQueues: TaskQueues;
  readonly store: Store;
  readonly vault: Vault;
  readonly sandboxes: Sandboxes;
  readonly providers: ProviderRegistry;
  readonly files: Files;
  /** Shows replies while they are made, to the server in the same process. */
  readonly live: LiveReplies | undefined;
}

/** Starts the Temporal worker; the promise rejects when it has failed. */
export async function startWorkerRole(
  { config, root, dist, metrics, patience, policy, readiness, tracing, shutdown }: Start,
  { engine, connection, taskQueues, store, vault, sandboxes, providers, files, live }: WorkerParts,
): Promise<{ readonly failed: Promise<void> }> {
  const bundlePath = dist('workflow-bundle.js');
  const options = {
    engine,
    connection,
    taskQueues,
    polled: config.workerQueues,
    drain: config.drain,
    failover: config.failover,
    version: await workerVersion(config.deployment, bundlePath, versionOf(root)),
    bundlePath,
    activities: createActivities({
      store,
      providers,
      sandboxes,
      computerWaitMs: config.sandbox.pool.waitMs,
      policy,
      vault,
      live,
      tracing,
      observer: metrics.steps,
    }),
    batchActivities: createBatchActivities({ store, providers, files }),
    batchConcurrency: config.batchConcurrency,
    interceptors: [
      ...(tracing === undefined ? [] : [activityInterceptor(tracing)]),
      stepInterceptor(metrics),
    ],
  };
  const worker = await patience.until('Temporal', isTemporary, () => startWorker(options));
  metrics.steps.readSlots(() => worker.slots());
  shutdown.add(() => worker.stop());
  readiness.add({
    name: 'worker',
    look: async () => {
      const states = worker.states();
      if (states.some((state) => state !== 'RUNNING'))
        throw new Error(`the worker is ${states.join(' and ')}`);
    },
  });
  return { failed: worker.ended };
}
