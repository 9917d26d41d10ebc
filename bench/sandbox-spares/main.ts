import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSandboxes } from '../../sandbox/client/hosted-sandboxes.ts';
import { SandboxPool } from '../../sandbox/client/hosts/sandbox-pool.ts';
import { MemberProcess } from '../../test/sandbox/helpers/member-process.ts';
import { PoolServer } from '../../test/sandbox/helpers/pool-server.ts';
import { round3, spread, writeResult } from '../lib/figures.ts';

/**
 * From `create` to the first screenshot of a sandbox on a pool machine that has a spare one ready, and on one that has not.
 * Both machines are this one, under bubblewrap; they take turns. The built programs in dist/ are used.
 */
const { values } = parseArgs({ options: { starts: { type: 'string', default: '30' } } });
const TOKEN = 'a token that both sides know';
const logger = { info: () => undefined, warn: () => undefined };

/** A pool of one machine with so many spare sandboxes; makes a sandbox and answers the milliseconds until its first screenshot. */
async function poolWith(spares: number): Promise<{ start(): Promise<number>; close(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-spares-'));
  const pool = new SandboxPool({ dir, token: TOKEN, waitMs: 100, logger });
  const sandboxes = createSandboxes({
    dir,
    daemonEntry: resolve('dist/sandbox-daemon.mjs'),
    guestEntry: resolve('dist/sandbox-guest.cjs'),
    isolation: 'remote',
    pool,
    logger,
  });
  const server = await PoolServer.open(pool);
  const member = await MemberProcess.start(resolve('dist/sandbox-member.mjs'), {
    SANDBOX_POOL_TOKEN: TOKEN,
    SANDBOX_CAPACITY: '2',
    SANDBOX_SPARES: String(spares),
    SANDBOX_SERVER: server.url,
  });
  while ((await pool.figures()).free < 2) await pause(20);
  return {
    async start() {
      const began = performance.now();
      const { id } = await sandboxes.create({ display: { width: 1024, height: 768 } });
      await sandboxes.screenshot(id);
      const ms = performance.now() - began;
      await sandboxes.delete(id);
      // The next spare one is ready, as it is in a pool that is not asked all the time.
      await pause(500);
      return ms;
    },
    async close() {
      await member.stop();
      sandboxes.close();
      server.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const kinds = { 'no spare': await poolWith(0), 'a spare': await poolWith(1) };
const times: Record<keyof typeof kinds, number[]> = { 'no spare': [], 'a spare': [] };
try {
  for (const pool of Object.values(kinds)) await pool.start();
  for (let n = 0; n < Number(values.starts); n += 1)
    for (const kind of ['no spare', 'a spare'] as const) times[kind].push(await kinds[kind].start());
} finally {
  for (const pool of Object.values(kinds)) await pool.close();
}
const figures = { 'no spare': spread(times['no spare']), 'a spare': spread(times['a spare']) };
console.table(figures);
writeResult('sandbox-spares', { cpus: cpus().length, load: round3(loadavg()[0] ?? 0), ...figures });
