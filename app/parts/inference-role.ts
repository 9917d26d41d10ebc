import { createInferenceServer } from '@steadyhand/server';
import { createIds } from '@steadyhand/store';
import { startInference } from './models.ts';
import type { Start } from './start.ts';
import { versionOf } from '../version.ts';

/** Serves the image models and nothing else: it needs no Temporal service, no store and no data folder. */
export function startInferenceRole(start: Start): void {
  const { config, root, listener, readiness, access, log, scrub, shutdown, metrics } = start;
  const inference = startInference(start);
  readiness.add({
    name: 'models',
    look: async () => {
      if (!inference.ready()) throw new Error('they are being loaded, or the default model does not serve');
    },
  });
  createInferenceServer({
    listener,
    readiness,
    inference,
    version: versionOf(root),
    access,
    log,
    newId: createIds(),
    scrub,
    registry: metrics.registry,
    metricsAccess: config.metricsAccess,
    uploadLimitBytes: config.uploadLimitBytes,
    pixelLimit: config.inference.pixelLimit,
  });
  shutdown.add(() => listener.drain.close(config.drain.timeoutMs));
}
