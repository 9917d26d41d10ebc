import path from 'node:path';
import pino from 'pino';
import { poolOf, sandboxPoolService } from '../../app/sandbox-pool.ts';
import { REGISTRATION_HEADERS, REGISTRATION_PATH } from '../../sandbox/pool-machine/protocol.ts';
import { proofOf } from '../../sandbox/pool-token.ts';
import { startServer, stopServers } from '../server/harness.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Pool machines that register by way of a proxy, as in docker-compose.cluster.yml. */

const TOKEN = 'a-token-of-some-length';
const dir = temporaryFolder();

afterEach(stopServers);

/** Registers a machine as its process does, and as a proxy hands it on that was asked from `address`. */
async function register(url: string, member: string, address: string): Promise<number> {
  const body = JSON.stringify({
    member,
    capacity: 1,
    sandboxes: [],
    draining: false,
    isolation: 'container',
    missing: [],
    address: { host: null, port: 7077 },
  });
  const [time, nonce] = [String(Date.now()), member];
  const answer = await fetch(`${url}${REGISTRATION_PATH}`, {
    method: 'POST',
    headers: {
      'x-forwarded-for': address,
      [REGISTRATION_HEADERS.time]: time,
      [REGISTRATION_HEADERS.nonce]: nonce,
      [REGISTRATION_HEADERS.proof]: proofOf(TOKEN, ['registration', time, nonce, body]),
    },
    body,
  });
  return answer.status;
}

test.each([
  { trustedProxies: ['127.0.0.1'], found: ['192.0.2.7', '192.0.2.8'] },
  // Of two machines at one address the newer one counts.
  { trustedProxies: [], found: ['127.0.0.1'] },
])('with the proxies $trustedProxies trusted, machines are at $found', async ({ trustedProxies, found }) => {
  const logger = pino({ level: 'silent' });
  const pool = poolOf(
    { token: TOKEN, members: [], waitMs: 60_000, lostAfterMs: 60_000 },
    { dir: path.join(dir, `${found.length}`), logger },
  );
  if (pool === undefined) throw new Error('there is no pool');
  const { url } = await startServer({ trustedProxies, sandboxPool: sandboxPoolService(pool) });
  expect(await register(url, 'mem_0123456789abcdef01234567', '192.0.2.7')).toBe(200);
  expect(await register(url, 'mem_0123456789abcdef01234568', '192.0.2.8')).toBe(200);
  expect((await pool.machines()).map(({ address }) => address.host)).toEqual(found);
});
