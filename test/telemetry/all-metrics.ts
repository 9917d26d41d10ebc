import type { Registry } from 'prom-client';
import type { Inference } from '@steadyhand/inference';
import { createMetrics } from '@steadyhand/telemetry';
import { createMetrics as createServerMetrics } from '../../server/routes/metrics.ts';

/** Image models that nobody has. */
const NO_MODELS: Pick<Inference, 'models' | 'observe'> = {
  models: () => [],
  observe: () => () => undefined,
};

/** A registry with every metric that a process with all roles has. */
export function registryOfAll(): Registry {
  const { registry } = createMetrics();
  createServerMetrics(
    NO_MODELS,
    () => ({ store: { status: 'ok', reason: null, broken_sessions: 0 } }),
    registry,
  );
  return registry;
}
