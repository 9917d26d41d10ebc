import { createActivities, createBatchActivities } from '@steadyhand/activities';
import type { ProviderRegistry } from '@steadyhand/messages';
import type { Files, LiveReplies, Vault } from '@steadyhand/sessions';
import type { Sandboxes } from '@steadyhand/sandbox/client';
import type { Store } from '@steadyhand/store';
import { stepInterceptor } from '../step-interceptor.ts';
import { activityInterceptor } from '../tracing/activity-interceptor.ts';
import { startWorker } from '../worker.ts';
import type { Start } from './start.ts';
import type { Temporal } from './temporal.ts';

/** What the worker works with. */
export interface WorkerParts extends Pick<Temporal, 'engine'> {
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
  { config, dist, metrics, tracing, policy, shutdown }: Start,
  { engine, store, vault, sandboxes, providers, files, live }: WorkerParts,
): Promise<{ readonly failed: Promise<void> }> {
  const worker = await startWorker({
    engine,
    bundlePath: dist('workflow-bundle.js'),
    activities: createActivities({
      store,
      providers,
      sandboxes,
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
  });
  metrics.steps.readSlots(() => worker.slots());
  shutdown.add(() => worker.stop());
  return { failed: worker.ended };
}
