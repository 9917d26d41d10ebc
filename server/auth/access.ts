import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ApiError } from '@steadyhand/contracts';
import { type ClientKey, keyFinder, type KeyLimits, setClient } from './client-key.ts';
import type { WrongKeys } from './wrong-keys.ts';

/**
 * Who may use the API.
 * - `keys`: whoever sends one of these keys, as `x-api-key` or `Authorization: Bearer`.
 * - `local`: whoever reaches the loopback address, but for pages of other origins in this machine's browsers. All of them
 *   share the limits.
 */
export type Access =
  | { readonly kind: 'keys'; readonly keys: readonly ClientKey[] }
  | { readonly kind: 'local'; readonly limits?: KeyLimits };

/** Whether only this machine can reach a server that listens on `host`. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** Refuses requests that `access` does not admit. Belongs before everything that reads a body. */
export function requireAccess(access: Access, wrongKeys: WrongKeys): RequestHandler {
  return access.kind === 'keys' ? requireKey(access.keys, wrongKeys) : requireLocal;
}

function requireKey(keys: readonly ClientKey[], wrongKeys: WrongKeys): RequestHandler {
  return async (req, res, next) => {
    if (sentKeys(req.headers).length === 0) res.setHeader('www-authenticate', 'Bearer');
    setClient(res, await keyOf(keys, req.headers, (name) => wrongKeys.take(req.ip, name)));
    next();
  };
}

/**
 * The key that a request's headers hold.
 *
 * @param observe is called with the name of the key that was found, or undefined, before the answer; may delay or refuse it
 * @throws {ApiError} `authentication_error` where they hold none of these keys
 */
export async function keyOf(
  keys: readonly ClientKey[],
  headers: IncomingHttpHeaders,
  observe: (name: string | undefined) => Promise<void>,
): Promise<ClientKey> {
  const sent = sentKeys(headers);
  if (sent.length === 0) throw new ApiError('authentication_error', 'x-api-key header is required');
  const key = keyFinder(keys)(sent);
  await observe(key?.name);
  if (key === undefined) throw new ApiError('authentication_error', 'invalid x-api-key');
  return key;
}

function sentKeys(headers: IncomingHttpHeaders): readonly string[] {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const header = headers['x-api-key'];
  return [header, bearer].filter((text) => typeof text === 'string');
}

/**
 * An open server on loopback is still reachable by every page in this machine's browser: by name (DNS rebinding: the
 * page's own host name resolves to 127.0.0.1) and by plain cross-site posts. The first shows in `Host`, the second in
 * `Origin` and `Sec-Fetch-Site`. Programs that are no browser send neither of the latter.
 */
export const requireLocal: RequestHandler = (req, _res, next) => {
  checkLocal(req);
  next();
};

export function checkLocal(req: Pick<IncomingMessage, 'headers'>): void {
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
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '');
}
