import { type IncomingMessage, type ServerResponse, Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import { unixTransport, type Transport } from '../client/connection/transport.ts';
import type { Instance } from '../instance-lock.ts';

interface Target {
  readonly folder: string;
  readonly instance: Instance;
}

/** Passes requests on to the daemons of this machine, over connections that are kept open. */
export class Forwarder {
  readonly #transports = new Map<string, { readonly number: number; readonly transport: Transport }>();

  /** Sends a request to a daemon, and its answer back. Either side that goes away ends the other. */
  request(target: Target, request: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = request;
    const call = this.#transport(target).request({ method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
      answer.once('close', () => {
        if (!answer.complete) response.destroy();
      });
    });
    call.once('error', () => request.socket.destroy());
    response.once('close', () => {
      if (!response.writableFinished) call.destroy();
    });
    request.once('error', () => call.destroy());
    request.pipe(call);
  }

  /** Connects a client that has asked for an upgrade with a daemon. */
  upgrade(target: Target, { method, url, headers }: IncomingMessage, socket: Duplex, head: Buffer): void {
    const call = this.#transport(target).request({ agent: new Agent(), method, path: url, headers });
    call.once('upgrade', (answer, inner, rest) => {
      const lines = answer.rawHeaders.flatMap((name, index, all) =>
        index % 2 === 0 ? [`${name}: ${all[index + 1] ?? ''}`] : [],
      );
      const { statusCode, statusMessage } = answer;
      socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('\r\n')}\r\n\r\n`);
      if (rest.length > 0) inner.unshift(rest);
      if (head.length > 0) inner.write(head);
      join(socket, inner);
    });
    call.once('response', (answer) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`);
      socket.write(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n${lines.join('\r\n')}\r\n`);
      socket.write('connection: close\r\n\r\n');
      answer.pipe(socket);
    });
    call.once('error', () => socket.destroy());
    socket.once('error', () => call.destroy());
    call.end();
  }

  #transport({ folder, instance }: Target): Transport {
    const known = this.#transports.get(folder);
    if (known?.number === instance.number) return known.transport;
    known?.transport.close();
    const transport = unixTransport(folder, instance.socket);
    this.#transports.set(folder, { number: instance.number, transport });
    return transport;
  }

  /** Closes the connections to the daemon of a sandbox that is gone. */
  forget(folder: string): void {
    this.#transports.get(folder)?.transport.close();
    this.#transports.delete(folder);
  }
}

function join(a: Duplex, b: Duplex): void {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    from.pipe(to);
    from.once('error', () => to.destroy());
    from.once('close', () => to.destroy());
  }
}
