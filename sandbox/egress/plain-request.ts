import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { readTarget, type Target } from './target.ts';

/** Headers that belong to one connection, not to the request; `host` is rewritten. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);

/** Headers that delimit a message. A connection's list of its own headers does not remove them. */
const OF_THE_BODY = new Set(['content-length', 'transfer-encoding']);

/** Reads the target and path of `http://host/path`; null for anything else. */
export function readAbsolute(url: string): { readonly target: Target; readonly path: string } | null {
  const [, authority, rest = ''] = /^http:\/\/([^/?#]+)([^#]*)$/i.exec(url) ?? [];
  const target = authority === undefined ? null : readTarget(authority, 80);
  return target === null ? null : { target, path: rest.startsWith('/') ? rest : `/${rest}` };
}

/**
 * Sends the request over the socket and its answer back. Resolves when the exchange is over, and rejects when there is
 * no answer.
 */
export function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  { target, path, socket }: { readonly target: Target; readonly path: string; readonly socket: Duplex },
): Promise<void> {
  return new Promise((resolve, reject) => {
    // The client may have gone while the connection was made.
    if (answer.destroyed) {
      socket.destroy();
      resolve();
      return;
    }
    const name = isIP(target.host) === 6 ? `[${target.host}]` : target.host;
    const onward: ClientRequest = request({
      createConnection: () => socket,
      setHost: false,
      method: asked.method,
      path,
      // The Host header is the allowed host: the program's own header may name another one.
      headers: ['Host', target.port === 80 ? name : `${name}:${target.port}`, ...passedOn(asked)],
    });
    // A paused socket stays paused when the request begins to listen.
    onward.once('socket', () => socket.resume());
    answer.once('close', () => {
      socket.destroy();
      resolve();
    });
    onward.once('error', (error) => {
      socket.destroy();
      if (answer.headersSent) answer.destroy();
      reject(error);
    });
    // A change of protocols that nobody asked for is neither an answer nor an error.
    onward.once('close', () => {
      if (!answer.headersSent) reject(new Error('the server closed the connection'));
    });
    onward.once('response', (reply) => {
      reply.on('error', () => answer.destroy());
      answer.writeHead(reply.statusCode ?? 502, reply.statusMessage ?? '', passedOn(reply));
      reply.pipe(answer);
    });
    asked.pipe(onward);
  });
}

/** Returns names and values in turn, without the headers of the connection. */
function passedOn({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const kept: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    const lower = name.toLowerCase();
    const isDropped = OF_THE_CONNECTION.has(lower) || (named.includes(lower) && !OF_THE_BODY.has(lower));
    if (!isDropped) kept.push(name, value);
  }
  return kept;
}
