import { chmodSync, rmSync } from 'node:fs';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { invalidRequest } from '../invalid-request.ts';
import { createDaemonServer } from '../daemon/http/server.ts';
import { PSK_IDENTITY, POOL_TLS, preSharedKey } from '../pool-token.ts';
import { Forwarder } from './forward.ts';
import type { PoolMachine } from './pool-machine.ts';
import { SANDBOX_HEADER, type ClaimRequest, type ReleaseRequest } from './protocol.ts';
import { type DaemonRoutes, readJson } from '../daemon/http/exchange.ts';

/** The address to listen on: a port, for clients that prove the token, or a Unix socket, for those that may open it. */
export type Listen =
  | { readonly host: string; readonly port: number; readonly token: string }
  | { readonly socket: string };

/** Serves a pool machine and the daemons of its sandboxes. Resolves with the port, or 0 for a socket. */
export async function servePoolMachine(
  machine: PoolMachine,
  listen: Listen,
  /** Called when the answer to a release was sent. */
  released: () => void,
): Promise<number> {
  // This server does not listen; the other one passes requests to it.
  const own = createDaemonServer({ routes: poolMachineRoutes(machine, released), upgrades: {} });
  const forwarder = new Forwarder();
  const targetOf = ({ headers }: IncomingMessage): ReturnType<PoolMachine['daemonOf']> => {
    const id = headers[SANDBOX_HEADER];
    return typeof id === 'string' ? machine.daemonOf(id) : null;
  };
  const server = 'socket' in listen ? createServer() : securedBy(listen.token);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/member') === true) return void own.emit('request', request, response);
    const target = targetOf(request);
    if (target === null) request.socket.destroy();
    else forwarder.request(target, request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const target = targetOf(request);
    if (target === null) socket.destroy();
    else forwarder.upgrade(target, request, socket, head);
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

/** The routes that a pool machine answers whatever it holds: see `protocol.ts`. */
function poolMachineRoutes(machine: PoolMachine, released: () => void): DaemonRoutes {
  return {
    'GET /member': () => machine.state,
    'POST /member/claim': async ({ request }) => {
      const claim = readClaim(await readJson(request));
      if (claim.member === undefined || claim.member === machine.state.member) return machine.claim(claim);
      // The caller means a machine that had this address before; for it that machine is away.
      request.socket.destroy();
      return {};
    },
    'POST /member/release': async ({ request, response }) => {
      await machine.release(readRelease(await readJson(request)));
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
  const created = fieldsOf(body)['created_at'];
  return { owner, id, ...(typeof created === 'string' ? { created_at: created } : {}) };
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
