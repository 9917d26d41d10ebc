import type { Request } from 'express';

/** The query as it was sent, repeated names and all. */
export function queryOf(req: Request): URLSearchParams {
  const start = req.originalUrl.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : req.originalUrl.slice(start));
}

/** A part of the path, e.g. the `id` of `/v1/sessions/:id`. */
export function pathPart(req: Request, name: string): string {
  const value = req.params[name];
  return typeof value === 'string' ? value : '';
}

/** The parts of a path's open end, e.g. the `path` of `/static/*path`. */
export function pathSegments(req: Request, name: string): readonly string[] {
  const value: unknown = req.params[name];
  return Array.isArray(value) ? (value as string[]) : [];
}
