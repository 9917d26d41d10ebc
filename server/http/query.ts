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

/**
 * Where the client reaches this server, for links that it is to follow: by the name it asked for, and over TLS where a proxy
 * says that the client came over it.
 */
export function originOf(req: Request): string {
  const forwarded = (req.get('x-forwarded-proto') ?? '').split(',')[0]?.trim().toLowerCase();
  const protocol = forwarded === 'https' || forwarded === 'http' ? forwarded : req.protocol;
  const { localAddress = '', localPort } = req.socket;
  const address = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `${protocol}://${req.get('host') ?? `${address}:${localPort}`}`;
}
