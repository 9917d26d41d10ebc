import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { ApiError } from '@steadyhand/contracts';
import { answerErrors } from '../answer-errors.ts';
import { type Access, requireAccess } from '../auth/access.ts';
import { createScrub } from '../auth/redaction.ts';
import { WrongKeys } from '../auth/wrong-keys.ts';
import type { Drain } from '../http/drain.ts';
import { assignRequestId } from '../http/request-id.ts';
import { type Scrub, setScrub } from '../http/scrub.ts';
import { setSecurityHeaders } from '../http/security-headers.ts';
import { type Metrics, metricsRoutes } from '../routes/metrics.ts';
import { probeRoutes } from '../routes/probes.ts';
import { routerOf } from '../routing/router.ts';
import type { Readiness } from './readiness.ts';

interface ProbeAppDeps {
  readonly readiness: Readiness;
  readonly drain: Drain;
  readonly log: Logger;
  readonly newId: (prefix: string) => string;
  readonly scrub?: Scrub;
  /** The figures, and who may read them; without it there are none. */
  readonly figures?: { readonly metrics: Pick<Metrics, 'render'>; readonly access: Access | 'open' };
  /** Whether the process is about to serve more than this. */
  readonly isStarting: boolean;
}

/** What a process answers that is starting, and one that serves nothing but probes and figures. */
export function createProbeApp(deps: ProbeAppDeps): Express {
  const { readiness, drain, log, newId, scrub, figures, isStarting } = deps;
  const app = express();
  app.disable('x-powered-by');
  setScrub(app, scrub ?? createScrub([]));
  app.use(drain.middleware, assignRequestId(newId), setSecurityHeaders());
  app.use(routerOf(probeRoutes, { readiness }));
  if (figures !== undefined) {
    const { metrics, access } = figures;
    if (access !== 'open') app.use('/metrics', requireAccess(access, new WrongKeys()));
    app.use(routerOf(metricsRoutes, { metrics }));
  }
  app.use(isStarting ? refuseForNow : refuse);
  app.use(answerErrors(log));
  return app;
}

const refuseForNow: RequestHandler = () => {
  throw new ApiError('overloaded_error', 'the server is starting; ask again', {
    status: 503,
    retryAfterMs: 1000,
  });
};

const refuse: RequestHandler = () => {
  throw new ApiError('not_found_error', 'Not Found');
};
