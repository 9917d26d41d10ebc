import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ActivityDeps, createActivities } from '../../activities/index.ts';
import { SandboxPool } from '../../sandbox/client/hosts/sandbox-pool.ts';
import { FolderRegistry } from '../../sandbox/registry/folder-registry.ts';
import type { Sandboxes } from '../../sandbox/client/sandboxes.ts';
import { append, readLog, replyEvents } from '../../sessions/index.ts';
import { MemberProcess } from '../sandbox/helpers/member-process.ts';
import { PoolServer } from '../sandbox/helpers/pool-server.ts';
import { TestSandboxes, until } from '../sandbox/helpers/sandboxes.ts';
import { type Bench, Crash, inActivity, message, openBench } from './support.ts';

const TOKEN = 'a token that both sides know';
const logger = { info: () => undefined, warn: () => undefined };

let test: TestSandboxes;
let bench: Bench;
let server: PoolServer;
let records: string;
const members: MemberProcess[] = [];
const folders: string[] = [];

/** What a worker has that shares the records with the others, and has a data folder of its own. */
function worker(): Sandboxes {
  const dir = mkdtempSync(join(tmpdir(), 'steadyhand-worker-'));
  folders.push(dir);
  const registry = new FolderRegistry(records);
  const pool = new SandboxPool({ dir, registry, token: TOKEN, lostAfterMs: 300, logger });
  return test.client({ dir, isolation: 'remote', pool });
}

async function member(): Promise<MemberProcess> {
  const env = { SANDBOX_POOL_TOKEN: TOKEN, SANDBOX_ISOLATION: 'none', SANDBOX_SERVER: server.url };
  const started = await MemberProcess.start(test.memberEntry, env);
  members.push(started);
  return started;
}

