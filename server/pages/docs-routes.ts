import { type RequestHandler, type Response, Router } from 'express';
import { queryOf } from '../http/query.ts';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import { AGENTS_API, INFERENCE_API } from '../openapi/descriptions.ts';
import { route } from '../routing/router.ts';
import {
  type DocumentedApi,
  OAUTH2_REDIRECT_PATH,
  oauth2RedirectPage,
  redocPage,
  swaggerPage,
} from './docs-html.ts';

const APIS: readonly DocumentedApi[] = [INFERENCE_API, AGENTS_API];

/** The routes of `/docs`, `/redoc` and what they need. There are none when the documentation is switched off. */
export function docsRoutes({ docs }: { readonly docs: boolean }): Router {
  const router = Router();
  if (!docs) return router;
  const chosen: (of: (shown: DocumentedApi, apis: readonly DocumentedApi[]) => string) => RequestHandler =
    (of) => (req, res) => {
      const name = queryOf(req).get('api');
      sendPage(res, of(APIS.find((api) => api.name === name) ?? INFERENCE_API, APIS));
    };

  route(router, '/docs', {
    get: [
      (_req, res, next) => {
        // The window of an authorization server has to find the page that opened it.
        res.set('cross-origin-opener-policy', 'same-origin-allow-popups');
        next();
      },
      chosen(swaggerPage),
    ],
  });
  route(router, OAUTH2_REDIRECT_PATH, {
    get: (_req, res) => {
      res.set('cross-origin-opener-policy', 'unsafe-none');
      sendPage(res, oauth2RedirectPage());
    },
  });
  route(router, '/redoc', {
    get: [
      (_req, res, next) => {
        // ReDoc makes its styles while it runs, and its search runs in a worker that is made of a text.
        res.set(
          'content-security-policy',
          contentSecurityPolicy({ 'style-src': "'self' 'unsafe-inline'", 'worker-src': "'self' blob:" }),
        );
        next();
      },
      chosen(redocPage),
    ],
  });
  return router;
}

function sendPage(res: Response, html: string): void {
  res.set('cache-control', 'no-cache').type('html').send(html);
}
