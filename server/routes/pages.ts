import express, { type RequestHandler, Router } from 'express';
import type { ServerDeps } from '../deps.ts';
import { route } from '../routing.ts';

/**
 * The web page: one shell for all of its addresses, and the files it loads. Open without a key: the files are public,
 * and the page itself asks for the key when the API wants one.
 */
export function pageRoutes({ staticDir }: Pick<ServerDeps, 'staticDir'>): Router {
  const router = Router();
  const shell: RequestHandler = (_req, res, next) => {
    res.sendFile(
      'index.html',
      { root: staticDir, cacheControl: false, headers: NO_CACHE },
      (error?: Error) => {
        if (error !== undefined) next(error);
      },
    );
  };
  for (const path of ['/', '/app', '/sessions/:id']) route(router, path, { get: shell });
  router.use(
    '/static',
    express.static(staticDir, { index: false, redirect: false, cacheControl: false, setHeaders: revalidate }),
  );
  return router;
}

/** Names stay the same over versions: browsers keep the files and ask each time whether they still hold (ETag). */
const NO_CACHE = { 'cache-control': 'no-cache' };

function revalidate(res: { setHeader(name: string, value: string): unknown }): void {
  res.setHeader('cache-control', 'no-cache');
}
