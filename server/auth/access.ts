import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ApiError } from '../../messages/errors.ts';

/**
 * Who may use the API.
 * - `key`: whoever sends this key, as `x-api-key` or `Authorization: Bearer`.
 * - `local`: whoever reaches the loopback address, but for pages of other origins in this machine's browsers.
 */
export type Access = { readonly kind: 'key'; readonly key: string } | { readonly kind: 'local' };

/** Whether only this machine can reach a server that listens on `host`. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** Refuses requests that `access` does not admit. Belongs before everything that reads a body. */
export function requireAccess(access: Access): RequestHandler {
  return access.kind === 'key' ? requireKey(access.key) : requireLocal;
}

function requireKey(key: string): RequestHandler {
  const expected = digest(key);
  return (req, res, next) => {
    const bearer = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
    const header = req.headers['x-api-key'];
    const sent = [typeof header === 'string' ? header : undefined, bearer].filter(
      (text) => text !== undefined,
    );
    if (sent.length === 0) {
      res.setHeader('www-authenticate', 'Bearer');
      throw new ApiError('authentication_error', 'x-api-key header is required');
    }
    // Digests have one length, and comparing them takes one time, so neither tells anything of the key.
    if (!sent.some((text) => timingSafeEqual(digest(text), expected))) {
      throw new ApiError('authentication_error', 'invalid x-api-key');
    }
    next();
  };
}

/**
 * An open server on loopback is still reachable by every page in this machine's browser: by name (DNS rebinding: the
 * page's own host name resolves to 127.0.0.1) and by plain cross-site posts. The first shows in `Host`, the second in
 * `Origin` and `Sec-Fetch-Site`. Programs that are no browser send neither of the latter.
 */
export const requireLocal: RequestHandler = (req, _res, next) => {
  const host = req.headers.host;
  if (host === undefined || !isLoopback(hostName(host))) {
    throw new ApiError(
      'permission_error',
      `Host ${host ?? '(none)'} is not this machine; set API_KEY to serve others`,
    );
  }
  const { origin } = req.headers;
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    throw new ApiError('permission_error', `Pages of ${origin} may not use this API`);
  }
  if (req.headers['sec-fetch-site'] === 'cross-site' && req.headers['sec-fetch-mode'] !== 'navigate') {
    throw new ApiError('permission_error', 'Pages of other sites may not use this API');
  }
  next();
};

function hostName(host: string): string {
  return host.replace(/:\d+$/, '');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
