import { createServer } from 'node:net';

const attempts = 100;

/** The first port from `wanted` upwards that nobody listens on at `host`; any free one when `wanted` is 0. */
export async function freePort(host: string, wanted: number): Promise<number> {
  if (wanted === 0) {
    const port = await tryListen(host, 0);
    if (port !== undefined) return port;
  }
  for (let port = wanted; port < Math.min(wanted + attempts, 65_536); port += 1) {
    if ((await tryListen(host, port)) !== undefined) return port;
  }
  throw new Error(`no free port from ${wanted} on`);
}

function tryListen(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}
