import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { isIP, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Networking } from '@steadyhand/contracts';
import { errorText } from '../error-fields.ts';
import { DeniedError, dial, NotConnectedError, UnreachableError } from './dial.ts';
import { EgressPolicy, type EgressSettings } from './policy.ts';
import { readTarget, type Target, targetText } from './target.ts';
import { joinStreams } from './tunnel.ts';

/**
 * A line is the connection over which a daemon without a network of its own asks its server for connections. It is
 * HTTP/2, and each connection is a stream of the method CONNECT. A refusal has status 403, a failure 502 or 504, with
 * the reason as text.
 */
const STREAMS = 256;
const WINDOW = 256 * 1024;
const SETTINGS = { maxConcurrentStreams: STREAMS, initialWindowSize: WINDOW, enablePush: false };
const KEEP_ALIVE_MS = 10_000;
const MAX_REASON = 4_096;
const {
  HTTP2_HEADER_STATUS: STATUS,
  HTTP2_HEADER_METHOD: METHOD,
  HTTP2_HEADER_AUTHORITY: AUTHORITY,
} = constants;

export interface LineEndOptions {
  readonly networking: Networking;
  readonly settings: EgressSettings;
  /** The environment with `HTTPS_PROXY` and `NO_PROXY`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Serves the server's end. The sandbox's networking is enforced here once more, because a daemon that was taken over
 * must not reach the server's own network. Resolves when the line is closed.
 */
export function serveLine(line: Duplex, { networking, settings, env }: LineEndOptions): Promise<void> {
  const policy = new EgressPolicy(networking, settings);
  const server = createServer({ settings: SETTINGS });
  server.on('sessionError', () => line.destroy());
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => stream.destroy());
    const target = readTarget(headers[':authority'] ?? '');
    if (headers[':method'] !== 'CONNECT' || target === null)
      return refuse(stream, 400, 'expected CONNECT host:port');
    dial(target, { policy, env }).then(
      (far) =>
        join(stream, far, networking.type === 'limited' && isIP(target.host) === 0 ? target.host : null),
      (error: unknown) => refuse(stream, statusOf(error), errorText(error)),
    );
  });
  const closed = new Promise<void>((resolve) => line.once('close', () => resolve()));
  keepAlive(line);
  server.emit('connection', new CountingStream(line));
  return closed;
}

/** `host` is the one that TLS inside must ask for. */
function join(stream: ServerHttp2Stream, far: Duplex, host: string | null): void {
  far.once('error', () => stream.close(constants.NGHTTP2_CONNECT_ERROR));
  if (!stream.destroyed) stream.respond({ [STATUS]: 200 });
  void joinStreams(stream, far, host);
}

function refuse(stream: ServerHttp2Stream, status: number, text: string): void {
  if (stream.destroyed) return;
  stream.respond({ [STATUS]: status });
  stream.end(text.slice(0, MAX_REASON));
}

function statusOf(error: unknown): number {
  if (error instanceof DeniedError) return 403;
  return error instanceof UnreachableError && error.timedOut ? 504 : 502;
}

/** A daemon's end: the lines that servers have opened to it, of which the newest is used. */
export class LineEnds {
  readonly #sessions = new Set<ClientHttp2Session>();

  /** Adds a line that a server has opened. */
  add(line: Duplex): void {
    keepAlive(line);
    const session = connect('http://server', {
      createConnection: () => new CountingStream(line),
      settings: SETTINGS,
    });
    session.on('error', () => session.destroy());
    session.once('goaway', () => this.#sessions.delete(session));
    session.once('close', () => this.#sessions.delete(session));
    line.once('close', () => session.destroy());
    this.#sessions.add(session);
  }

  /** Connects through a server. Throws DeniedError, UnreachableError and NotConnectedError. */
  dial(target: Target): Promise<Duplex> {
    const session = [...this.#sessions].findLast(({ closed, destroyed }) => !closed && !destroyed);
    if (session === undefined)
      return Promise.reject(new NotConnectedError('the server through which this sandbox goes out is away'));
    const stream = session.request(
      { [METHOD]: 'CONNECT', [AUTHORITY]: targetText(target) },
      { endStream: false },
    );
    return new Promise((resolve, reject) => {
      stream.on('error', (error) => reject(new UnreachableError(errorText(error))));
      stream.once('close', () => reject(new NotConnectedError('the line to the server was lost')));
      stream.once('response', ({ ':status': status }) => {
        if (status === 200) return resolve(new CountingStream(stream));
        let reason = '';
        stream
          .setEncoding('utf8')
          .on('data', (text: string) => (reason = (reason + text).slice(0, MAX_REASON)));
        stream.once('end', () => {
          stream.destroy();
          reject(status === 403 ? new DeniedError(reason) : new UnreachableError(reason, status === 504));
        });
      });
    });
  }

  close(): void {
    for (const session of this.#sessions) session.destroy();
  }
}

function keepAlive(line: Duplex): void {
  if (line instanceof Socket) line.setKeepAlive(true, KEEP_ALIVE_MS);
}

/**
 * A stream around another one that counts the bytes that pass. HTTP/2 would read a socket's file descriptor directly,
 * past bytes that were put back into the stream, and would treat a TLS socket by the protocol it was opened for. The
 * wrapper hides both.
 */
class CountingStream extends Duplex {
  readonly #inner: Duplex;
  bytesRead = 0;
  bytesWritten = 0;

  constructor(inner: Duplex) {
    super();
    this.#inner = inner;
    inner.on('data', (chunk: Buffer) => {
      this.bytesRead += chunk.length;
      if (!this.push(chunk)) inner.pause();
    });
    inner.once('end', () => this.push(null));
    inner.on('error', (error) => this.destroy(error));
    inner.once('close', () => {
      // Bytes that were read and not yet consumed can still be consumed.
      if (inner.readableEnded) this.end();
      else this.destroy();
    });
  }

  override _read(): void {
    this.#inner.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.bytesWritten += chunk.length;
    this.#inner.write(chunk, encoding, done);
  }

  override _final(done: () => void): void {
    if (this.#inner.destroyed || this.#inner.writableEnded) done();
    else this.#inner.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#inner.destroy();
    done(error);
  }
}
