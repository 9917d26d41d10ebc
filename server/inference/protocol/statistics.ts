import type { Inference, ModelStatus, Timings } from '@steadyhand/inference';
import type { ModelStatistics } from './shapes.ts';

type Durations = ModelStatistics['inference_stats'];
type Duration = { -readonly [F in keyof Durations['success']]: Durations['success'][F] };

interface Counts {
  lastInference: number;
  readonly stats: Readonly<Record<keyof Durations, Duration>>;
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
      const { stats } = counts;
      if (outcome !== 'ok') {
        add(stats.fail, timings.total_ms);
        return;
      }
      counts.lastInference = now();
      add(stats.success, timings.total_ms);
      add(stats.queue, timings.queue_ms);
      add(stats.compute_input, sum(timings, 'decode_ms', 'preprocess_ms'));
      add(stats.compute_infer, timings.inference_ms);
      add(stats.compute_output, timings.postprocess_ms);
    },
  });
  return {
    of: ({ name, version }) => {
      const { lastInference, stats } = models.get(name) ?? noCounts();
      return {
        name,
        version,
        last_inference: lastInference,
        inference_count: stats.success.count,
        execution_count: stats.compute_infer.count,
        inference_stats: stats,
        batch_stats: [],
      };
    },
  };
}

function noCounts(): Counts {
  const none = (): Duration => ({ count: 0, ns: 0 });
  return {
    lastInference: 0,
    stats: {
      success: none(),
      fail: none(),
      queue: none(),
      compute_input: none(),
      compute_infer: none(),
      compute_output: none(),
      cache_hit: none(),
      cache_miss: none(),
    },
  };
}

function add(duration: Duration, ms = 0): void {
  duration.count += 1;
  duration.ns += Math.round(ms * 1e6);
}

function sum(timings: Partial<Timings>, ...stages: (keyof Timings)[]): number {
  return stages.reduce((total, stage) => total + (timings[stage] ?? 0), 0);
}
