import { SandboxPool } from '../../../sandbox/client/hosts/sandbox-pool.ts';
import type { Sandboxes } from '../../../sandbox/client/sandboxes.ts';
import { MemberProcess } from './member-process.ts';
import { PoolServer } from './pool-server.ts';
import { TestSandboxes, until } from './sandboxes.ts';

const TOKEN = 'a token that both sides know';
const logger = { info: () => undefined, warn: () => undefined };

/** A pool of one machine with room for two sandboxes, without isolation. */
export interface PoolOfOne {
  readonly test: TestSandboxes;
  readonly pool: SandboxPool;
  readonly client: Sandboxes;
  readonly server: PoolServer;
  readonly member: MemberProcess;
  close(): Promise<void>;
}

/** @param settings of the machine, by their variables */
export async function openPoolOfOne(settings: Readonly<Record<string, string>>): Promise<PoolOfOne> {
  const test = TestSandboxes.open();
  const pool = new SandboxPool({ dir: test.dir, token: TOKEN, waitMs: 100, logger });
  const client = test.client({ isolation: 'remote', pool });
  const server = await PoolServer.open(pool);
  const member = await MemberProcess.start(test.memberEntry, {
    SANDBOX_POOL_TOKEN: TOKEN,
    SANDBOX_ISOLATION: 'none',
    SANDBOX_CAPACITY: '2',
    SANDBOX_SERVER: server.url,
    ...settings,
  });
  await until(async () => (await pool.figures()).free === 2);
  return {
    test,
    pool,
    client,
    server,
    member,
    async close() {
      for (const { id } of await client.list()) await client.delete(id);
      await member.stop();
      server.close();
      await test.close();
    },
  };
}
