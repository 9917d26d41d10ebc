import { chmodSync, rmSync } from 'node:fs';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { invalidRequest } from '../invalid-request.ts';
import { createDaemonServer } from '../daemon/http/server.ts';
import type { Daemon } from '../daemon/daemon.ts';
import { interfaceOf } from '../daemon/daemon-interface.ts';
import { PSK_IDENTITY, POOL_TLS, preSharedKey } from '../pool-token.ts';
import type { PoolMachine } from './pool-machine.ts';
import { SANDBOX_HEADER, type ClaimRequest, type ReleaseRequest } from './protocol.ts';
import { type DaemonRoutes, readJson } from '../daemon/http/exchange.ts';

/** The address to listen on: a port, for clients that prove the token, or a Unix socket, for those that may open it. */
export type Listen =
  { readonly host: string; readonly port: number; readonly token: string } | { readonly socket: string };

/** Serves a pool machine and the daemon of the sandbox that it holds. Resolves with the port, or 0 for a socket. */
export async function servePoolMachine(
  member: PoolMachine,
  listen: Listen,
  released: () => void,
): Promise<number> {
  // These servers do not listen; this server passes requests to them.
  const own = createDaemonServer({ routes: poolMachineRoutes(member, released), upgrades: {} });
  const inner = daemonServers();
  const to = (request: IncomingMessage): Server | null => {
    if (request.url?.startsWith('/member') === true) return own;
    return request.headers[SANDBOX_HEADER] === member.sandbox ? inner(member.daemon) : null;
  };
  const server = 'socket' in listen ? createServer() : securedBy(listen.token);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (to(request)?.emit('request', request, response) === undefined) request.socket.destroy();
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (to(request)?.emit('upgrade', request, socket, head) === undefined) socket.destroy();
  });
  // An action's duration is not limited here.
  server.requestTimeout = 0;
  server.timeout = 0;
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if ('socket' in listen) {
      rmSync(listen.socket, { force: true });
      server.listen(listen.socket, resolve);
    } else server.listen(listen.port, listen.host, resolve);
  });
  if (!('socket' in listen)) return (server.address() as AddressInfo).port;
  // The server may be any user; the folders above, here and in the container, are closed to others.
  chmodSync(listen.socket, 0o666);
  return 0;
}

function securedBy(token: string): Server {
  const key = preSharedKey(token);
  const server = createSecureServer({
    ...POOL_TLS,
    pskCallback: (_socket, identity) => (identity === PSK_IDENTITY ? key : null),
  });
  // A client that fails the handshake gets no answer.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return server;
}

/** Returns the HTTP server of a daemon, which is made once for each daemon. */
function daemonServers(): (daemon: Daemon | null) => Server | null {
  let made: { readonly daemon: Daemon; readonly server: Server } | null = null;
  return (daemon) => {
    if (daemon === null) return null;
    if (made?.daemon !== daemon) made = { daemon, server: createDaemonServer(interfaceOf(daemon)) };
    return made.server;
  };
}

/** The routes that a pool machine answers whether or not it holds a sandbox: see `protocol.ts`. */
function poolMachineRoutes(member: PoolMachine, released: () => void): DaemonRoutes {
  return {
    'GET /member': () => member.state,
    'POST /member/claim': async ({ request }) => member.claim(readClaim(await readJson(request))),
    'POST /member/release': async ({ request, response }) => {
      await member.release(readRelease(await readJson(request)));
      // The answer is sent first. A fresh process has nothing of the old sandbox in its memory.
      response.once('close', released);
      return {};
    },
  };
}

function readClaim(body: unknown): ClaimRequest {
  const { owner, again, config } = fieldsOf(body);
  if (typeof owner !== 'string' || typeof again !== 'boolean' || typeof fieldsOf(config)['id'] !== 'string')
    throw invalidRequest('expected {owner: string, again: boolean, config: {id: string, ...}}');
  // The server, which knows the token, has checked the rest.
  return body as ClaimRequest;
}

function readRelease(body: unknown): ReleaseRequest {
  const { owner, id } = fieldsOf(body);
  if (typeof owner !== 'string' || typeof id !== 'string')
    throw invalidRequest('expected {owner: string, id: string}');
  return { owner, id };
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
