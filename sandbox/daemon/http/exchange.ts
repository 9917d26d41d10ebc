import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { invalidRequest } from '../../invalid-request.ts';

const MAX_JSON_BYTES = 64 * 1024 * 1024;

/** A request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

/**
 * What answers requests, by method and path (without the query). What a handler returns is sent as JSON, unless it is
 * undefined because the handler answers by itself. An error that it throws is answered: SandboxError with its code,
 * others as `unavailable`.
 */
export type DaemonRoutes = Readonly<
  Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`, (exchange: Exchange) => unknown>
>;

/**
 * What turns connections into byte streams both ways (`101 Switching Protocols`), by path. It calls `acceptUpgrade`; an
 * error that it throws before that is answered as a refusal.
 */
export type DaemonUpgrades = Readonly<
  Record<`/${string}`, (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void> | void>
>;

/** Answers the 101; what the caller sent along with its request is read from the socket first. */
export function acceptUpgrade(socket: Duplex, head: Buffer): void {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: steadyhand\r\n\r\n');
  if (head.length > 0) socket.unshift(head);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}

/** Reads the body as JSON. Throws SandboxError `invalid_request` when it is no JSON or larger than 64 MiB. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > MAX_JSON_BYTES) throw invalidRequest(`the body is larger than ${MAX_JSON_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw invalidRequest('the body is not JSON');
  }
}
