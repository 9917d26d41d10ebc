import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { newestInstance } from '../../../sandbox/instance-lock.ts';
import { layoutOf } from '../../../sandbox/layout.ts';
import { until } from '../helpers/sandboxes.ts';
import { openPoolOfOne, type PoolOfOne } from '../helpers/pool-of-one.ts';

let one: PoolOfOne;
let test: PoolOfOne['test'];
let client: PoolOfOne['client'];
let member: PoolOfOne['member'];

beforeAll(async () => {
  one = await openPoolOfOne({ SANDBOX_SPARES: '1' });
  ({ test, client, member } = one);
});
afterAll(() => one.close());

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
