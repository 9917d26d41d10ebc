import path from 'node:path';
import { Writable } from 'node:stream';
import { createProviderRegistry } from '../../messages/providers/registry.ts';
import { createServer, type Server } from '../../server/create-server.ts';
import type { ServerDeps } from '../../server/deps.ts';
import { createLogger } from '../../server/log.ts';
import { createIds } from '../../store/ids.ts';

export interface Running {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Every log line so far, parsed. */
  readonly logged: Record<string, unknown>[];
}

const running: Server[] = [];

/** Starts a real server on a free port of loopback; `stopServers` ends it. */
export async function startServer(overrides: Partial<ServerDeps> = {}): Promise<Running> {
  const logged: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().trim().split('\n'))
        logged.push(JSON.parse(line) as Record<string, unknown>);
      done();
    },
  });
  const server = createServer({
    host: '127.0.0.1',
    port: 0,
    access: { kind: 'local' },
    log: createLogger('debug', sink),
    staticDir: path.resolve(__dirname, '../../static'),
    newId: createIds(),
    health: () => ({
      version: '1.2.3',
      engine: { kind: 'embedded', address: '127.0.0.1:7233', namespace: 'default' },
      desktop: { available: false, isolation: null, reason: 'bwrap is not on PATH' },
    }),
    providers: createProviderRegistry([]),
    ...overrides,
  });
  const { url, port } = await server.listen();
  running.push(server);
  return { url, port, server, logged };
}

export async function stopServers(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.close(500)));
}

/** An answer's status, headers and JSON body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export async function ask(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}
