import { Router } from 'express';
import { DEFAULT_IMAGE_LIMITS, type Inference } from '@steadyhand/inference';
import { type Access, requireAccess } from './auth/access.ts';
import type { WrongKeys } from './auth/wrong-keys.ts';
import { createBodyReader } from './body/body-reader.ts';
import { analyzeRoutes } from './inference/analyze.ts';
import { refusedRoutes } from './inference/protocol/refused-routes.ts';
import { protocolHealthRoutes, protocolRoutes } from './inference/protocol/routes.ts';
import { countStatistics } from './inference/protocol/statistics.ts';
import { vectorImageRoutes } from './inference/vector-image.ts';
import type { Health } from './routes/health.ts';
import { type Metrics, metricsRoutes } from './routes/metrics.ts';
import { routerOf } from './routing/router.ts';

const UPLOAD_TIMEOUT_MS = 60_000;

/** What asks for the key where there is one. */
const GUARDED = ['/analyze', '/vector_image', '/v2', '/metrics'];

export interface InferenceRouteDeps {
  readonly access: Access;
  readonly wrongKeys: WrongKeys;
  readonly health: () => Health;
  readonly inference: Inference;
  readonly metrics: Metrics;
  /** Pixels of an image at most, where no model is asked; default: that of the decoder. */
  readonly pixelLimit?: number;
  /** The largest request body, in bytes. */
  readonly uploadLimitBytes: number;
  /** How long a body may take to arrive, in ms; default 60 s. */
  readonly uploadTimeoutMs?: number;
}

/** Everything that serves image models. */
export function inferenceRoutes(given: InferenceRouteDeps): Router {
  const { uploadLimitBytes, uploadTimeoutMs = UPLOAD_TIMEOUT_MS } = given;
  const deps = {
    ...given,
    bodies: createBodyReader({ bytes: uploadLimitBytes, ms: uploadTimeoutMs }),
    maxPixels: given.pixelLimit ?? DEFAULT_IMAGE_LIMITS.maxPixels,
    statistics: countStatistics(given.inference, Date.now),
  };
  const router = Router();
  router.use(routerOf(protocolHealthRoutes, deps));
  router.use(GUARDED, requireAccess(deps.access, deps.wrongKeys));
  router.use(routerOf(analyzeRoutes, deps), routerOf(vectorImageRoutes, deps));
  router.use(routerOf(protocolRoutes, deps), refusedRoutes(), routerOf(metricsRoutes, deps));
  return router;
}
