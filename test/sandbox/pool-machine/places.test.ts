import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { newestInstance } from '../../../sandbox/instance-lock.ts';
import { textOf, until } from '../helpers/sandboxes.ts';
import { openPoolOfOne, type PoolOfOne } from '../helpers/pool-of-one.ts';

let one: PoolOfOne;
let test: PoolOfOne['test'];
let pool: PoolOfOne['pool'];
let client: PoolOfOne['client'];
let member: PoolOfOne['member'];

beforeAll(async () => {
  one = await openPoolOfOne({ SANDBOX_DRAIN_SECONDS: '600' });
  ({ test, pool, client, member } = one);
});
afterAll(() => one.close());

const made = (id: string) => client.create({ id });
const daemon = (id: string): number | undefined => newestInstance(join(member.dir, id))?.process.pid;

it('one member holds several sandboxes, each with a daemon and files of its own', async () => {
  await Promise.all([made('sbx_1'), made('sbx_2')]);
  expect(await pool.figures()).toEqual({
    members: 1,
    away: 0,
    draining: 0,
    places: 2,
    used: 2,
    free: 0,
    waiting: 0,
    lost: 0,
  });
  await Promise.all(['sbx_1', 'sbx_2'].map((id) => test.bash(client, id, `echo ${id} > name`)));
  expect(await test.text(client, 'sbx_1', 'cat name')).toBe('sbx_1');
  expect(await test.text(client, 'sbx_2', 'cat name')).toBe('sbx_2');
  expect(daemon('sbx_1')).not.toBe(daemon('sbx_2'));
  expect((await pool.machines()).map(({ sandboxes }) => sandboxes.map(({ id }) => id).toSorted())).toEqual([
    ['sbx_1', 'sbx_2'],
  ]);
});

it('a member that was killed goes on with the daemons that it had', async () => {
  const before = daemon('sbx_1');
  await test.bash(client, 'sbx_1', 'variable=kept');
  const { starts } = member;
  member.kill();
  await until(() => member.starts > starts);
  expect(textOf(await test.bash(client, 'sbx_1', 'echo $variable'))).toBe('kept');
  expect(daemon('sbx_1')).toBe(before);
});

it('who finds no place waits in line and gets the next one, in the order in which they came', async () => {
  const served: string[] = [];
  const wait = (id: string, signal?: AbortSignal) => {
    let isWaiting = false;
    const done = client
      .create({ id, wait: { waitMs: 600_000, signal, onWaiting: () => void (isWaiting = true) } })
      .then(() => served.push(id));
    return { done, inLine: () => until(() => isWaiting) };
  };
  const third = wait('sbx_3');
  await third.inLine();
  const leaving = new AbortController();
  const fourth = wait('sbx_4', leaving.signal);
  await fourth.inLine();
  const fifth = wait('sbx_5');
  await fifth.inLine();
  expect(await pool.figures()).toMatchObject({ waiting: 3, free: 0 });
  expect(await client.get('sbx_3')).toMatchObject({ status: 'waiting' });
  leaving.abort(new Error('not wanted any more'));
  await expect(fourth.done).rejects.toThrow('not wanted any more');
  expect((await pool.figures()).waiting).toBe(2);
  await client.delete('sbx_1');
  await third.done;
  expect(served).toEqual(['sbx_3']);
  // A deletion ends the waiting of what it deletes.
  await client.delete('sbx_5');
  await expect(fifth.done).rejects.toMatchObject({ code: 'sandbox_not_found' });
  expect((await pool.figures()).waiting).toBe(0);
  await client.delete('sbx_4');
});

it('a member that is told to end takes no new sandbox, keeps those it has, and ends after the last', async () => {
  const ended = member.terminated();
  await until(async () => (await pool.figures()).draining === 1);
  expect(await pool.figures()).toMatchObject({ members: 1, places: 0, free: 0, used: 2 });
  await client.delete('sbx_3');
  await expect(made('sbx_6')).rejects.toMatchObject({ code: 'no_place' });
  await client.delete('sbx_6');
  expect(await test.text(client, 'sbx_2', 'cat name')).toBe('sbx_2');
  await client.delete('sbx_2');
  await ended;
  expect(existsSync(join(member.dir, 'sbx_2'))).toBe(false);
});
