import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorText } from '../error-fields.ts';
import { DeniedError, NotConnectedError, UnreachableError } from './dial.ts';
import { forward, readAbsolute } from './plain-request.ts';
import type { RequestLog } from './request-log.ts';
import { readTarget, type Target, targetText } from './target.ts';
import { joinStreams } from './tunnel.ts';

interface EgressProxyOptions {
  /** Connects where that is allowed. Rejects with DeniedError, UnreachableError or NotConnectedError. */
  readonly dial: (target: Target) => Promise<Duplex>;
  readonly log: RequestLog;
  /** Whether TLS inside a tunnel must ask for the host that the tunnel was allowed for. */
  readonly checkServerName: boolean;
  /** The most connections to the outside at a time. The default is 256. */
  readonly maxConnections?: number;
}

const MAX_CONNECTIONS = 256;
const MAX_HEADER_BYTES = 32 * 1024;
const HEADERS_MS = 30_000;

/** The outcome of a request, for its line in the log. */
interface Outcome {
  readonly verdict: 'allowed' | 'denied';
  readonly reason: string | null;
  readonly socket?: Duplex | undefined;
}

/**
 * Creates the way out of a sandbox: an HTTP proxy (`CONNECT`, and plain `http://` requests) that connects where the
 * policy allows it and logs each request. It neither reads nor changes what passes through it except a plain request's
 * headers.
 */
export function createEgressProxy(options: EgressProxyOptions): Server {
  const proxy = new EgressProxy(options);
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_MS,
      requestTimeout: 0,
      keepAliveTimeout: 60_000,
    },
    (request, response) => void proxy.plain(request, response),
  );
  // Some connections may wait beside those that lead somewhere.
  server.maxConnections = 2 * (options.maxConnections ?? MAX_CONNECTIONS);
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (head.length > 0) socket.unshift(head);
    void proxy.tunnel(request, socket);
  });
  return server;
}

class EgressProxy {
  readonly #options: EgressProxyOptions;
  #open = 0;

  constructor(options: EgressProxyOptions) {
    this.#options = options;
  }

  async tunnel(request: IncomingMessage, near: Duplex): Promise<void> {
    const target = readTarget(request.url ?? '');
    if (target === null) {
      near.end(answerText(400, `${request.url} is no host and port`));
      return;
    }
    await this.#logged('CONNECT', target, async () => {
      let far: Duplex;
      try {
        far = await this.#dial(target);
      } catch (error) {
        const failure = failureOf(target, error);
        near.end(answerText(failure.status, failure.text));
        return failure;
      }
      if (!near.destroyed) near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      const isChecked = this.#options.checkServerName && isIP(target.host) === 0;
      const reason = await joinStreams(near, far, isChecked ? target.host : null);
      return { verdict: reason === null ? 'allowed' : 'denied', reason, socket: far };
    });
  }

  async plain(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = readAbsolute(request.url ?? '');
    if (asked === null) {
      refuse(
        request,
        response,
        400,
        'this is a proxy: expected CONNECT host:port or a request for http://host/',
      );
      return;
    }
    const { target, path } = asked;
    await this.#logged(request.method ?? 'GET', target, async () => {
      let socket: Duplex | undefined;
      try {
        socket = await this.#dial(target);
        await forward(request, response, { target, path, socket });
        return { verdict: 'allowed', reason: null, socket };
      } catch (error) {
        const failure = failureOf(target, error);
        refuse(request, response, failure.status, failure.text);
        return { ...failure, socket };
      }
    });
  }

  async #dial(target: Target): Promise<Duplex> {
    const { dial, maxConnections = MAX_CONNECTIONS } = this.#options;
    if (this.#open > maxConnections)
      throw new DeniedError(`more than ${maxConnections} connections at a time`);
    return dial(target);
  }

  async #logged(method: string, { host, port }: Target, work: () => Promise<Outcome>): Promise<void> {
    const { log } = this.#options;
    const began = performance.now();
    const id = log.begin({ at: new Date().toISOString(), host, port, method: method.slice(0, 32) });
    this.#open += 1;
    let outcome: Outcome = { verdict: 'allowed', reason: 'the proxy failed' };
    try {
      outcome = await work();
    } finally {
      this.#open -= 1;
      log.end(id, {
        verdict: outcome.verdict,
        reason: outcome.reason,
        ...bytesOf(outcome.socket),
        duration_ms: Math.round(performance.now() - began),
      });
    }
  }
}

/** Returns the bytes that went over a socket; other streams do not count. */
function bytesOf(stream: Duplex | undefined): {
  readonly bytes_sent: number;
  readonly bytes_received: number;
} {
  const { bytesWritten, bytesRead } = (stream ?? {}) as Partial<Pick<Socket, 'bytesWritten' | 'bytesRead'>>;
  return { bytes_sent: bytesWritten ?? 0, bytes_received: bytesRead ?? 0 };
}

function failureOf(
  target: Target,
  error: unknown,
): Outcome & { readonly status: number; readonly text: string } {
  const reason = errorText(error);
  const name = targetText(target);
  if (error instanceof DeniedError) {
    const text = `The sandbox's networking does not allow a connection to ${name}: ${reason}`;
    return { verdict: 'denied', reason, status: 403, text };
  }
  const timedOut = error instanceof UnreachableError && error.timedOut;
  const status = error instanceof NotConnectedError ? 503 : timedOut ? 504 : 502;
  return { verdict: 'allowed', reason, status, text: `No connection to ${name}: ${reason}` };
}

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden by the networking of this sandbox',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Writes the refusal of a tunnel, for which there is no response object. */
function answerText(status: number, text: string): string {
  const body = `${text}\n`;
  return (
    `HTTP/1.1 ${status} ${STATUS_TEXT[status]}\r\ncontent-type: text/plain; charset=utf-8\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  );
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  request.resume();
  if (response.headersSent || response.destroyed) response.destroy();
  else {
    response.writeHead(status, STATUS_TEXT[status], { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`${text}\n`);
  }
}
