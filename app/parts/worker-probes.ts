import { createProbeApp, figuresOf, isLoopback } from '@steadyhand/server';
import { createIds } from '@steadyhand/store';
import type { Start } from './start.ts';

/**
 * Lets a worker answer probes, and the figures to whom the configuration allows it. On loopback they ask for no key, because
 * who can ask there could look at the process anyway; on another address they would tell strangers what the worker does.
 * @returns the address
 */
export async function showWorkerProbes(start: Start): Promise<string> {
  const { config, listener, readiness, log, scrub, access } = start;
  const own = isLoopback(config.host) ? ({ kind: 'local' } as const) : access;
  listener.show(
    createProbeApp({
      readiness,
      drain: listener.drain,
      log,
      newId: createIds(),
      scrub,
      figures: {
        metrics: figuresOf(start.metrics.registry),
        access: config.metricsAccess === 'open' ? 'open' : own,
      },
      isStarting: false,
    }),
  );
  const { url } = await listener.listen(config.host, config.healthPort);
  return url;
}
