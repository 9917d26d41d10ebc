import { Router } from 'express';
import { DEFAULT_IMAGE_LIMITS, type Inference } from '@steadyhand/inference';
import { requireAccess } from './auth/access.ts';
import type { WrongKeys } from './auth/wrong-keys.ts';
import { createBodyReader } from './body/body-reader.ts';
import type { ServerDeps } from './deps.ts';
import { analyzeRoutes } from './inference/analyze.ts';
import { protocolHealthRoutes, protocolRoutes } from './inference/protocol/routes.ts';
import { countStatistics } from './inference/protocol/statistics.ts';
import { vectorImageRoutes } from './inference/vector-image.ts';
import { type Metrics, metricsRoutes } from './routes/metrics.ts';
import { routerOf } from './routing/router.ts';
import { RequestRefusedError } from './body/request-refused.ts';

/** Routes of Triton's extensions that are not here, each with why. */
const REFUSED: readonly (readonly [path: string, what: string, why: string])[] = [
  ['/v2/systemsharedmemory', 'System shared memory', 'tensors are sent in the request'],
  ['/v2/cudasharedmemory', 'CUDA shared memory', 'tensors are sent in the request'],
  ['/v2/trace/setting', 'Tracing', 'every request has a line in the log, and /metrics tells the rest'],
  ['/v2/models/:model/trace/setting', 'Tracing', 'every request has a line in the log'],
  ['/v2/logging', 'The logging extension', 'LOG_LEVEL sets what is logged when the server starts'],
];

/** Answers the routes of extensions that are not here with the reason, whatever the method and whatever follows in the path. */
function refusedRoutes(): Router {
  const router = Router();
  for (const [path, what, why] of REFUSED) {
    router.use(path, () => {
      throw new RequestRefusedError(400, `${what} is not supported: ${why}`);
    });
  }
  return router;
}

const UPLOAD_TIMEOUT_MS = 60_000;

/** What asks for the key where there is one. */
const GUARDED = ['/analyze', '/vector_image', '/v2', '/metrics'];

type InferenceRouteDeps = Pick<
  ServerDeps,
  'access' | 'pixelLimit' | 'uploadLimitBytes' | 'uploadTimeoutMs' | 'metricsAccess'
> & {
  readonly inference: Inference;
  readonly health: () => { readonly version: string };
  readonly wrongKeys: WrongKeys;
  readonly metrics: Metrics;
};

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
  if (deps.metricsAccess === 'open') router.use(routerOf(metricsRoutes, deps));
  router.use(GUARDED, requireAccess(deps.access, deps.wrongKeys));
  router.use(routerOf(analyzeRoutes, deps), routerOf(vectorImageRoutes, deps));
  router.use(routerOf(protocolRoutes, deps), refusedRoutes(), routerOf(metricsRoutes, deps));
  return router;
}
