import { type Request, type RequestHandler, Router } from 'express';
import { pathSegments } from '../http/query.ts';
import { route } from '../routing/router.ts';
import { pageFiles } from './page-files.ts';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Liquid, type Template } from 'liquidjs';

/** The heading of the landing page. */
const TITLE = 'Steadyhand';

/** Browsers and phones ask for these by name, whatever a page says. */
const ICONS = ['favicon.ico', 'apple-touch-icon.png', 'apple-touch-icon-precomposed.png'];

/** The first parts of the page's addresses. What stands behind them is the page's own affair. */
const ROOMS = [
  'agents',
  'app',
  'batches',
  'environments',
  'files',
  'inference',
  'keys',
  'models',
  'sandboxes',
  'scripts',
  'sessions',
  'statechart',
  'system',
  'workflows',
];

interface PageDeps {
  readonly staticDir: string;
  readonly docs: boolean;
}

/**
 * The routes of the web page: one shell for all of its addresses, its icons, and the files that it loads. They need no key,
 * because the files are public and the page itself asks for the key when the API wants one.
 */
export function pageRoutes({ staticDir, docs }: PageDeps): Router {
  const router = Router();
  const render = landingPage(staticDir);
  const files = pageFiles(staticDir);

  const shell: RequestHandler = async (req, res) => {
    const html = await render({ request: templateRequest(req), title: TITLE, docs });
    res.set('cache-control', 'no-cache').type('html').send(html);
  };
  route(router, '/', { get: shell });
  for (const room of ROOMS) route(router, `/${room}{/*path}`, { get: shell });
  for (const name of ICONS) {
    route(router, `/${name}`, {
      get: (_req, res) => files.send(res, [name.replace('-precomposed', '')], 'public, max-age=86400'),
    });
  }
  // The names stay the same over versions, so browsers keep the files and ask each time whether they still hold; only a
  // chunk's name says its content.
  route(router, '/static/*path', {
    get: (req, res) => {
      const segments = pathSegments(req, 'path');
      const isChunk = segments[0] === 'app' && segments[1] === 'chunks';
      return files.send(res, segments, isChunk ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  return router;
}

/** What a template is told of the request that it answers. Nothing in it is a secret. */
interface TemplateRequest {
  readonly method: string;
  /** The whole URL, as the client wrote it. */
  readonly url: string;
  /** The scheme and the host, with a slash at the end. */
  readonly base_url: string;
  readonly path: string;
  readonly query_params: Readonly<Record<string, string>>;
  /** The headers by their names in lower case, without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly client: { readonly host: string | null };
}

interface LandingContext {
  readonly request: TemplateRequest;
  readonly title: string;
  /** Whether the documentation pages are there to be linked to. */
  readonly docs: boolean;
}

const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key']);

/** The request as templates see it. */
function templateRequest(req: Request): TemplateRequest {
  const base = `${req.protocol}://${req.headers.host ?? 'localhost'}`;
  const headers = Object.entries(req.headers).flatMap(([name, value]) =>
    value === undefined || CREDENTIALS.has(name) ? [] : [[name, String(value)]],
  );
  return {
    method: req.method,
    url: `${base}${req.originalUrl}`,
    base_url: `${base}/`,
    path: req.path,
    query_params: Object.fromEntries(new URLSearchParams(req.originalUrl.split('?')[1] ?? '')),
    headers: Object.fromEntries(headers) as Record<string, string>,
    client: { host: req.ip ?? null },
  };
}

/**
 * Renders `index.html` of a folder as a Liquid template. What it puts out is escaped for HTML. The file is read again when
 * it changed, so that an edited page needs no restart.
 */
function landingPage(folder: string): (context: LandingContext) => Promise<string> {
  const file = path.join(folder, 'index.html');
  const engine = new Liquid({
    root: folder,
    outputEscape: 'escape',
    ownPropertyOnly: true,
    cache: false,
    // Names of months and days in an edited page are English. To find the system's locale would load all that Node knows of locales.
    locale: 'en-US',
  });
  let held: { readonly mtimeMs: number; readonly size: number; readonly template: Template[] } | undefined;

  return async (context) => {
    const { mtimeMs, size } = await stat(file);
    if (held === undefined || held.mtimeMs !== mtimeMs || held.size !== size) {
      held = { mtimeMs, size, template: engine.parse(await readFile(file, 'utf8'), file) };
    }
    return (await engine.render(held.template, context)) as string;
  };
}
