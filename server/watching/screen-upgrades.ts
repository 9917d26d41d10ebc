import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { ApiError } from '@steadyhand/contracts';
import type { Sessions } from '@steadyhand/sessions';
import { type Access, checkLocal, keyOf } from '../auth/access.ts';
import type { WrongKeys } from '../auth/wrong-keys.ts';
import { toApiError } from '../http/errors.ts';
import type { WatchingService } from '../routes/services.ts';
import type { Pass, Tickets } from './tickets.ts';

/** How many bytes may be on their way to a viewer; further ones wait in the sandbox. */
const HIGH_WATER = 1024 * 1024;
const PING_MS = 20_000;
/** The codes of WebSocket for a normal end and for a failure of the other side. */
const NORMAL = 1000;
const FAILED = 1011;

/** Joins a viewer's WebSocket with the line to a screen until either ends; neither is read faster than the other takes. */
function joinScreen(socket: WebSocket, screen: Duplex): void {
  let answered = true;
  const beat = setInterval(() => {
    // A viewer whose machine is gone says nothing, and its takeover must not last for ever.
    if (!answered) socket.terminate();
    answered = false;
    socket.ping();
  }, PING_MS);
  socket.on('pong', () => (answered = true));
  socket.on('message', (data: RawData) => {
    if (!screen.write(bytesOf(data))) socket.pause();
  });
  screen.on('drain', () => socket.resume());
  screen.on('data', (chunk: Buffer) => {
    socket.send(chunk, () => {
      if (socket.bufferedAmount < HIGH_WATER) screen.resume();
    });
    if (socket.bufferedAmount > HIGH_WATER) screen.pause();
  });
  const end = (code: number): void => {
    clearInterval(beat);
    screen.destroy();
    socket.close(code);
  };
  screen.once('end', () => end(NORMAL));
  screen.once('close', () => end(NORMAL));
  screen.once('error', () => end(FAILED));
  socket.once('close', () => end(NORMAL));
  socket.on('error', () => socket.terminate());
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

const MAX_VIEWERS = 256;
/** The longest message is a clipboard of 1 MiB with its head. */
const MAX_MESSAGE_BYTES = 1024 * 1024 + 64;
const PATH = /^\/v1\/(sandboxes|sessions)\/([^/]+)\/vnc$/;
/** The subprotocol that carries a ticket; `binary` is the one that is spoken. */
const TICKET = 'ticket.';

interface UpgradeDeps {
  readonly access: Access;
  readonly log: Logger;
  readonly newId: (prefix: string) => string;
  readonly sessions: Pick<Sessions, 'retrieve'>;
  readonly watching: Pick<WatchingService, 'watch'>;
  readonly tickets: Tickets;
  readonly wrongKeys: WrongKeys;
  /** The address that a request comes from, before any proxy that is trusted. */
  readonly addressOf: (req: IncomingMessage) => string;
}

/**
 * Serves `GET /v1/sandboxes/{id}/vnc` and `/v1/sessions/{id}/vnc` as WebSockets that carry the RFB protocol in binary messages.
 * A viewer is admitted with a ticket, or with what every other route asks for.
 */
export function acceptViewers(server: Server, deps: UpgradeDeps): void {
  const { access, log, newId, tickets } = deps;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has('binary') ? 'binary' : false),
  });

  const open = async (req: IncomingMessage): Promise<Duplex> => {
    if (sockets.clients.size >= MAX_VIEWERS)
      throw new ApiError('overloaded_error', `${MAX_VIEWERS} viewers are connected already`);
    const [pathname = '', query = ''] = (req.url ?? '/').split('?', 2);
    const [, kind, id = ''] = PATH.exec(pathname) ?? [];
    if (kind === undefined) throw new ApiError('not_found_error', `No such WebSocket: ${pathname}`);
    if (access.kind === 'local') checkLocal(req);
    const pass = await passOf(req, tickets);
    if (pass === null) await admit(deps, req);
    const asked = decodeURIComponent(id);
    const sandbox = kind === 'sessions' ? (await deps.sessions.retrieve(asked)).sandbox_id : asked;
    if (sandbox === null) throw new ApiError('conflict_error', `Session ${asked} has no sandbox yet`);
    if (pass !== null && pass.sandbox !== sandbox)
      throw new ApiError('permission_error', 'The ticket is for another sandbox');
    const takeover = pass === null ? new URLSearchParams(query).get('takeover_id') : pass.takeover;
    return deps.watching.watch(sandbox, takeover);
  };

  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (req.headers.upgrade?.toLowerCase() !== 'websocket') {
      answerPlainly(server, req, socket as Socket, head);
      return;
    }
    open(req).then(
      (screen) => {
        // This is needed also where the handshake fails and nobody joins the two.
        screen.on('error', () => screen.destroy());
        socket.once('close', () => screen.destroy());
        if (socket.destroyed) screen.destroy();
        else sockets.handleUpgrade(req, socket, head, (viewer) => joinScreen(viewer, screen));
      },
      (error: unknown) => {
        const fault = toApiError(error);
        if (fault.status >= 500) log.warn({ err: error }, 'viewer refused');
        refuse(socket, fault, newId('req'));
      },
    );
  });
}

async function admit({ access, addressOf, wrongKeys }: UpgradeDeps, req: IncomingMessage): Promise<void> {
  if (access.kind !== 'keys') return;
  await keyOf(access.keys, req.headers, (name) => wrongKeys.take(addressOf(req), name));
}

async function passOf({ headers }: IncomingMessage, tickets: Tickets): Promise<Pass | null> {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const ticket = offered.find((name) => name.startsWith(TICKET));
  if (ticket === undefined) return null;
  const pass = await tickets.redeem(ticket.slice(TICKET.length));
  if (pass === null) throw new ApiError('authentication_error', 'the ticket was used or has expired');
  return pass;
}

function refuse(socket: Duplex, fault: ApiError, requestId: string): void {
  const body = JSON.stringify({ ...fault.body(), request_id: requestId });
  socket.end(
    `HTTP/1.1 ${fault.status} Refused\r\ncontent-type: application/json\r\nrequest-id: ${requestId}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** Some HTTP clients offer to go on in HTTP/2 with any request (`Upgrade: h2c`): they are answered as if they had not. */
function answerPlainly(server: Server, offered: IncomingMessage, socket: Socket, head: Buffer): void {
  // The request at hand has ended, because Node takes what follows an upgrade for another protocol.
  const req = new IncomingMessage(socket);
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = offered;
  const said = { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor };
  Object.assign(req, said);
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  res.once('finish', () => {
    res.detachSocket(socket);
    socket.destroySoon();
  });
  let left = Number(headers['content-length'] ?? 0);
  const take = (chunk: Buffer): void => {
    const part = chunk.subarray(0, left);
    left -= part.length;
    if (part.length > 0 && !req.push(part)) socket.pause();
    if (left > 0) return;
    socket.off('data', take);
    req.complete = true;
    req.push(null);
  };
  socket.on('data', take);
  take(head);
  server.emit('request', req, res);
}
