import type { Request } from 'express';

/** The query as it was sent, repeated names and all. */
export function queryOf(req: Request): URLSearchParams {
  const start = req.originalUrl.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : req.originalUrl.slice(start));
}

/** The parts of a path's open end, e.g. the `path` of `/static/*path`. */
export function pathSegments(req: Request, name: string): readonly string[] {
  const value: unknown = req.params[name];
  return Array.isArray(value) ? (value as string[]) : [];
}
