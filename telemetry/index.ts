/**
 * What operators see from outside: metrics for Prometheus, and traces for OpenTelemetry.
 *
 * @example
 * const metrics = createMetrics();
 * const store = observedStore(await openStore({ dir }), metrics.store);
 */
export { createMetrics, type Metrics } from './metrics/metrics.ts';
export { modelRequestCounter } from './metrics/model-request-counter.ts';
export type { WorkerSlots } from './metrics/step-metrics.ts';
export { observedStore } from './store/observed-store.ts';
export { tracedStore } from './store/traced-store.ts';
export { modelRequestSpans } from './tracing/model-request-spans.ts';
export { startTracing } from './tracing/start-tracing.ts';
