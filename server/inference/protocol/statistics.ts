import type { Inference, ModelStatus, Timings } from '@steadyhand/inference';
import type { ModelStatistics } from './shapes.ts';

interface Duration {
  count: number;
  ns: number;
}

interface Counts {
  lastInference: number;
  readonly success: Duration;
  readonly fail: Duration;
  readonly queue: Duration;
  readonly input: Duration;
  readonly infer: Duration;
  readonly output: Duration;
}

/** Counts what the statistics extension tells, since the server's start. */
export interface Statistics {
  /** One model's entry in `model_stats`. */
  of(status: ModelStatus): ModelStatistics;
}

export function countStatistics(inference: Pick<Inference, 'observe'>, now: () => number): Statistics {
  const models = new Map<string, Counts>();
  inference.observe({
    request: ({ model, outcome, timings }) => {
      const counts = models.get(model) ?? noCounts();
      models.set(model, counts);
      if (outcome !== 'ok') {
        add(counts.fail, timings.total_ms);
        return;
      }
      counts.lastInference = now();
      add(counts.success, timings.total_ms);
      add(counts.queue, timings.queue_ms);
      add(counts.input, sum(timings, 'decode_ms', 'preprocess_ms'));
      add(counts.infer, timings.inference_ms);
      add(counts.output, timings.postprocess_ms);
    },
  });
  return {
    of: ({ name, version }) => {
      const counts = models.get(name) ?? noCounts();
      const { success, fail, queue, input, infer, output } = counts;
      return {
        name,
        version,
        last_inference: counts.lastInference,
        inference_count: success.count,
        execution_count: infer.count,
        inference_stats: {
          success,
          fail,
          queue,
          compute_input: input,
          compute_infer: infer,
          compute_output: output,
          cache_hit: { count: 0, ns: 0 },
          cache_miss: { count: 0, ns: 0 },
        },
        batch_stats: [],
      };
    },
  };
}

function noCounts(): Counts {
  const none = (): Duration => ({ count: 0, ns: 0 });
  return {
    lastInference: 0,
    success: none(),
    fail: none(),
    queue: none(),
    input: none(),
    infer: none(),
    output: none(),
  };
}

function add(duration: Duration, ms = 0): void {
  duration.count += 1;
  duration.ns += Math.round(ms * 1e6);
}

function sum(timings: Partial<Timings>, ...stages: (keyof Timings)[]): number {
  return stages.reduce((total, stage) => total + (timings[stage] ?? 0), 0);
}
