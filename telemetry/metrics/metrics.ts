import { collectDefaultMetrics, Registry } from 'prom-client';
import { type ModelMetrics, modelMetrics } from './model-metrics.ts';
import { type PartMetrics, partMetrics } from './part-metrics.ts';
import { type StepMetrics, stepMetrics } from './step-metrics.ts';
import { type StoreMetrics, storeMetrics } from './store-metrics.ts';

/** What a process tells Prometheus. The server adds its own metrics to the same registry. */
export interface Metrics {
  readonly registry: Registry;
  readonly models: ModelMetrics;
  readonly steps: StepMetrics;
  readonly store: StoreMetrics;
  readonly parts: PartMetrics;
}

/** Makes a process's metrics, those of Node among them. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    models: modelMetrics(registry),
    steps: stepMetrics(registry),
    store: storeMetrics(registry),
    parts: partMetrics(registry),
  };
}
