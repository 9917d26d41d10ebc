import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxPool } from '../../../sandbox/client/hosts/sandbox-pool.ts';
import type { Sandboxes } from '../../../sandbox/client/sandboxes.ts';
import { newestInstance } from '../../../sandbox/instance-lock.ts';
import { layoutOf } from '../../../sandbox/layout.ts';
import { MemberProcess } from '../helpers/member-process.ts';
import { PoolServer } from '../helpers/pool-server.ts';
import { TestSandboxes, until } from '../helpers/sandboxes.ts';

const TOKEN = 'a token that both sides know';
const logger = { info: () => undefined, warn: () => undefined };

let test: TestSandboxes;
let server: PoolServer;
let client: Sandboxes;
let member: MemberProcess;

beforeAll(async () => {
  test = TestSandboxes.open();
  const pool = new SandboxPool({ dir: test.dir, token: TOKEN, waitMs: 100, logger });
  client = test.client({ isolation: 'remote', pool });
  server = await PoolServer.open(pool);
  member = await MemberProcess.start(test.memberEntry, {
    SANDBOX_POOL_TOKEN: TOKEN,
    SANDBOX_ISOLATION: 'none',
    SANDBOX_CAPACITY: '2',
    SANDBOX_SPARES: '1',
    SANDBOX_SERVER: server.url,
  });
  await until(async () => (await pool.figures()).free === 2);
});
afterAll(async () => {
  for (const { id } of await client.list()) await client.delete(id);
  await member.stop();
  server.close();
  await test.close();
});

/** The processes of this member's bundle that wait for a sandbox. */
function spares(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return args[1] === test.daemonEntry && args[2] === '--spare' && !daemons().includes(pid);
      } catch {
        return false;
      }
    });
}

const daemonOf = (id: string): number | undefined => newestInstance(join(member.dir, id))?.process.pid;
const daemons = (): readonly (number | undefined)[] => ['sbx_1', 'sbx_2', 'sbx_3'].map(daemonOf);

it('a new sandbox has the daemon that was waiting, with a log of its own, and the next one waits', async () => {
  await until(() => spares().length === 1);
  const [waiting] = spares();
  await client.create({ id: 'sbx_1' });
  expect(daemonOf('sbx_1')).toBe(waiting);
  expect(await test.text(client, 'sbx_1', 'echo works')).toBe('works');
  expect(readFileSync(layoutOf(join(member.dir, 'sbx_1')).log, 'utf8')).toContain('"msg":"daemon started"');
  await until(() => spares().length === 1);
});

it('one that died is no loss', async () => {
  const [dead = 0] = spares();
  process.kill(dead, 'SIGKILL');
  await client.create({ id: 'sbx_2' });
  expect(await test.text(client, 'sbx_2', 'echo works')).toBe('works');
  // There is no place for another sandbox.
  expect(spares()).toEqual([]);
});

it('spares end with their member, and sandboxes do not', async () => {
  await client.delete('sbx_2');
  await until(() => spares().length === 1);
  const [waiting] = spares();
  const before = daemonOf('sbx_1');
  const { starts } = member;
  member.kill();
  await until(() => member.starts > starts);
  await until(() => spares().length === 1 && spares()[0] !== waiting);
  expect(await test.text(client, 'sbx_1', 'echo works')).toBe('works');
  expect(daemonOf('sbx_1')).toBe(before);
});
