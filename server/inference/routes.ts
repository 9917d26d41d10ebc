import { Router } from 'express';
import { DEFAULT_IMAGE_LIMITS } from '../../inference/images/limits.ts';
import { requireAccess } from '../auth/access.ts';
import type { WrongKeys } from '../auth/wrong-keys.ts';
import type { ServerDeps } from '../deps.ts';
import { route } from '../routing.ts';
import { analyzeRoutes } from './analyze.ts';
import { createBodyReader } from '../body/body-reader.ts';
import type { Metrics } from './metrics.ts';
import { vectorImageRoutes } from './vector-image.ts';
import { refusedRoutes } from './protocol/refused-routes.ts';
import { protocolHealthRoutes, protocolRoutes } from './protocol/routes.ts';

const UPLOAD_TIMEOUT_MS = 60_000;

/** What asks for the key where there is one. */
const GUARDED = ['/analyze', '/vector_image', '/v2', '/metrics'];

interface InferenceRouteDeps extends Pick<
  ServerDeps,
  'access' | 'health' | 'inference' | 'pixelLimit' | 'uploadLimitBytes' | 'uploadTimeoutMs'
> {
  readonly metrics: Metrics;
  readonly wrongKeys: WrongKeys;
}

/** Everything that serves image models. */
export function inferenceRoutes(deps: InferenceRouteDeps): Router {
  const { uploadLimitBytes, uploadTimeoutMs = UPLOAD_TIMEOUT_MS } = deps;
  const bodies = createBodyReader({ bytes: uploadLimitBytes, ms: uploadTimeoutMs });
  const maxPixels = deps.pixelLimit ?? DEFAULT_IMAGE_LIMITS.maxPixels;
  const router = Router();
  router.use(protocolHealthRoutes(deps));
  router.use(GUARDED, requireAccess(deps.access, deps.wrongKeys));
  router.use(analyzeRoutes({ ...deps, bodies, maxPixels }), vectorImageRoutes({ bodies, maxPixels }));
  router.use(protocolRoutes({ ...deps, bodies }), refusedRoutes());
  route(router, '/metrics', {
    get: async (_req, res) => {
      const { contentType, text } = await deps.metrics.render();
      res.set({ 'content-type': contentType, 'cache-control': 'no-store' }).send(text);
    },
  });
  return router;
}
