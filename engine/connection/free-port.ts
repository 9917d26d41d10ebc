import { createServer } from 'node:net';

const ATTEMPTS = 100;

/** Finds the first port from `wanted` upwards that nobody listens on at `host`; undefined when a hundred are taken. */
export async function findFreePort(host: string, wanted: number): Promise<number | undefined> {
  for (let port = wanted; port < Math.min(wanted + ATTEMPTS, 65_536); port++) {
    const bound = await tryListen(host, port);
    if (bound !== undefined) return bound;
  }
  return undefined;
}

/** Listens for a moment; answers the port, which for 0 is any free one, or undefined when it is taken. */
export function tryListen(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}
