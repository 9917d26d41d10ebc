import { type IRouter, type Request, type RequestHandler, type Response, Router } from 'express';
import { ApiError } from '@steadyhand/contracts';
import { MethodNotAllowedError } from '../http/errors.ts';
import type { Method } from './document.ts';
import type { Route } from './route.ts';

/** Reads a request's body into `req.body`. */
type BodyReader = (req: Request, res: Response) => Promise<void>;

/** Says how the routes that follow read their bodies. Routes without it read their own. */
export function setBodyReader(res: Response, read: BodyReader): void {
  res.locals['readBody'] = read;
}

const takeBody: RequestHandler = async (req, res, next) => {
  await (res.locals['readBody'] as BodyReader | undefined)?.(req, res);
  next();
};

/** A router with these routes, whose handlers take what they need from `deps`. */
export function routerOf<D>(routes: readonly Route<D>[], deps: D): Router {
  const router = Router();
  for (const path of new Set(routes.map((each) => each.path))) {
    const handlers: Partial<Record<Method, RequestHandler>> = {};
    for (const { method, run } of routes.filter((each) => each.path === path)) {
      handlers[method] = (req, res) => run(deps, req, res);
    }
    route(router, path.replaceAll(/\{(\w+)\}/g, ':$1'), handlers);
  }
  return router;
}

/**
 * Says what a path answers to, all methods at once: the rest is 405 with `Allow`, and OPTIONS says the same.
 * Handlers may be async; a rejection is answered as an error.
 */
export function route(
  router: IRouter,
  path: string,
  handlers: Partial<Record<Method, RequestHandler | readonly RequestHandler[]>>,
): void {
  const here = router.route(path);
  const methods: string[] = [];
  for (const method of ['get', 'post', 'put', 'delete'] as const) {
    const handler = handlers[method];
    if (handler === undefined) continue;
    here[method](takeBody);
    for (const each of typeof handler === 'function' ? [handler] : handler) here[method](each);
    methods.push(...(method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
  }
  const allow = methods.join(', ');
  here.all((req, res) => {
    if (req.method !== 'OPTIONS') throw new MethodNotAllowedError(req.method, req.path, allow);
    res.setHeader('allow', allow).status(204).end();
  });
}

/** Answers whatever no route took. */
export const notFound: RequestHandler = (req) => {
  throw new ApiError('not_found_error', `No such route: ${req.method} ${req.path}`);
};
