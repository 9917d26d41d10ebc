import { rm } from 'node:fs/promises';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import { findFreePort, tryListen } from '../../connection/free-port.ts';

/** Where clients come in by TLS. The values are PEM texts. */
export interface TlsListener {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  /** Who may come in: clients whose certificate this authority has signed. Without it, clients present a key. */
  readonly clientCa?: string;
}

/** Binds the first free port from `port` on (only `port` itself unless `fallbackToFreePort`); 0 takes any. */
export async function listen(
  server: Server,
  address: { host: string; port: number; fallbackToFreePort: boolean },
): Promise<number> {
  const { host, port, fallbackToFreePort } = address;
  // This tries the port first, because grpc-js writes to the console when it cannot bind.
  const free = await (fallbackToFreePort ? findFreePort(host, port) : tryListen(host, port));
  if (free === undefined) throw inUse(host, port);
  return await bind(server, target(host, port === 0 ? 0 : free), ServerCredentials.createInsecure());
}

/** Binds a Unix socket. A file that a killed engine left there is replaced. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  await rm(path, { force: true });
  await bind(server, `unix:${path}`, ServerCredentials.createInsecure());
}

export async function listenByTls(server: Server, listener: TlsListener): Promise<number> {
  const { host, port, cert, key, clientCa } = listener;
  if ((await tryListen(host, port)) === undefined) throw inUse(host, port);
  const credentials = ServerCredentials.createSsl(
    clientCa === undefined ? null : Buffer.from(clientCa),
    [{ cert_chain: Buffer.from(cert), private_key: Buffer.from(key) }],
    clientCa !== undefined,
  );
  return await bind(server, target(host, port), credentials);
}

function bind(server: Server, address: string, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
}

const target = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

function inUse(host: string, port: number): Error {
  return Object.assign(new Error(`EADDRINUSE: ${host}:${port} is in use`), { code: 'EADDRINUSE' });
}
