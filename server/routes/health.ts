import { Router } from 'express';
import type { ServerDeps } from '../deps.ts';
import { route } from '../routing.ts';

/** `GET /health`: open to everybody who reaches the server, so that probes need no key; it holds no secret. */
export function healthRoutes({ health, inference }: Pick<ServerDeps, 'health' | 'inference'>): Router {
  const router = Router();
  route(router, '/health', {
    get: (_req, res) => {
      const { version, engine, desktop } = health();
      res.set('cache-control', 'no-store').json({
        status: 'ok',
        version,
        uptime_s: Math.round(process.uptime() * 10) / 10,
        engine,
        desktop: { ...desktop, pool: desktop.pool ?? null },
        inference: {
          ready: inference.ready(),
          models: inference.models().map(({ name, state, reason }) => ({ name, state, reason })),
        },
      });
    },
  });
  return router;
}
