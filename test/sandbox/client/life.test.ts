import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { isSandboxError } from '@steadyhand/contracts';
import type { SandboxesOptions } from '../../../sandbox/client/sandboxes.ts';
import { layoutOf } from '../../../sandbox/layout.ts';
import { LIST_OPEN_FILES, openFiles } from '../helpers/open-files.ts';
import { TestSandboxes, processesNaming, textOf, until } from '../helpers/sandboxes.ts';
import { readOrEmpty } from '../../support/read-or-empty.ts';
import { openedForAll } from '../../support/opened.ts';

const test = openedForAll(() => TestSandboxes.open());

describe('creating', () => {
  it('gives a running sandbox of the asked size, and the same one for the same id', async () => {
    const client = test.client();
    const display = { width: 800, height: 600 };
    const [first, second] = await Promise.all([
      client.create({ id: 'sbx_same', display, compat: 'reference' }),
      test.client().create({ id: 'sbx_same' }),
    ]);
    const { status, boot, isolation } = first;
    expect({ status, isolation }).toEqual({ status: 'running', isolation: 'bubblewrap' });
    expect(boot).toMatch(/^boot_/);
    expect(second.boot).toBe(boot);
    expect(second.display).toEqual(first.display);
    expect(Date.parse(first.created_at)).toBeGreaterThan(Date.now() - 60_000);
    const png = Buffer.from(await client.screenshot('sbx_same'));
    expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      'PNG',
      first.display.width,
      first.display.height,
    ]);
    await client.delete('sbx_same');
  });

  it.each([
    [{ id: '../escape' }, /^id: /],
    [{ id: 'ses_1' }, /^id: /],
    [{ display: { width: 0, height: 768 } }, /^display.width: /],
    [{ display: { width: 1024, height: 99_999 } }, /^display.height: /],
  ])('refuses %j', async (options, message) => {
    await expect(test.client().create(options)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(test.client().create(options)).rejects.toThrow(message);
  });

  it('works in a data folder whose paths do not fit a socket address', async () => {
    const deep = Array.from({ length: 6 }, () => 'a-rather-long-folder-name').join('/');
    const dir = join(test.dir, deep);
    mkdirSync(dir, { recursive: true });
    const client = test.client({ dir });
    const { id } = await client.create();
    expect(await test.text(client, id, 'echo deep')).toBe('deep');
    expect((await client.screenshot(id)).length).toBeGreaterThan(100);
    await client.delete(id);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('says why when the daemon cannot start', async () => {
    const client = test.client({ guestEntry: join(test.dir, 'no-guest.cjs') });
    const attempt = client.create({ id: 'sbx_no_guest' });
    await expect(attempt).rejects.toMatchObject({ code: 'unavailable' });
    await expect(attempt).rejects.toThrow(/no-guest\.cjs/);
    await client.delete('sbx_no_guest');
  });

  it('says all that a guest said before it failed, in however many pieces', async () => {
    const guestEntry = join(test.dir, 'failing-guest.cjs');
    writeFileSync(
      guestEntry,
      `const { writeSync } = require('node:fs');
       for (const piece of ['the ', 'first line\\n', 'the ', 'second']) writeSync(2, piece);
       process.exit(3);`,
    );
    const client = test.client({ guestEntry });
    await expect(client.create({ id: 'sbx_failing_guest' })).rejects.toThrow(/: the first line the second$/);
    await client.delete('sbx_failing_guest');
  });
});

describe('a sandbox that is not there', () => {
  it.each(['get', 'ensure', 'screenshot'] as const)('%s', async (method) => {
    await expect(test.client()[method]('sbx_nobody')).rejects.toMatchObject({ code: 'sandbox_not_found' });
  });
  it('perform and interrupt', async () => {
    await expect(test.bash(test.client(), 'sbx_nobody', 'true')).rejects.toMatchObject({
      code: 'sandbox_not_found',
    });
    await expect(test.client().interrupt('sbx_nobody', 'k')).rejects.toMatchObject({
      code: 'sandbox_not_found',
    });
  });
  it('delete is no error', async () => {
    await expect(test.client().delete('sbx_nobody')).resolves.toBeUndefined();
  });
});

describe('deleting', () => {
  it.each(['bubblewrap', 'none'] as const)('leaves nothing behind (%s)', async (isolation) => {
    const client = test.client({ isolation });
    const { id } = await client.create();
    await client.screenshot(id);
    await test.bash(
      client,
      id,
      'setsid sleep 1000 & (sleep 1001 &) ; nohup sleep 1002 >/dev/null 2>&1 & mkdir -p a/b; touch a/b/c; chmod 000 a/b a; echo $DISPLAY',
    );
    const display = textOf(await test.bash(client, id, 'echo $DISPLAY')).slice(1);
    await until(() => existsSync(layoutOf(test.folderOf(id)).ledger));
    const daemon = test.daemonPid(id);
    const family = descendantsOf(daemon);
    expect(family.length).toBeGreaterThan(3);
    await client.delete(id);
    expect([daemon, ...family].filter(isRunning)).toEqual([]);
    expect(processesNaming(id)).toEqual([]);
    expect(existsSync(test.folderOf(id))).toBe(false);
    expect(readOrEmpty('/proc/net/unix')).not.toContain(id);
    expect(readOrEmpty('/proc/self/mounts')).not.toContain(id);
    expect(isolation === 'none' && existsSync(`/tmp/.X${display}-lock`)).toBe(false);
    expect(isolation === 'none' && existsSync(`/tmp/.X11-unix/X${display}`)).toBe(false);
    expect(await client.list()).toEqual([]);
    await expect(client.get(id)).rejects.toMatchObject({ code: 'sandbox_not_found' });
  });

  it('works when the daemon hangs, in the middle of an action', async () => {
    const client = test.client();
    const { id } = await client.create();
    const running = test.bash(client, id, 'touch begun; sleep 1000');
    running.catch(() => undefined);
    await until(() => existsSync(join(layoutOf(test.folderOf(id)).workspace, 'begun')));
    const family = descendantsOf(test.daemonPid(id));
    await client.delete(id);
    expect(family.filter(isRunning)).toEqual([]);
    // Its outcome was told before the end, or the sandbox is gone.
    const told = await running.then(
      ({ status }) => status,
      (error: unknown) => (isSandboxError(error, 'sandbox_not_found') ? 'gone' : error),
    );
    expect(['interrupted', 'gone']).toContain(told);
  });

  it('that was cut short is finished by the next server', async () => {
    const client = test.client();
    const { id } = await client.create();
    writeFileSync(layoutOf(test.folderOf(id)).tombstone, '');
    await expect(client.get(id)).rejects.toMatchObject({ code: 'sandbox_not_found' });
    const daemon = test.daemonPid(id);
    expect(await test.client().adopt()).toEqual([]);
    expect(isRunning(daemon)).toBe(false);
    expect(existsSync(test.folderOf(id))).toBe(false);
  });
});

describe('a server that is killed', () => {
  it('leaves its sandbox running, which the next one finds with its programs', async () => {
    const server = await startServer({
      dir: test.dir,
      daemonEntry: test.daemonEntry,
      guestEntry: test.guestEntry,
    });
    const id = server.id;
    server.process.kill('SIGKILL');
    await new Promise((resolve) => server.process.once('exit', resolve));
    const next = test.client();
    expect((await next.adopt()).map((info) => info.id)).toEqual([id]);
    expect((await next.get(id)).boot).toBe(server.boot);
    // The shell that the killed server used, with its variable, and the outcome it got.
    expect(await test.text(next, id, 'echo $of_the_killed_server')).toBe('still here');
    expect(openFiles(await test.text(next, id, LIST_OPEN_FILES))).toEqual([0, 1, 2, 255]);
    expect(
      textOf(await test.bash(next, id, 'of_the_killed_server="still here"; echo set', 'by-the-first')),
    ).toBe('set');
    await next.delete(id);
  });
});

describe('a daemon that is killed', () => {
  it('is started again on the same folder by the next call: files stay, the boot is another', async () => {
    const client = test.client();
    const { id, boot } = await client.create();
    await test.bash(client, id, 'echo kept > file');
    const family = descendantsOf(test.daemonPid(id));
    process.kill(test.daemonPid(id), 'SIGKILL');
    await until(() => family.every((pid) => !isRunning(pid)));
    expect(await client.get(id)).toMatchObject({ status: 'stopped', boot: null });
    expect(await client.list()).toHaveLength(1);
    expect(await client.interrupt(id, 'any')).toEqual({ running: false, answered: true });
    expect((await client.ensure(id)).boot).not.toBe(boot);
    expect(await test.text(client, id, 'cat file')).toMatch(/\nkept$/);
    await client.delete(id);
  });

  it('is never started twice, however many ask', async () => {
    const clients = [test.client(), test.client(), test.client()];
    const { id } = await clients[0]!.create();
    process.kill(test.daemonPid(id), 'SIGKILL');
    const infos = await Promise.all(clients.flatMap((client) => [client.ensure(id), client.ensure(id)]));
    expect(new Set(infos.map(({ boot }) => boot)).size).toBe(1);
    const daemons = (): number[] =>
      processesNaming(test.folderOf(id)).filter((pid) =>
        readOrEmpty(`/proc/${pid}/cmdline`).includes('daemon'),
      );
    // Those that found the folder taken have said so and are on their way out.
    await until(() => daemons().length === 1);
    expect(daemons()).toEqual([test.daemonPid(id)]);
    await clients[0]!.delete(id);
  });
});

interface Server {
  readonly process: ChildProcess;
  readonly id: string;
  readonly boot: string;
}

/** Another process that uses the client, as a server does. */
async function startServer(
  options: Pick<SandboxesOptions, 'dir' | 'daemonEntry' | 'guestEntry'>,
): Promise<Server> {
  const entry = join(options.dir, '.server.cjs');
  const source = `
    import { createSandboxes } from ${JSON.stringify(join(__dirname, '../../../sandbox/client/hosted-sandboxes.ts'))};
    const logger = { info() {}, warn() {} };
    const sandboxes = createSandboxes({ ...${JSON.stringify(options)}, isolation: 'auto', logger });
    sandboxes.create().then(async ({ id, boot }) => {
      const input = { command: 'of_the_killed_server="still here"; echo set' };
      await sandboxes.perform(id, { key: 'by-the-first', tool: { type: 'bash_20241022', name: 'bash' }, input });
      console.log(JSON.stringify({ id, boot }));
      setInterval(() => undefined, 1000);
    });`;
  await build({
    stdin: { contents: source, loader: 'ts', resolveDir: __dirname },
    bundle: true,
    conditions: ['@steadyhand/source'],
    platform: 'node',
    format: 'cjs',
    outfile: entry,
  });
  // With a file open that everything it starts inherits, as a careless supervisor leaves it.
  const shell = ['-c', 'exec 200</etc/passwd; exec "$@"', 'server', process.execPath, entry];
  const child = spawn('/bin/bash', shell, { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(String(chunk))),
  );
  return { process: child, ...(JSON.parse(line) as { id: string; boot: string }) };
}

function isRunning(pid: number): boolean {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  return stat !== '' && !/\) [ZX] /.test(stat);
}

function descendantsOf(root: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [Number(pid), Number(/\) \S (\d+)/.exec(readOrEmpty(`/proc/${pid}/stat`))?.[1] ?? 0)]),
  );
  const family = new Set([root]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid);
  }
  return [...family].filter((pid) => pid !== root);
}
