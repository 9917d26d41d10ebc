import { type RequestHandler, Router } from 'express';
import { pathSegments } from '../http/query.ts';
import { route } from '../routing/router.ts';
import { landingPage, templateRequest } from './landing.ts';
import { pageFiles } from './page-files.ts';

/** What the landing page is headed with. */
const TITLE = 'Steadyhand';

/** Browsers and phones ask for these by name, whatever a page says. */
const ICONS = ['favicon.ico', 'apple-touch-icon.png', 'apple-touch-icon-precomposed.png'];

interface PageDeps {
  readonly staticDir: string;
  readonly docs: boolean;
}

/**
 * The web page: one shell for all of its addresses, its icons, and the files it loads. Open without a key: the files are
 * public, and the page itself asks for the key when the API wants one.
 */
export function pageRoutes({ staticDir, docs }: PageDeps): Router {
  const router = Router();
  const render = landingPage(staticDir);
  const files = pageFiles(staticDir);

  const shell: RequestHandler = async (req, res) => {
    const html = await render({ request: templateRequest(req), title: TITLE, docs });
    res.set('cache-control', 'no-cache').type('html').send(html);
  };
  for (const path of ['/', '/app', '/inference', '/sessions/:id', '/sandboxes/:id'])
    route(router, path, { get: shell });
  for (const name of ICONS) {
    route(router, `/${name}`, {
      get: (_req, res) => files.send(res, [name.replace('-precomposed', '')], 'public, max-age=86400'),
    });
  }
  // Names stay the same over versions: browsers keep the files and ask each time whether they still hold.
  route(router, '/static/*path', {
    get: (req, res) => files.send(res, pathSegments(req, 'path'), 'no-cache'),
  });
  return router;
}
