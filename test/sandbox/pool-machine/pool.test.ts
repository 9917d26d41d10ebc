import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxPool } from '../../../sandbox/client/hosts/sandbox-pool.ts';
import { RegistrationRefusedError } from '../../../sandbox/client/hosts/registration.ts';
import type { Sandboxes } from '../../../sandbox/client/sandboxes.ts';
import { proofOf } from '../../../sandbox/pool-token.ts';
import { MemberProcess } from '../helpers/member-process.ts';
import { TestSandboxes, processesNaming, textOf, until } from '../helpers/sandboxes.ts';
import { PoolServer } from '../helpers/pool-server.ts';

const TOKEN = 'a token that both sides know';
const logger = { info: () => undefined, warn: () => undefined };

let test: TestSandboxes;
let pool: SandboxPool;
let server: PoolServer;
let client: Sandboxes;
const members: MemberProcess[] = [];

/** Members without a display start faster; what they hold is not what is tried here. */
async function member(token = TOKEN): Promise<MemberProcess> {
  const started = await MemberProcess.start(test.memberEntry, {
    SANDBOX_POOL_TOKEN: token,
    SANDBOX_ISOLATION: 'none',
    SANDBOX_SERVER: server.url,
  });
  members.push(started);
  return started;
}

function newPool(options: { waitMs?: number; lostAfterMs?: number } = {}): SandboxPool {
  return new SandboxPool({ dir: test.dir, token: TOKEN, logger, ...options });
}

beforeAll(async () => {
  test = TestSandboxes.open();
  pool = newPool({ waitMs: 300 });
  client = test.client({ isolation: 'remote', pool });
  server = await PoolServer.open(pool);
});
afterAll(async () => {
  for (const { id } of await client.list()) await client.delete(id);
  await Promise.all(members.map((each) => each.stop()));
  server.close();
  await test.close();
});

it('takes a member each, and says so when none is free', async () => {
  await Promise.all([member(), member()]);
  await until(async () => (await pool.figures()).free === 2);
  const infos = await Promise.all([client.create(), client.create()]);
  expect(infos.map(({ isolation, status }) => [isolation, status])).toEqual([
    ['remote', 'running'],
    ['remote', 'running'],
  ]);
  expect(new Set(infos.map(({ boot }) => boot)).size).toBe(2);
  await until(async () => (await pool.figures()).free === 0);
  const nameless = client.create().catch((error: unknown) => error);
  const attempt = client.create({ id: 'sbx_too_many' });
  await expect(attempt).rejects.toMatchObject({ code: 'no_place' });
  expect(await nameless).toMatchObject({ code: 'no_place' });
  // The one that may be asked for again is there, the one that nobody can name is not.
  expect((await client.list()).map(({ id }) => id).toSorted()).toEqual(
    [...infos.map(({ id }) => id), 'sbx_too_many'].toSorted(),
  );
  await expect(attempt).rejects.toThrow(
    /no member of the sandbox pool became free within 0 s \(2 there, all in use\)/,
  );
  expect(await client.get('sbx_too_many')).toMatchObject({
    status: 'waiting',
    reason: 'waiting for a computer',
  });
  await client.delete('sbx_too_many');
});

it('goes on with its sandboxes after a restart of the server, and of a member with its folder', async () => {
  const [first] = await client.list();
  const id = first!.id;
  await test.bash(client, id, 'echo kept > file', 'kept');
  // Another server process: nothing in memory.
  const other = test.client({ isolation: 'remote', pool: newPool() });
  expect((await other.get(id)).boot).toBe(first!.boot);
  const holder = members.find(({ dir }) => existsSync(join(dir, id)))!;
  const port = holder.port;
  await holder.stop({ keep: true });
  expect(await client.get(id)).toMatchObject({ status: 'stopped', isolation: 'remote' });
  await holder.again();
  expect(holder.port).toBe(port);
  expect(textOf(await test.bash(other, id, 'cat file'))).toMatch(/kept$/);
  expect(textOf(await test.bash(client, id, 'echo kept > file', 'kept'))).not.toMatch(/unknown/);
});

it('a member is wiped and free again when its sandbox is deleted', async () => {
  const [first] = await client.list();
  const holder = members.find(({ dir }) => existsSync(join(dir, first!.id)))!;
  await client.delete(first!.id);
  await until(async () => (await pool.figures()).free === 1);
  expect(existsSync(join(holder.dir, first!.id))).toBe(false);
  await until(() => processesNaming(first!.id).length === 0);
  const { id } = await client.create();
  expect(textOf(await test.bash(client, id, 'ls -A; echo empty'))).toMatch(/^empty$|\nempty$/);
});

it('a sandbox that is deleted while its member is away is deleted there when it is back', async () => {
  const [first] = await client.list();
  const id = first!.id;
  const holder = members.find(({ dir }) => existsSync(join(dir, id)))!;
  await holder.stop({ keep: true });
  await client.delete(id);
  expect(await client.list()).toHaveLength(1);
  await holder.again();
  await until(() => !existsSync(join(holder.dir, id)));
  await until(async () => (await pool.figures()).free === 1);
});

