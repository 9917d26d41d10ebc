import { Router } from 'express';
import type { ServerDeps, StoreHealth } from '../deps.ts';
import { route } from '../routing.ts';

const WELL: StoreHealth = { status: 'ok', reason: null, broken_sessions: 0 };

/** `GET /health`: open to everybody who reaches the server, so that probes need no key; it holds no secret. */
export function healthRoutes({ health, inference }: Pick<ServerDeps, 'health' | 'inference'>): Router {
  const router = Router();
  route(router, '/health', {
    get: (_req, res) => {
      const { version, engine, desktop, store = WELL } = health();
      // Who asks for the status alone is told as well.
      res.status(store.status === 'ok' ? 200 : 503);
      res.set('cache-control', 'no-store').json({
        status: store.status,
        version,
        uptime_s: Math.round(process.uptime() * 10) / 10,
        engine,
        desktop: { ...desktop, pool: desktop.pool ?? null },
        store,
        inference: {
          ready: inference.ready(),
          models: inference.models().map(({ name, state, reason }) => ({ name, state, reason })),
        },
      });
    },
  });
  return router;
}
