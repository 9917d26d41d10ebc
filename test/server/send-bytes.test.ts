import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { ask, startServer, stopServers } from './harness.ts';
import { madeForAll } from '../support/opened.ts';

/** Bytes from the disk, to clients that do not take them all. */

const server = madeForAll(startServer);
afterAll(stopServers);

const lines = (message: string): Record<string, unknown>[] =>
  server.logged.filter(({ msg }) => msg === message);

test('a download that the client breaks off is no failure of the server', async () => {
  const hash = await server.store.blobs.put(Buffer.alloc(32 * 1024 * 1024));
  const [response] = (await once(get(`${server.url}/v1/blobs/${hash}`), 'response')) as [IncomingMessage];
  response.once('data', () => response.destroy());
  while (lines('request').length === 0) await new Promise((resolve) => setImmediate(resolve));
  // By then the download has ended, too.
  await ask(`${server.url}/v1/blobs/${'0'.repeat(64)}`);
  expect(lines('request')[0]).toMatchObject({ status: 200, cut: true });
  expect(lines('request failed')).toEqual([]);
});
