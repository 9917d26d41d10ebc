import { Agent as HttpAgent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { type Access, requireAccess } from '../auth/access.ts';
import type { WrongKeys } from '../auth/wrong-keys.ts';
import { RequestRefusedError } from '../body/request-refused.ts';
import { type Metrics, metricsRoutes } from '../routes/metrics.ts';
import { routerOf } from '../routing/router.ts';

/** Another process that serves the image models. */
export interface InferenceAddress {
  /** Without a slash at its end. */
  readonly url: string;
  /** What it asks of its clients; undefined where it asks for nothing. */
  readonly apiKey: string | undefined;
  /** How long it may be silent, in ms: longer than its own limit for a request. */
  readonly timeoutMs: number;
}

const FORWARDED = ['/analyze', '/vector_image', '/v2'];
/** The probes of the protocol, which have no key. */
const OPEN = ['/v2/health/live', '/v2/health/ready'];

/** Headers that belong to one connection, and those that say who asks: this server has checked that. */
const OWN_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'authorization',
  'x-api-key',
  'cookie',
  'origin',
  'expect',
]);
/** Those of the answer that this server sets itself. */
const OWN_ANSWER_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'request-id', 'date']);

interface ForwardedRouteDeps {
  readonly forward: InferenceAddress;
  readonly access: Access;
  readonly wrongKeys: WrongKeys;
  readonly metrics: Pick<Metrics, 'render'>;
  readonly metricsAccess?: 'key' | 'open' | undefined;
}

/** Everything that serves image models, by way of another process: requests and answers go through as they come. */
export function forwardedRoutes(deps: ForwardedRouteDeps): Router {
  const { forward, access, wrongKeys } = deps;
  const pass = forwarder(forward);
  const router = Router();
  router.get(OPEN, pass);
  if (deps.metricsAccess === 'open') router.use(routerOf(metricsRoutes, deps));
  router.use([...FORWARDED, '/metrics'], requireAccess(access, wrongKeys));
  router.use(FORWARDED, pass);
  router.use(routerOf(metricsRoutes, deps));
  return router;
}

function forwarder({ url, apiKey, timeoutMs }: InferenceAddress): RequestHandler {
  const isTls = url.startsWith('https:');
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const ask = isTls ? httpsRequest : httpRequest;
  return (req, res, next) => {
    // A pipeline listens for the end of an answer in several ways, beside what listens already.
    res.setMaxListeners(30);
    const upstream = ask(`${url}${req.originalUrl}`, {
      agent,
      method: req.method,
      headers: {
        ...passed(req.headers),
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
    });
    upstream.setTimeout(timeoutMs, () => upstream.destroy(new Error(`silent for ${timeoutMs} ms`)));
    upstream.on('response', (answer) => {
      res.status(answer.statusCode ?? 502);
      for (const [name, value] of Object.entries(answer.headers)) {
        if (value !== undefined && !OWN_ANSWER_HEADERS.has(name)) res.setHeader(name, value);
      }
      // A part of an answer cannot be taken back: the connection is cut.
      pipeline(answer, res, () => undefined);
    });
    upstream.on('error', (error) => {
      if (res.headersSent || res.destroyed) res.destroy();
      else next(unavailable(url, error));
    });
    // A client that goes away ends the request to the other process.
    res.once('close', () => {
      if (!res.writableFinished) upstream.destroy();
    });
    send(req, res, upstream);
  };
}

/** Sends the body on as it comes. A connection that was kept and is closed meanwhile shows as an error of `upstream`. */
function send(req: Request, res: Response, upstream: NodeJS.WritableStream): void {
  req.on('error', () => res.destroy());
  req.pipe(upstream);
}

function passed(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)));
}

function unavailable(url: string, error: Error): RequestRefusedError {
  return new RequestRefusedError(
    503,
    `The image models are served by ${new URL(url).host}, which does not answer: ${error.message}`,
    { 'retry-after': '1' },
  );
}
