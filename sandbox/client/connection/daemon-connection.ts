import type { IncomingMessage } from 'node:http';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { SandboxError, type SandboxErrorCode } from '@steadyhand/contracts';
import { errorText } from '../../error-fields.ts';
import type { LinkMethod, LinkOptions, SandboxLink } from './link.ts';
import type { Transport } from './transport.ts';

/** The daemon did not answer, or its answer was cut short. Whether it did what was asked is not known. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/** HTTP to a daemon, with connections kept open between calls. */
export class DaemonConnection implements SandboxLink {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async call<T>(
    method: LinkMethod,
    route: string,
    { body, ...options }: LinkOptions & { readonly body?: unknown } = {},
  ): Promise<T> {
    const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body), 'utf8');
    const { traceparent } = options;
    const headers = {
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    const answer = await this.#send(method, route, { ...options, headers, body: text });
    options.answered?.(answer.headers);
    const bytes = await readAll(answer).catch((error: unknown) => {
      throw lostOr(options.signal, error);
    });
    try {
      return JSON.parse(bytes.toString('utf8')) as T;
    } catch (error) {
      throw new ConnectionLostError(`the daemon's answer to ${route} is not JSON`, { cause: error });
    }
  }

  async stream(
    method: LinkMethod,
    route: string,
    options: LinkOptions & { readonly body?: Readable | Uint8Array } = {},
  ): ReturnType<SandboxLink['stream']> {
    const answer = await this.#send(method, route, { ...options, headers: {} });
    return { headers: answer.headers, body: answer };
  }

  upgrade(route: string, { signal, timeoutMs }: LinkOptions = {}): Promise<Duplex> {
    return new Promise((resolve, reject) => {
      const call = this.#transport.request({
        agent: false,
        path: route,
        headers: { connection: 'Upgrade', upgrade: 'steadyhand' },
        ...(signal === undefined ? {} : { signal }),
        ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
      });
      call.once('upgrade', (_answer, socket, head) => {
        socket.setTimeout(0);
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      });
      call.once('response', (answer) => {
        refused(answer, route).then(reject, (error: unknown) => reject(lostOr(signal, error)));
      });
      call.once('timeout', () => call.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      call.once('error', (error) => reject(lostOr(signal, error)));
      call.end();
    });
  }

  /** Resolves with the answer when its head has come and says success. */
  #send(
    method: LinkMethod,
    route: string,
    {
      body,
      signal,
      timeoutMs,
      headers,
    }: LinkOptions & {
      readonly body?: Readable | Uint8Array | undefined;
      readonly headers: Readonly<Record<string, string>>;
    },
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(reasonOf(signal));
        return;
      }
      const lost = (error: unknown): void => reject(lostOr(signal, error));
      const call = this.#transport.request(
        {
          method,
          path: route,
          ...(signal === undefined ? {} : { signal }),
          ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
          headers: {
            ...headers,
            ...(body instanceof Uint8Array ? { 'content-length': String(body.byteLength) } : {}),
          },
        },
        (answer) => {
          if ((answer.statusCode ?? 0) < 300) resolve(answer);
          else {
            refused(answer, route)
              .then(reject, lost)
              // The daemon does not read a refused body to its end, so sending it is stopped.
              .finally(() => body instanceof Readable && call.destroy());
          }
        },
      );
      call.once('timeout', () => call.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      call.once('error', lost);
      if (body instanceof Readable) pipeline(body, call, () => undefined);
      else call.end(body);
    });
  }

  close(): void {
    this.#transport.close();
  }
}

/** The error that the daemon gives in its refusal. */
async function refused(answer: IncomingMessage, route: string): Promise<Error> {
  const bytes = await readAll(answer);
  try {
    const { error } = JSON.parse(bytes.toString('utf8')) as {
      readonly error: { readonly code: SandboxErrorCode; readonly message: string };
    };
    return new SandboxError(error.code, error.message);
  } catch (error) {
    return new ConnectionLostError(`the daemon's answer to ${route} is not JSON`, { cause: error });
  }
}

function lostOr(signal: AbortSignal | undefined, error: unknown): Error {
  return signal?.aborted === true
    ? reasonOf(signal)
    : new ConnectionLostError(errorText(error), { cause: error });
}

/** The signal's reason, unchanged: it is an error of a class that the caller chose. */
function reasonOf(signal: AbortSignal): Error {
  return signal.reason as Error;
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  if (!response.complete) throw new Error('the answer was cut short');
  return Buffer.concat(chunks);
}
