import type { Sandboxes } from '../../../sandbox/client/sandboxes.ts';
import { SandboxSnapshots } from '../../../sandbox/client/snapshots.ts';
import { textOf, until } from '../helpers/sandboxes.ts';
import { BACKENDS, type Backend } from './backends.ts';

/** What every sandbox does, wherever it lives. */

const EDITOR = { type: 'text_editor_20241022', name: 'str_replace_editor' } as const;
const COMPUTER = {
  type: 'computer_20241022',
  name: 'computer',
  display_width_px: 800,
  display_height_px: 600,
} as const;

const present = BACKENDS.filter((choice) => choice.absent() === null);
const absent = BACKENDS.filter((choice) => !present.includes(choice));
for (const choice of absent) process.stderr.write(`skipped, ${choice.name}: ${choice.absent()}\n`);

describe.each(present)('a sandbox ($name)', (choice) => {
  let backend: Backend;
  let client: Sandboxes;
  let id: string;

  beforeAll(async () => {
    backend = await choice.open();
    client = backend.client();
    ({ id } = await client.create({
      id: `sbx_conformance_${process.pid}`,
      display: { width: 800, height: 600 },
    }));
  }, 120_000);
  afterAll(() => backend.close());

  const bash = (command: string, key?: string) => backend.test.bash(client, id, command, key);
  const text = async (command: string) => textOf(await bash(command));

  it('runs, with a screen of the asked size, and tells where it lives', async () => {
    const { status, boot, isolation } = await client.get(id);
    expect({ status, isolation }).toEqual({ status: 'running', isolation: backend.isolation });
    expect(boot).toMatch(/^boot_/);
    const png = Buffer.from(await client.screenshot(id));
    expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      'PNG',
      800,
      600,
    ]);
    expect((await client.create({ id })).boot).toBe(boot);
  });

  it('has a shell, an editor and a mouse on the same computer', async () => {
    const home = await text('pwd');
    expect(home).toMatch(backend.home);
    const created = await client.perform(id, {
      key: 'edit',
      tool: EDITOR,
      input: { command: 'create', path: `${home}/made.txt`, file_text: 'über\n' },
    });
    expect(created).toMatchObject({ status: 'done', is_error: false });
    expect(await text('cat made.txt; stat -c %U made.txt')).toMatch(/^über\n/);
    const moved = await client.perform(id, {
      key: 'move',
      tool: COMPUTER,
      input: { action: 'mouse_move', coordinate: [123, 234] },
    });
    expect(moved).toMatchObject({ status: 'done', is_error: false });
    expect(await text('xdotool getmouselocation')).toMatch(/^x:123 y:234 /);
  });

  it('has the tools of the agent toolset, from the home folder on', async () => {
    const home = await text('cd; pwd');
    const use = async (name: string, input: object) =>
      textOf(
        await client.perform(id, {
          key: `toolset-${name}`,
          tool: { type: 'agent_toolset_20260401', name },
          input,
        }),
      );
    expect(await use('write', { file_path: 'set/a.txt', content: 'one\ntwo\n' })).toBe(
      'wrote 8 bytes to set/a.txt',
    );
    expect(await use('edit', { file_path: 'set/a.txt', old_string: 'two', new_string: '2' })).toMatch(
      '1 repl',
    );
    expect(await use('read', { file_path: `${home}/set/a.txt`, view_range: [2, 2] })).toBe('2');
    expect(await use('glob', { pattern: 'set/*.txt' })).toBe(`${home}/set/a.txt`);
    expect(await use('grep', { pattern: '^\\d$', path: 'set' })).toBe(`${home}/set/a.txt:2:2`);
    expect(await use('bash', { command: 'cat set/a.txt' })).toBe('one\n2');
    expect(await use('web_fetch', { url: 'ftp://a' })).toMatch('only http and https');
  });

  it('gives the recorded outcome of a key again, and refuses it for another action', async () => {
    const first = await bash('echo counted >> count; wc -l < count', 'counted');
    expect(textOf(first)).toBe('1');
    expect(await bash('echo counted >> count; wc -l < count', 'counted')).toEqual(first);
    expect(await text('wc -l < count')).toBe('1');
    await expect(bash('true', 'counted')).rejects.toMatchObject({ code: 'key_reused' });
  });

  it('is found by another server, with the programs that run', async () => {
    await bash('of_the_first=here');
    const other = backend.client();
    expect((await other.adopt()).map((info) => [info.id, info.boot])).toEqual([
      [id, (await client.get(id)).boot],
    ]);
    expect(textOf(await backend.test.bash(other, id, 'echo $of_the_first'))).toBe('here');
  });

  it('stops an action by its key, and its shell goes on', async () => {
    await bash('kept=value');
    const running = bash('echo begun; sleep 60', 'stopped');
    await until(async () => (await pendingOf(client, id)).includes('stopped'));
    expect(await client.interrupt(id, 'stopped')).toEqual({ running: true, answered: true });
    const outcome = await running;
    expect(outcome).toMatchObject({ status: 'interrupted', is_error: true });
    expect(await bash('echo begun; sleep 60', 'stopped')).toEqual(outcome);
    expect(await text('echo $kept')).toBe('value');
  });

  it('does not repeat what was under way when its daemon was killed, and keeps its files', async () => {
    const { boot } = await client.get(id);
    const statuses: string[] = [];
    // A kill before the intent is written finds nothing begun: then it is performed, once, by the next daemon.
    for (let attempt = 0; attempt < 5 && !statuses.includes('unknown'); attempt += 1) {
      const [key, command] = [`doubtful-${attempt}`, `echo ${attempt} >> doubtful; sleep 3`];
      const running = bash(command, key);
      await until(async () => (await pendingOf(client, id)).includes(key));
      await client.screenshot(id);
      await backend.kill(id);
      const { status } = await running;
      expect((await bash(command, key)).status).toBe(status);
      statuses.push(status);
    }
    expect(statuses.at(-1)).toBe('unknown');
    const lines = (await text('cat doubtful 2>/dev/null; echo end'))
      .split('\n')
      .filter((line) => /^\d$/.test(line));
    expect(lines).toEqual([...new Set(lines)]);
    for (const [attempt, status] of statuses.entries())
      expect(status === 'unknown' || lines.includes(String(attempt))).toBe(true);
    expect(await text('cat made.txt')).toMatch(/über/);
    const after = await client.get(id);
    expect(after.status).toBe('running');
    expect(after.boot).not.toBe(boot);
    expect(await bash('echo counted >> count; wc -l < count', 'counted')).toMatchObject({ status: 'done' });
    expect(await text('wc -l < count')).toBe('1');
  });

  it('goes back to a snapshot of its workspace, and has it until it is removed', async () => {
    const snapshots = new SandboxSnapshots(client);
    await bash('mkdir deep; echo then > deep/file; chmod 751 deep; ln -s deep/file link');
    const taken = await snapshots.take(id);
    expect(taken.sandbox_id).toBe(id);
    await bash('rm -r deep; echo later > later');
    expect(await snapshots.restore(id, taken.id)).toEqual(taken);
    expect(
      await text('cat link; stat -c %a deep; [ -e later ] || echo gone; echo more >> deep/file'),
    ).toMatch(/^<system>.*from a snapshot.*<\/system>\n?then\n751\ngone$/s);
    expect(await text('pwd')).toMatch(backend.home);
    expect(await snapshots.list(id)).toEqual([taken]);
    expect(await snapshots.remove(id, taken.id)).toBe(true);
    expect(await snapshots.list(id)).toEqual([]);
    await expect(snapshots.restore(id, taken.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('leaves nothing when it is deleted, and is not there any more', async () => {
    await bash('(setsid sleep 1000 &) ; mkdir -p locked/in; touch locked/in/file; chmod 0 locked/in locked');
    await client.delete(id);
    await until(async () => (await backend.remains(id)).length === 0);
    await expect(client.get(id)).rejects.toMatchObject({ code: 'sandbox_not_found' });
    await expect(backend.client().screenshot(id)).rejects.toMatchObject({ code: 'sandbox_not_found' });
    await client.delete(id);
    expect(await client.list()).toEqual([]);
  });

  it('can be made again, empty, under the same id', async () => {
    await client.create({ id });
    expect(await text('ls -A; echo end')).toMatch(/(^|\n)end$/);
    expect(await text('cat count 2>/dev/null; echo none')).toBe('none');
    expect(textOf(await bash('echo new', 'counted'))).toBe('new');
    await client.delete(id);
  });
});

async function pendingOf(client: Sandboxes, id: string): Promise<readonly string[]> {
  const { pending } = await client.reach(id, (link) =>
    link.call<{ readonly pending: readonly string[] }>('GET', '/health'),
  );
  return pending;
}
