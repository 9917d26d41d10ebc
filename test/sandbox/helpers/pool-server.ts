import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxPool } from '../../../sandbox/client/hosts/sandbox-pool.ts';
import { REGISTRATION_HEADERS } from '../../../sandbox/pool-machine/protocol.ts';
import { listening } from '../../support/listening.ts';

/** A server with which members of a pool register. */
export class PoolServer {
  readonly #server: Server;

  static async open(pool: SandboxPool): Promise<PoolServer> {
    const opened = new PoolServer(pool);
    await listening(opened.#server);
    return opened;
  }

  private constructor(pool: SandboxPool) {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        const header = (name: string) => String(request.headers[name] ?? '');
        const signed = {
          time: header(REGISTRATION_HEADERS.time),
          nonce: header(REGISTRATION_HEADERS.nonce),
          proof: header(REGISTRATION_HEADERS.proof),
          body: Buffer.concat(chunks).toString(),
          from: '127.0.0.1',
        };
        pool.register(signed).then(
          ({ body, proof }) => response.setHeader(REGISTRATION_HEADERS.proof, proof).end(body),
          () => response.writeHead(401).end(),
        );
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
