import { closeSync, constants, openSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { errorText } from '../error-fields.ts';
import type { DaemonErrorCode } from '../protocol.ts';

/** A socket address holds 107 bytes of name. */
const MAX_SOCKET_NAME = 107;

/** The daemon did not answer, or not to the end: whether it did what was asked is not known. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/** The daemon answered that it cannot or will not. */
export class DaemonRefusal extends Error {
  override readonly name = 'DaemonRefusal';
  readonly code: DaemonErrorCode;
  constructor(code: DaemonErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** HTTP over a daemon's Unix socket, with connections kept open between calls. */
export class DaemonConnection {
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 4 });
  readonly #path: string;
  readonly #folderFd: number | null;

  constructor(folder: string, socket: string) {
    const path = join(folder, socket);
    if (Buffer.byteLength(path) <= MAX_SOCKET_NAME) {
      this.#path = path;
      this.#folderFd = null;
    } else {
      // A deep folder: reach the socket through an open handle on it, whose own name is short.
      this.#folderFd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
      this.#path = `/proc/self/fd/${this.#folderFd}/${socket}`;
    }
  }

  /** @throws ConnectionLostError, DaemonRefusal, or the signal's reason. */
  async call<T>(
    method: 'GET' | 'POST',
    route: string,
    options: {
      readonly body?: unknown;
      readonly signal?: AbortSignal | undefined;
      readonly timeoutMs?: number;
    } = {},
  ): Promise<T> {
    const { status, body } = await this.fetch(method, route, options);
    let parsed: unknown;
    try {
      parsed = JSON.parse(body.toString('utf8'));
    } catch (error) {
      throw new ConnectionLostError(`the daemon's answer to ${route} is not JSON`, { cause: error });
    }
    if (status < 300) return parsed as T;
    const { error } = parsed as {
      readonly error: { readonly code: DaemonErrorCode; readonly message: string };
    };
    throw new DaemonRefusal(error.code, error.message);
  }

  fetch(
    method: 'GET' | 'POST',
    route: string,
    {
      body,
      signal,
      timeoutMs,
    }: {
      readonly body?: unknown;
      readonly signal?: AbortSignal | undefined;
      readonly timeoutMs?: number;
    } = {},
  ): Promise<{ readonly status: number; readonly body: Buffer }> {
    const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body), 'utf8');
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(reasonOf(signal));
        return;
      }
      const lost = (error: unknown): void => {
        reject(
          signal?.aborted ? reasonOf(signal) : new ConnectionLostError(errorText(error), { cause: error }),
        );
      };
      const call = request(
        {
          socketPath: this.#path,
          agent: this.#agent,
          method,
          path: route,
          ...(signal === undefined ? {} : { signal }),
          ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
          headers:
            text === undefined ? {} : { 'content-type': 'application/json', 'content-length': text.length },
        },
        (response) => {
          readAll(response).then((all) => resolve({ status: response.statusCode ?? 0, body: all }), lost);
        },
      );
      call.once('timeout', () => call.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      call.once('error', lost);
      call.end(text);
    });
  }

  close(): void {
    this.#agent.destroy();
    if (this.#folderFd !== null) closeSync(this.#folderFd);
  }
}

/** As it is, whatever it is: an AbortSignal's reason is an error of its maker's own kind. */
function reasonOf(signal: AbortSignal): Error {
  return signal.reason as Error;
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  if (!response.complete) throw new Error('the answer was cut short');
  return Buffer.concat(chunks);
}