beforeAll(async () => {
  test = TestSandboxes.open();
  records = mkdtempSync(join(tmpdir(), 'steadyhand-records-'));
  folders.push(records);
  bench = await openBench();
  const pool = new SandboxPool({ dir: records, token: TOKEN, logger });
  server = await PoolServer.open(pool);
  await Promise.all([member(), member(), member()]);
  await until(async () => (await pool.figures()).free === 3);
});
afterAll(async () => {
  const client = worker();
  for (const { id } of await client.list()) await client.delete(id);
  await Promise.all(members.map((each) => each.stop()));
  server.close();
  await bench.close();
  await test.close();
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

/** A session whose model has asked for these commands; answers the ids of the tool uses. */
async function asked(...commands: string[]): Promise<{ session: string; uses: string[] }> {
  const tools = [{ type: 'bash_20241022', name: 'bash' }];
  const agent = await bench.sessions.agents.create({ name: 'a', model: 'script', tools });
  const { id: session } = await bench.sessions.create({ agent: agent.id });
  const cursor = await bench.user(session, message('go'));
  const content = commands.map((command, n) => ({
    type: 'tool_use',
    id: `toolu_${n}`,
    name: 'bash',
    input: { command },
  }));
  const retrieved = await bench.sessions.retrieve(session);
  const events = replyEvents({ id: 'msg_1', content } as never, cursor, retrieved.agent.tools);
  const said = await append(bench.store, { session, key: 'reply', events });
  return { session, uses: said.events.map(({ id }) => id) };
}

function run(sandboxes: Sandboxes, session: string, call: string): Promise<unknown> {
  const deps: ActivityDeps = { ...bench.deps, sandboxes };
  return inActivity(() =>
    createActivities(deps).runTool({ session, call, epoch: 1, generation: 1 }, { step: 1 }),
  );
}

async function outcome(session: string, call: string): Promise<string> {
  const effect = await bench.store.effects.get(session, call);
  return effect?.state === 'done' ? JSON.stringify(effect.outcome) : 'none';
}

const holderOf = (sandbox: string): MemberProcess => {
  const found = members.find(({ dir }) => existsSync(join(dir, sandbox)));
  if (found === undefined) throw new Error(`nobody has ${sandbox}`);
  return found;
};
const trace = (sandbox: string): string =>
  readFileSync(join(holderOf(sandbox).dir, sandbox, 'workspace', 'trace'), 'utf8');

/** The same, but this process dies while the action runs there. */
function dyingDuring(sandboxes: Sandboxes, isBegun: () => boolean): Sandboxes {
  return new Proxy(sandboxes, {
    get: (target, name) => {
      const own: unknown = Reflect.get(target, name);
      if (typeof own !== 'function') return own;
      if (name !== 'perform') return own.bind(target) as unknown;
      return async (...given: Parameters<Sandboxes['perform']>) => {
        target.perform(...given).catch(() => undefined);
        await until(isBegun);
        throw new Crash();
      };
    },
  });
}

it('a worker dies in the middle of an action: another one with another folder goes on at the same member', async () => {
  const { session, uses } = await asked(
    'echo 1 >> trace',
    'echo 2 >> trace; sleep 1; echo done',
    'echo 3 >> trace',
  );
  const [first, second, third] = uses as [string, string, string];
  const a = worker();
  await run(a, session, first);
  const sandbox = session.replace('sesn_', 'sbx_');
  const dying = dyingDuring(a, () => trace(sandbox).includes('2'));
  await expect(run(dying, session, second)).rejects.toThrow(Crash);
  a.close();
  const b = worker();
  await run(b, session, second);
  await run(b, session, third);
  expect(await outcome(session, second)).toContain('done');
  expect(trace(sandbox)).toBe('1\n2\n3\n');
  await b.delete(sandbox);
});

it('the member is gone: that is said to the model and in the log, nothing is repeated, and a new computer follows', async () => {
  const { session, uses } = await asked(
    'echo 1 >> trace',
    'echo 2 >> trace; sleep 60',
    'echo 3 >> trace',
    'true',
  );
  const [first, second, third, fourth] = uses as [string, string, string, string];
  const a = worker();
  await run(a, session, first);
  const sandbox = session.replace('sesn_', 'sbx_');
  const holder = holderOf(sandbox);
  const dying = dyingDuring(a, () => trace(sandbox).includes('2'));
  await expect(run(dying, session, second)).rejects.toThrow(Crash);
  a.close();
  await holder.stop();
  const b = worker();
  expect(await run(b, session, second)).toEqual({ type: 'done' });
  expect(await outcome(session, second)).toMatch(/computer was lost.*outcome is unknown.*new computer/s);
  const log = (): Promise<string[]> =>
    readLog(bench.store, session, { types: ['session.error', 'sandbox.replaced'] }).then((events) =>
      events.map(({ type, body }) => `${type}: ${JSON.stringify(body)}`),
    );
  expect(await log()).toEqual([expect.stringMatching(/^session.error: .*The computer was lost/)]);
  // Again, as after the death of this worker before its answer.
  expect(await run(worker(), session, second)).toEqual({ type: 'done' });
  expect(await run(b, session, third)).toEqual({ type: 'done' });
  expect(await log()).toEqual([
    expect.stringMatching(/^session.error/),
    expect.stringMatching(/^sandbox.replaced: .*new computer was made/i),
  ]);
  expect((await bench.sessions.retrieve(session)).sandbox_id).toBe(`${sandbox}-2`);
  expect(trace(`${sandbox}-2`)).toBe('3\n');
  // A late attempt that still believes in the first computer performs nothing on the second.
  await bench.store.effects.begin(session, fourth, { sandbox, made: '2026-01-01T00:00:00.000Z' });
  await run(b, session, fourth);
  expect(await outcome(session, fourth)).toMatch(/computer was lost.*outcome is unknown/s);
  await b.delete(sandbox);
  await b.delete(`${sandbox}-2`);
});

it('an action that no attempt gave to the lost computer is told as not performed', async () => {
  const { session, uses } = await asked('true', 'echo 2 >> trace');
  const [first, second] = uses as [string, string];
  const a = worker();
  await run(a, session, first);
  const sandbox = session.replace('sesn_', 'sbx_');
  await holderOf(sandbox).stop();
  expect(await run(a, session, second)).toEqual({ type: 'done' });
  expect(await outcome(session, second)).toMatch(/computer was lost.*was not performed/s);
  await a.delete(sandbox);
});

it('a computer that a person deleted is told apart from a lost one, and what was begun there is not repeated', async () => {
  await member();
  const { session, uses } = await asked('true', 'echo 2 >> trace; sleep 60', 'echo 3 >> trace');
  const [first, second, third] = uses as [string, string, string];
  const a = worker();
  await run(a, session, first);
  const sandbox = session.replace('sesn_', 'sbx_');
  const dying = dyingDuring(a, () => existsSync(join(holderOf(sandbox).dir, sandbox, 'workspace', 'trace')));
  await expect(run(dying, session, second)).rejects.toThrow(Crash);
  const b = worker();
  await b.delete(sandbox);
  expect(await run(b, session, second)).toEqual({ type: 'done' });
  expect(await outcome(session, second)).toMatch(/computer was deleted.*outcome is unknown/s);
  await run(b, session, third);
  expect(trace(sandbox)).toBe('3\n');
  expect(await readLog(bench.store, session, { types: ['session.error'] })).toEqual([]);
});
