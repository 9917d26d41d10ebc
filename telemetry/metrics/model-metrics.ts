import { Counter, Histogram, type Registry } from 'prom-client';
import { bounded } from './bounded.ts';
import { WORK_BUCKETS } from './buckets.ts';

/** Models and providers that have series of their own; clients choose names of models. */
const MODELS = 100;

/** Tokens as a reply tells them. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cache_write: number;
  readonly cache_read: number;
}

/** How a request to a model ended; `cancelled` when whoever asked has left. */
export type ModelOutcome = 'ok' | 'limited' | 'failed' | 'cancelled';

export interface ModelMetrics {
  readonly ended: (request: {
    readonly provider: string;
    readonly model: string;
    readonly outcome: ModelOutcome;
    readonly seconds: number;
    /** Until the first piece of the reply. */
    readonly firstSeconds: number | undefined;
    readonly tokens: Tokens;
  }) => void;
  /** A session waits for a provider before it asks again. */
  readonly waits: (reason: 'limit' | 'fault', seconds: number) => void;
}

export function modelMetrics(registry: Registry): ModelMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'steadyhand_model_requests_total',
    help: 'Requests to language models by how they ended: ok, limited (429 or 529), failed, cancelled.',
    labelNames: ['provider', 'model', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'steadyhand_model_request_seconds',
    help: 'Time from a request to a language model to the end of its reply.',
    labelNames: ['provider', 'model'],
    buckets: WORK_BUCKETS,
    registers,
  });
  const first = new Histogram({
    name: 'steadyhand_model_first_piece_seconds',
    help: 'Time from a request to a language model to the first piece of its streamed reply.',
    labelNames: ['provider', 'model'],
    buckets: WORK_BUCKETS,
    registers,
  });
  const tokens = new Counter({
    name: 'steadyhand_model_tokens_total',
    help: 'Tokens as replies told them: input, output, cache_write, cache_read.',
    labelNames: ['provider', 'model', 'kind'],
    registers,
  });
  const waits = new Counter({
    name: 'steadyhand_model_waits_total',
    help: 'Times that a session waits for a provider: for its limits (limit), or because it failed (fault).',
    labelNames: ['reason'],
    registers,
  });
  const waitSeconds = new Counter({
    name: 'steadyhand_model_wait_seconds_total',
    help: 'How long these waits are in all.',
    labelNames: ['reason'],
    registers,
  });
  const providerOf = bounded(MODELS);
  const modelOf = bounded(MODELS);
  return {
    ended(request) {
      const labels = { provider: providerOf(request.provider), model: modelOf(request.model) };
      requests.inc({ ...labels, outcome: request.outcome });
      seconds.observe(labels, request.seconds);
      if (request.firstSeconds !== undefined) first.observe(labels, request.firstSeconds);
      for (const kind of ['input', 'output', 'cache_write', 'cache_read'] as const)
        if (request.tokens[kind] > 0) tokens.inc({ ...labels, kind }, request.tokens[kind]);
    },
    waits(reason, length) {
      waits.inc({ reason });
      waitSeconds.inc({ reason }, length);
    },
  };
}
