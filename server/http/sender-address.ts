import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import proxyAddress from 'proxy-addr';

/**
 * What tells the address that a request comes from, before any proxy that the app trusts: `req.ip` for requests that no route of
 * the app has taken, such as those for a WebSocket.
 */
export function senderAddresses(app: Express): (req: IncomingMessage) => string {
  const isTrusted = app.get('trust proxy fn') as Parameters<typeof proxyAddress>[1];
  return (req) => proxyAddress(req, isTrusted);
}
