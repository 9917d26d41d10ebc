import express from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { ApiError } from '@steadyhand/contracts';
import type { Inference } from '@steadyhand/inference';
import { answerErrors } from './answer-errors.ts';
import { type Access, requireLocal } from './auth/access.ts';
import { createScrub } from './auth/redaction.ts';
import { WrongKeys } from './auth/wrong-keys.ts';
import type { Readiness } from './health/readiness.ts';
import { beginInTurn } from './http/begin-in-turn.ts';
import type { Listener } from './http/listener.ts';
import { assignRequestId } from './http/request-id.ts';
import { type Scrub, setScrub } from './http/scrub.ts';
import { setSecurityHeaders } from './http/security-headers.ts';
import { inferenceRoutes } from './inference-routes.ts';
import { logRequests } from './log.ts';
import { createMetrics } from './routes/metrics.ts';
import { probeRoutes } from './routes/probes.ts';
import { routerOf } from './routing/router.ts';

interface InferenceServerDeps {
  readonly listener: Listener;
  readonly readiness: Readiness;
  readonly inference: Inference;
  readonly version: string;
  readonly access: Access;
  readonly log: Logger;
  readonly newId: (prefix: string) => string;
  readonly scrub?: Scrub;
  /** The figures of the process, which those of requests are added to; default: a registry of their own. */
  readonly registry?: Registry;
  /** Who reads `/metrics`: those who may use the API, or everybody. Default `key`. */
  readonly metricsAccess?: 'key' | 'open';
  /** The largest request body, in bytes. */
  readonly uploadLimitBytes: number;
  /** Pixels of an image at most, where no model is asked; default: that of the decoder. */
  readonly pixelLimit?: number;
}

/** Serves image models, probes and figures, and nothing else, on a listener. */
export function createInferenceServer(deps: InferenceServerDeps): void {
  const { listener, readiness, inference, version, access, log, newId } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  setScrub(app, deps.scrub ?? createScrub([], access.kind === 'keys' ? access.keys : []));
  const metrics = createMetrics(inference, () => ({}), deps.registry);
  app.use(listener.drain.middleware, beginInTurn);
  app.use(assignRequestId(newId), logRequests(log), metrics.middleware);
  app.use(setSecurityHeaders());
  if (access.kind === 'local') app.use(requireLocal);
  app.use(routerOf(probeRoutes, { readiness }));
  app.use(inferenceRoutes({ ...deps, health: () => ({ version }), metrics, wrongKeys: new WrongKeys() }));
  app.use(() => {
    throw new ApiError('not_found_error', 'Not Found');
  });
  app.use(answerErrors(log));
  listener.show(app);
}