it('a sandbox that a member does not hold any more is lost, said so, and not made anew', async () => {
  const { id } = await client.create();
  const holder = members.find(({ dir }) => existsSync(join(dir, id)))!;
  await holder.stop({ keep: true });
  rmSync(join(holder.dir, id), { recursive: true });
  await holder.again();
  const attempt = test.bash(client, id, 'echo again');
  await expect(attempt).rejects.toMatchObject({ code: 'lost', sandbox: id });
  await expect(attempt).rejects.toThrow(/the computer was lost .*does not hold that sandbox any more/);
  // Every other process knows it, too.
  const other = test.client({ isolation: 'remote', pool: newPool() });
  expect(await other.get(id)).toMatchObject({ status: 'lost' });
  await expect(other.create({ id })).rejects.toMatchObject({ code: 'lost' });
  expect((await pool.figures()).lost).toBe(1);
  await client.delete(id);
  await expect(client.get(id)).rejects.toThrow(/does not exist/);
});

it('a sandbox whose member has come back without its folder is lost after a while, and its place is another one', async () => {
  const impatient = newPool({ lostAfterMs: 300 });
  const hasty = test.client({ isolation: 'remote', pool: impatient });
  const { id } = await hasty.create();
  const holder = members.find(({ dir }) => existsSync(join(dir, id)))!;
  await holder.stop({ keep: true });
  rmSync(holder.dir, { recursive: true });
  mkdirSync(holder.dir, { mode: 0o700 });
  await holder.again();
  await expect(test.bash(hasty, id, 'echo again')).rejects.toMatchObject({ code: 'lost' });
  await hasty.delete(id);
  await until(async () => (await pool.figures()).free === 1);
});

it('a sandbox whose member is gone for good is lost; when it comes back after all, its sandbox is ended there', async () => {
  const hasty = test.client({ isolation: 'remote', pool: newPool({ lostAfterMs: 300 }) });
  const { id } = await hasty.create();
  const holder = members.find(({ dir }) => existsSync(join(dir, id)))!;
  await test.bash(hasty, id, 'echo kept > file');
  await holder.stop({ keep: true });
  await expect(test.bash(hasty, id, 'cat file')).rejects.toThrow(/the computer was lost .*nothing was heard/);
  await holder.again();
  await until(() => !existsSync(join(holder.dir, id)));
  await expect(test.bash(hasty, id, 'cat file')).rejects.toMatchObject({ code: 'lost' });
  await hasty.delete(id);
  await until(async () => (await pool.figures()).free === 1);
});

/** Always has another choice than who looks at the same members in their order. */
class ContraryPool extends SandboxPool {
  override async place(request: Parameters<SandboxPool['place']>[0]): ReturnType<SandboxPool['place']> {
    const [first] = (await this.machines()).filter(({ sandboxes }) => sandboxes.length === 0);
    const refused = new Set(first === undefined ? [] : [first.member]);
    return super.place({ ...request, refused: () => new Set([...request.refused(), ...refused]) });
  }
}

it('two server processes of one data folder that choose otherwise place a sandbox once', async () => {
  for (const { id } of await client.list()) await client.delete(id);
  await until(async () => (await pool.figures()).free === 2);
  const contrary = new ContraryPool({ dir: test.dir, token: TOKEN, logger });
  const other = test.client({ isolation: 'remote', pool: contrary });
  const infos = await Promise.all([client, other].map((each) => each.create({ id: 'sbx_shared' })));
  expect(new Set(infos.map(({ boot }) => boot)).size).toBe(1);
  expect(members.filter(({ dir }) => existsSync(join(dir, 'sbx_shared')))).toHaveLength(1);
  await client.delete('sbx_shared');
});

describe('the token', () => {
  it('is needed on both ends of a line', async () => {
    const stranger = await member('another token altogether');
    const knowing = new SandboxPool({
      dir: join(test.dir, 'strangers'),
      token: TOKEN,
      addresses: [stranger.address],
      waitMs: 10,
      logger,
    });
    await knowing.probe();
    expect(await knowing.machines()).toEqual([]);
    // Those of the tests before come and go meanwhile.
    expect((await pool.machines()).map(({ address }) => address)).not.toContainEqual(stranger.address);
    await stranger.stop();
  });

  const body = '{"member":"mem_0123456789abcdef01234567"}';
  const now = (): string => String(Date.now());
  it.each([
    ['no proof', (time: string) => ({ time, nonce: 'n', proof: '', body })],
    [
      'the proof of another body',
      (time: string) => ({
        time,
        nonce: 'n',
        proof: proofOf(TOKEN, ['registration', time, 'n', '{}']),
        body,
      }),
    ],
    [
      'an old proof',
      () => ({ time: '1000', nonce: 'n', proof: proofOf(TOKEN, ['registration', '1000', 'n', body]), body }),
    ],
    [
      'no registration',
      (time: string) => ({
        time,
        nonce: 'n',
        proof: proofOf(TOKEN, ['registration', time, 'n', body]),
        body,
      }),
    ],
  ])('a registration with %s is refused', async (_name, make) => {
    const attempt = pool.register({ ...make(now()), from: '127.0.0.1' });
    await expect(attempt).rejects.toThrow(RegistrationRefusedError);
  });
});
