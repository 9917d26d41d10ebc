import express, { type Express } from 'express';
import { createModelList } from '@steadyhand/messages';
import { answerErrors, notFoundOutsideV1 } from './answer-errors.ts';
import { AGENT_ROUTES, INFERENCE_ROUTES, JSON_ROUTES, STREAMED_ROUTES } from './api.ts';
import { requireAccess, requireLocal } from './auth/access.ts';
import { createScrub } from './auth/redaction.ts';
import { WrongKeys } from './auth/wrong-keys.ts';
import { readJson } from './body/read-json.ts';
import type { ServerDeps } from './deps.ts';
import { requireVersion } from './http/api-version.ts';
import { beginInTurn } from './http/begin-in-turn.ts';
import { createListener, type ListenerAddress } from './http/listener.ts';
import { senderAddresses } from './http/sender-address.ts';
import { assignRequestId } from './http/request-id.ts';
import { setScrub } from './http/scrub.ts';
import { setSecurityHeaders } from './http/security-headers.ts';
import { traceRequests } from './http/trace-requests.ts';
import { inferenceRoutes } from './inference-routes.ts';
import { forwardedRoutes } from './inference/forward.ts';
import { limitRequests } from './limits/limited.ts';
import { logRequests } from './log.ts';
import { descriptionRoutes } from './openapi/descriptions.ts';
import { docsRoutes } from './pages/docs-routes.ts';
import { pageRoutes } from './pages/page-routes.ts';
import { alwaysReady } from './health/readiness.ts';
import { healthRoutes } from './routes/health.ts';
import { createMetrics } from './routes/metrics.ts';
import { probeRoutes } from './routes/probes.ts';
import { sandboxPoolRegistration } from './routes/sandbox-pool.ts';
import { notFound, routerOf } from './routing/router.ts';
import { acceptViewers } from './watching/screen-upgrades.ts';
import { Tickets } from './watching/tickets.ts';

/** How long answers under way may take once the server is told to stop. */
const DRAIN_BOUND_MS = 10_000;

export interface Server {
  readonly app: Express;
  /** Resolves once connections are accepted, with the address to reach it by. Rejects when the port is taken. */
  listen(): Promise<ListenerAddress>;
  /** Drains: see `http/drain.ts`. */
  close(boundMs?: number): Promise<void>;
}

/** Builds the HTTP server. Nothing is bound and nothing runs before `listen`. */
export function createServer(deps: ServerDeps): Server {
  const app = express();
  const { listener = createListener(), readiness = alwaysReady() } = deps;
  const { drain } = listener;
  const tickets = new Tickets(deps);
  const wrongKeys = new WrongKeys(deps);
  const metrics = createMetrics(deps.inference, deps.health, deps.metrics);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('trust proxy', deps.trustedProxies ?? []);
  setScrub(app, deps.scrub ?? createScrub([], deps.access.kind === 'keys' ? deps.access.keys : []));

  app.use(drain.middleware, beginInTurn);
  app.use(assignRequestId(deps.newId), logRequests(deps.log), metrics.middleware);
  if (deps.tracing !== undefined) app.use(traceRequests(deps.tracing));
  app.use(setSecurityHeaders());
  if (deps.access.kind === 'local') app.use(requireLocal);
  app.use(routerOf(probeRoutes, { readiness }), routerOf(healthRoutes, { ...deps, readiness }));
  app.use(pageRoutes(deps), docsRoutes(deps));
  app.use(descriptionRoutes(deps, { inference: INFERENCE_ROUTES, agents: AGENT_ROUTES }));
  app.use(
    deps.forward === undefined
      ? inferenceRoutes({ ...deps, metrics, wrongKeys })
      : forwardedRoutes({ ...deps, metrics, wrongKeys }),
    notFoundOutsideV1,
  );
  // Machines, not clients: they know the pool's token and no key.
  app.use(routerOf(sandboxPoolRegistration, deps));
  app.use(requireAccess(deps.access, wrongKeys), limitRequests(deps), requireVersion);
  app.use(routerOf(STREAMED_ROUTES, deps), readJson({ timeoutMs: deps.uploadTimeoutMs }));
  const models = createModelList(deps);
  app.use(routerOf(JSON_ROUTES, { ...deps, models, tickets, ending: drain.ending, draining: drain.signal }));
  acceptViewers(listener.http, { ...deps, tickets, wrongKeys, addressOf: senderAddresses(app) });
  app.use(notFound);
  app.use(answerErrors(deps.log));

  return {
    app,
    listen: () => {
      listener.show(app);
      return listener.listen(deps.host, deps.port);
    },
    close: (boundMs = DRAIN_BOUND_MS) => drain.close(boundMs),
  };
}
