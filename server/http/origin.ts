import type { Request } from 'express';

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
