import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { newestInstance, runningInstance } from '../../../sandbox/instance-lock.ts';
import { layoutOf } from '../../../sandbox/layout.ts';
import { isAlive, processesOf, sendSignal } from '../../../sandbox/process-tree.ts';
import { textOf, until } from '../helpers/sandboxes.ts';
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
afterEach(async () => {
  for (const { id } of await client.list()) await client.delete(id);
});

const at = (name: string): string => join(member.dir, name);
const daemonOf = (name: string): number => {
  const instance = newestInstance(at(name));
  if (instance === null) throw new Error(`${name} has no daemon`);
  return instance.process.pid;
};

/** The folders of all spares, given or not. */
const folders = (): string[] => readdirSync(member.dir).filter((name) => name.startsWith('spare_'));

/** The name of the spare that waits, when its computer runs. */
async function waiting(): Promise<string> {
  const given = (): string[] =>
    readdirSync(member.dir)
      .filter((name) => name.startsWith('sbx_') && lstatSync(at(name)).isSymbolicLink())
      .map((name) => readlinkSync(at(name)));
  const started = (name: string): boolean =>
    runningInstance(at(name)) !== null &&
    readFileSync(layoutOf(at(name)).log, 'utf8').includes('daemon started');
  const free = (): string[] => folders().filter((name) => !given().includes(name) && started(name));
  await until(() => free().length === 1);
  return free()[0] ?? '';
}

it('a new sandbox has the computer that was waiting, and the next one waits', async () => {
  const spare = await waiting();
  const daemon = daemonOf(spare);
  const info = await client.create({ id: 'sbx_1' });
  expect(info).toMatchObject({ id: 'sbx_1', status: 'running' });
  expect(daemonOf('sbx_1')).toBe(daemon);
  expect(await test.text(client, 'sbx_1', 'ls; echo works')).toBe('works');
  expect(await client.get('sbx_1')).toMatchObject({ id: 'sbx_1', status: 'running' });
  expect(await waiting()).not.toBe(spare);
});

it('one of another shape is not given', async () => {
  const spare = await waiting();
  await client.create({ id: 'sbx_2', display: { width: 640, height: 480 } });
  expect(lstatSync(at('sbx_2')).isSymbolicLink()).toBe(false);
  expect(await test.text(client, 'sbx_2', 'xdpyinfo | grep -o "640x480 pixels"')).toBe('640x480 pixels');
  // The guess is by the commonest of the last sandboxes, so one alone changes nothing.
  expect(await waiting()).toBe(spare);
});

it('a full machine has none', async () => {
  await waiting();
  await client.create({ id: 'sbx_3' });
  await waiting();
  await client.create({ id: 'sbx_4' });
  expect(folders().toSorted()).toEqual([readlinkSync(at('sbx_3')), readlinkSync(at('sbx_4'))].toSorted());
  // Each has an own workspace.
  await test.bash(client, 'sbx_3', 'echo 3 > name');
  expect(await test.text(client, 'sbx_4', 'ls')).toBe('');
});

it('the sandbox keeps its files and its record of actions when its daemon dies, and the model is told', async () => {
  await waiting();
  await client.create({ id: 'sbx_5' });
  const key = test.newKey();
  await test.bash(client, 'sbx_5', 'echo once >> file', key);
  process.kill(daemonOf('sbx_5'), 'SIGKILL');
  await test.bash(client, 'sbx_5', 'echo once >> file', key);
  expect(textOf(await test.bash(client, 'sbx_5', 'cat file'))).toMatch(/started anew.*\nonce$/s);
  expect(await client.get('sbx_5')).toMatchObject({ id: 'sbx_5', status: 'running' });
});

it('one whose daemon or whose computer died is no loss, and the model is told nothing of it', async () => {
  const dead = await waiting();
  process.kill(daemonOf(dead), 'SIGKILL');
  await client.create({ id: 'sbx_6' });
  expect(await test.text(client, 'sbx_6', 'echo works')).toBe('works');
  await client.delete('sbx_6');
  const broken = await waiting();
  for (const { pid } of processesOf(daemonOf(broken))) sendSignal(pid, 'SIGKILL');
  await until(() => readFileSync(layoutOf(at(broken)).log, 'utf8').includes('computer ended'));
  await client.create({ id: 'sbx_7' });
  expect(await test.text(client, 'sbx_7', 'echo works')).toBe('works');
  expect([dead, broken].map((name) => existsSync(at(name)))).toEqual([false, false]);
});

it('one whose daemon and computer were started anew before it was given tells nothing of that', async () => {
  const spare = await waiting();
  for (const { pid } of processesOf(daemonOf(spare))) sendSignal(pid, 'SIGKILL');
  await until(() => readFileSync(layoutOf(at(spare)).log, 'utf8').includes('computer ended'));
  // Whoever asks for anything starts the computer again.
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const socketPath = join(at(spare), newestInstance(at(spare))?.socket ?? '');
    get({ socketPath, path: '/screenshot' }, ({ statusCode }) => resolve(statusCode)).once('error', reject);
  });
  expect(answer).toBeDefined();
  await client.create({ id: 'sbx_11' });
  expect(readlinkSync(at('sbx_11'))).toBe(spare);
  expect(await test.text(client, 'sbx_11', 'echo works')).toBe('works');
});

it('deleting a sandbox removes the folder that it had as a spare', async () => {
  const spare = await waiting();
  await client.create({ id: 'sbx_8' });
  await client.delete('sbx_8');
  expect(existsSync(at(spare))).toBe(false);
  expect(readdirSync(member.dir)).not.toContain('sbx_8');
});

it('spares end with their member, whose next start removes what they left, and sandboxes go on', async () => {
  await waiting();
  await client.create({ id: 'sbx_9' });
  const spare = await waiting();
  const before = daemonOf('sbx_9');
  const left = newestInstance(at(spare))?.process;
  const { starts } = member;
  // A deletion that was cut short between the folder and its name leaves such a link.
  symlinkSync('spare_0123456789abcdef01234567', at('sbx_gone'));
  member.kill();
  await until(() => member.starts > starts && existsSync(at(spare)) === false);
  expect(await waiting()).not.toBe(spare);
  expect(left !== undefined && isAlive(left)).toBe(false);
  expect(readdirSync(member.dir)).not.toContain('sbx_gone');
  expect(await test.text(client, 'sbx_9', 'echo works')).toBe('works');
  expect(daemonOf('sbx_9')).toBe(before);
});

it('a member that ends removes its spares', async () => {
  const spare = await waiting();
  await member.stop({ keep: true });
  expect(existsSync(at(spare))).toBe(false);
  expect(folders()).toEqual([]);
  await member.again();
});

it('one that is still being started is waited for', async () => {
  await member.stop({ keep: true });
  await member.again();
  await until(() => folders().length === 1);
  const [spare] = folders();
  await client.create({ id: 'sbx_10' });
  expect(readlinkSync(at('sbx_10'))).toBe(spare);
  expect(await test.text(client, 'sbx_10', 'echo works')).toBe('works');
});
