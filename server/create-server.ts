import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { requireAccess, requireLocal } from './auth/access.ts';
import type { ServerDeps } from './deps.ts';
import { createDrain } from './drain.ts';
import { answerErrors } from './errors.ts';
import { logRequests } from './log.ts';
import { assignRequestId } from './request-id.ts';
import { agentRoutes } from './routes/agents.ts';
import { blobRoutes } from './routes/blobs.ts';
import { environmentRoutes } from './routes/environments.ts';
import { eventRoutes } from './routes/events.ts';
import { healthRoutes } from './routes/health.ts';
import { messageRoutes } from './routes/messages.ts';
import { pageRoutes } from './routes/pages.ts';
import { sandboxRoutes } from './routes/sandboxes.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { notFound, readJson } from './routing.ts';
import { setSecurityHeaders } from './security-headers.ts';

/** How long answers under way may take once the server is told to stop. */
const DRAIN_BOUND_MS = 10_000;

export interface Server {
  readonly app: Express;
  /** Resolves once connections are accepted, with the address to reach it by. Rejects when the port is taken. */
  listen(): Promise<{ readonly url: string; readonly port: number }>;
  /** Drains: see `drain.ts`. */
  close(boundMs?: number): Promise<void>;
}

/** Builds the HTTP server. Nothing is bound and nothing runs before `listen`. */
export function createServer(deps: ServerDeps): Server {
  const app = express();
  // Kept longer than clients and proxies keep theirs, so that none sends into a connection that closes.
  const server = createHttpServer({ keepAliveTimeout: 75_000 }, app);
  const drain = createDrain(server);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');

  app.use(drain.middleware, assignRequestId(deps.newId), logRequests(deps.log), setSecurityHeaders());
  if (deps.access.kind === 'local') app.use(requireLocal);
  app.use(healthRoutes(deps), pageRoutes(deps));
  app.use(requireAccess(deps.access), ...readJson());
  app.use(
    messageRoutes(deps),
    agentRoutes(deps),
    environmentRoutes(deps),
    sessionRoutes(deps),
    eventRoutes({ ...deps, draining: drain.signal }),
    blobRoutes(deps),
    sandboxRoutes(deps),
  );
  app.use(notFound);
  app.use(answerErrors(deps.log));

  return {
    app,
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(deps.port, deps.host, () => {
          server.off('error', reject);
          const { port } = server.address() as AddressInfo;
          const host = deps.host.includes(':') ? `[${deps.host}]` : deps.host;
          resolve({ url: `http://${host}:${port}`, port });
        });
      }),
    close: (boundMs = DRAIN_BOUND_MS) => drain.close(boundMs),
  };
}
