import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ModelStatus, Timings } from '@steadyhand/inference';
import type { KnownModels } from '../deps.ts';
import { routeOf } from '../http/route-of.ts';
import { routesOf } from '../routing/route.ts';
import type { Health } from './health.ts';

const STAGES = ['decode', 'queue', 'preprocess', 'inference', 'postprocess', 'total'] as const;
const MODEL_STATES = ['loading', 'ready', 'refused', 'unloaded'] as const satisfies ModelStatus['state'][];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);

/** The buckets in seconds, from half a millisecond, which the end of a decoder takes, to the longest that a client waits. */
const STAGE_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface Metrics {
  /** Counts every request that passes. */
  readonly middleware: RequestHandler;
  /** The exposition text and its type. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/**
 * The server's figures for Prometheus. Labels are bounded: models by the registry of models (any other name is `unknown`), paths
 * by the routes.
 * @param registry the process's; default: one of their own
 */
export function createMetrics(
  inference: Pick<KnownModels, 'models' | 'observe'>,
  health: () => Pick<Health, 'store'>,
  registry = registryOfNode(),
): Metrics {
  const registers = [registry];

  const requests = new Counter({
    name: 'steadyhand_inference_requests_total',
    help: 'Requests to image models by how they ended: ok, aborted, or the error.',
    labelNames: ['model', 'operation', 'outcome'],
    registers,
  });
  const stages = new Histogram({
    name: 'steadyhand_inference_stage_seconds',
    help: 'Time in each stage of a request.',
    labelNames: ['model', 'stage'],
    buckets: STAGE_BUCKETS,
    registers,
  });
  const queue = new Gauge({
    name: 'steadyhand_inference_queue_requests',
    help: 'Requests that wait for a model and that run.',
    labelNames: ['model', 'state'],
    registers,
  });
  const events = new Counter({
    name: 'steadyhand_inference_model_events_total',
    help: 'Models that came into a state or lost a worker.',
    labelNames: ['model', 'event'],
    registers,
  });
  // This one is read when the figures are asked for, because the registry of models knows the states.
  new Gauge({
    name: 'steadyhand_inference_model_state',
    help: '1 for the state that a model is in.',
    labelNames: ['model', 'state'],
    registers,
    collect() {
      this.reset();
      for (const { name, state } of inference.models()) {
        for (const each of MODEL_STATES) this.set({ model: name, state: each }, each === state ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: 'steadyhand_store_broken_sessions',
    help: 'Sessions whose record or log was found to be damaged.',
    registers,
    collect() {
      this.set(health().store?.broken_sessions ?? 0);
    },
  });
  new Gauge({
    name: 'steadyhand_store_writable',
    help: '1 while the store takes new things, 0 while its disk is full or cannot be written.',
    registers,
    collect() {
      this.set((health().store?.status ?? 'ok') === 'ok' ? 1 : 0);
    },
  });
  const httpRequests = new Counter({
    name: 'steadyhand_http_requests_total',
    help: 'Requests by route and status; 499 for those whose client left.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const httpSeconds = new Histogram({
    name: 'steadyhand_http_request_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['route'],
    buckets: STAGE_BUCKETS,
    registers,
  });

  const known = (model: string): string =>
    inference.models().some(({ name }) => name === model) ? model : 'unknown';
  inference.observe({
    request: ({ model, operation, outcome, timings }) => {
      const name = known(model);
      requests.inc({ model: name, operation, outcome });
      for (const stage of STAGES) {
        const ms = timings[`${stage}_ms` satisfies keyof Timings];
        if (ms !== undefined) stages.observe({ model: name, stage }, ms / 1000);
      }
    },
    queue: ({ model, waiting, running }) => {
      const name = known(model);
      queue.set({ model: name, state: 'waiting' }, waiting);
      queue.set({ model: name, state: 'running' }, running);
    },
    model: ({ model, event }) => events.inc({ model: known(model), event }),
  });

  return {
    middleware: (req, res, next) => {
      const start = performance.now();
      res.once('close', () => {
        const route = routeOf(req);
        const method = METHODS.has(req.method) ? req.method : 'other';
        const status = res.writableFinished ? res.statusCode : 499;
        httpRequests.inc({ method, route, status });
        httpSeconds.observe({ route }, (performance.now() - start) / 1000);
      });
      next();
    },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

/** What a registry holds, for processes that serve no requests. */
export function figuresOf(registry: Registry): Pick<Metrics, 'render'> {
  return {
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function registryOfNode(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** The route of the figures for Prometheus. */
export const metricsRoutes = [
  routesOf<{ readonly metrics: Pick<Metrics, 'render'> }>()('Operations', {})(
    'GET /metrics',
    'metrics',
    'Metrics',
    {
      description: 'Figures for Prometheus, in its text format.',
      answer: { content: () => ({ 'text/plain': { schema: { type: 'string' } } }) },
      handle: async ({ metrics }, { res }) => {
        const { contentType, text } = await metrics.render();
        res.set({ 'content-type': contentType, 'cache-control': 'no-store' }).send(text);
      },
    },
  ),
];
