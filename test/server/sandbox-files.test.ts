import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { sandboxFileService, sandboxService } from '../../app/sandbox-service.ts';
import { createSandboxes } from '../../sandbox/client/hosted-sandboxes.ts';
import type { Sandboxes } from '../../sandbox/client/sandboxes.ts';
import { newestInstance } from '../../sandbox/instance-lock.ts';
import type { BytePath } from '../../sandbox/byte-path.ts';
import { viewEntry } from '../../server/routes/sandbox-files.ts';
import { type Bundles, builtSandbox } from '../sandbox/helpers/bundles.ts';
import { textOf, until } from '../sandbox/helpers/sandboxes.ts';
import { type Answer, ask, startServer, stopServers } from './harness.ts';

/** The files of a sandbox over HTTP, on a real one. */

const describeInBubblewrap = fs.existsSync('/usr/bin/bwrap') ? describe : describe.skip;
const BASH = { type: 'bash_20241022', name: 'bash' };

describeInBubblewrap('/v1/sandboxes/{id}/files (needs bubblewrap)', () => {
  let bundles: Bundles;
  let dir: string;
  let sandboxes: Sandboxes;
  let base: string;
  let id: string;
  let keys = 0;

  beforeAll(async () => {
    bundles = builtSandbox();
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'server-sandbox-files-'));
    const { daemonEntry, guestEntry } = bundles;
    const logger = pino({ level: 'silent' });
    sandboxes = createSandboxes({ dir, daemonEntry, guestEntry, isolation: 'auto', logger });
    ({ id } = await sandboxes.create());
    const { url } = await startServer({
      sandboxes: sandboxService(sandboxes),
      sandboxFiles: sandboxFileService(sandboxes),
    });
    base = `${url}/v1/sandboxes/${id}/files`;
  }, 180_000);
  afterAll(async () => {
    await stopServers();
    for (const sandbox of await sandboxes.list()) await sandboxes.delete(sandbox.id);
    sandboxes.close();
    fs.rmSync(dir, { recursive: true, force: true });
  }, 180_000);

  const bash = async (command: string): Promise<string> =>
    textOf(await sandboxes.perform(id, { key: `key-${++keys}`, tool: BASH, input: { command } }));
  const put = (file: string, body: string | Buffer, more = ''): Promise<Answer> =>
    ask(`${base}/content?path=${file}${more}`, {
      method: 'PUT',
      body: new Blob([typeof body === 'string' ? body : new Uint8Array(body)]),
    });
  const get = (
    file: string,
    init: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> =>
    fetch(`${base}/content?path=${file}`, {
      ...init,
      headers: { 'anthropic-version': '2023-06-01', ...init.headers },
    });
  const list = async (
    query: string,
  ): Promise<{ data: { path: string; encoded_path: string }[]; next: string | null }> => {
    const { body } = await ask(`${base}?path=${query}`);
    return {
      data: body['data'] as { path: string; encoded_path: string }[],
      next: body['next_page'] as string | null,
    };
  };

  test('a file comes and goes whole, with the agent as its owner', async () => {
    const bytes = randomBytes(5 * 1024 * 1024 + 7);
    const { body } = await put('/home/agent/new/folder/data.bin', bytes, '&mode=0640');
    expect(body).toMatchObject({
      type: 'file',
      name: 'data.bin',
      path: '/home/agent/new/folder/data.bin',
      size_bytes: bytes.length,
      mode: '0640',
    });
    expect(await bash('stat -c "%U %a %s" new/folder/data.bin; sha256sum < new/folder/data.bin')).toBe(
      `agent 640 ${bytes.length}\n${createHash('sha256').update(bytes).digest('hex')}  -`,
    );
    const answer = await get('/home/agent/new/folder/data.bin');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=data.bin');
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await get('/home/agent/new/folder/data.bin', {
      headers: { range: 'bytes=1048570-1048585' },
    });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 1048570-1048585/${bytes.length}`,
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1_048_570, 1_048_586))).toBe(true);
    expect(
      (await get('/home/agent/new/folder/data.bin', { headers: { range: 'bytes=9999999-' } })).status,
    ).toBe(416);
    const head = await get('/home/agent/new/folder/data.bin', { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(bytes.length));

    // The mode of what was there stays when none is given.
    expect((await put('/home/agent/new/folder/data.bin', 'less')).body).toMatchObject({ mode: '0640' });
    expect((await put('/home/agent/new/empty', '')).body).toMatchObject({ size_bytes: 0, mode: '0644' });
    expect(await (await get('/home/agent/new/empty')).text()).toBe('');
    const to = '/home/agent/new/moved';
    expect(
      (await ask(`${base}/move?path=/home/agent/new/empty&to=${to}`, { method: 'POST' })).body,
    ).toMatchObject({ path: to });
    const folder = await ask(`${base}/folder?path=/home/agent/new/a/b`, { method: 'POST' });
    expect(folder.body).toMatchObject({ type: 'directory' });
    expect((await list('/home/agent/new&depth=all')).data.map((entry) => entry.path)).toEqual(
      ['a', 'a/b', 'folder', 'folder/data.bin', 'moved'].map((name) => `/home/agent/new/${name}`),
    );
    expect((await ask(`${base}?path=/home/agent/new`, { method: 'DELETE' })).status).toBe(409);
    expect((await ask(`${base}?path=/home/agent/new&recursive=true`, { method: 'DELETE' })).status).toBe(200);
    expect((await ask(`${base}/stat?path=/home/agent/new`)).status).toBe(404);
  }, 180_000);

  test('names may be any bytes, and a tree comes in pages', async () => {
    const names = [
      'two%0Alines',
      '%22quotes%22%20%27%24%28id%29',
      'not%FFutf8',
      'x'.repeat(255),
      '%E2%82%AC',
      '%25',
    ];
    for (const name of names) await put(`/home/agent/odd/${name}`, name);
    await put('/home/agent/odd/deep/er/file', 'deep');
    const seen: string[] = [];
    let page: string | null = '';
    while (page !== null) {
      const { data, next } = await list(
        `/home/agent/odd&depth=all&limit=2${page === '' ? '' : `&page=${page}`}`,
      );
      seen.push(...data.map((entry) => entry.encoded_path));
      page = next;
      // What is after the place is unharmed by what goes before it.
      if (seen.length === 2) await bash('rm -f odd/%');
    }
    const expected = [...names, 'deep', 'deep/er', 'deep/er/file'].map((name) => `/home/agent/odd/${name}`);
    expect(new Set(seen)).toEqual(new Set(expected));
    for (const name of names.slice(0, -1)) {
      expect(await (await get(`/home/agent/odd/${name}`)).text()).toBe(name);
    }
    expect(
      (await list('/home/agent/odd')).data.find((entry) => entry.encoded_path.includes('%FF'))?.path,
    ).toBe('/home/agent/odd/not\uFFFDutf8');
  }, 180_000);

  test('what is no file is refused and never waited for; links lead nowhere outside', async () => {
    const secret = path.join(dir, 'secret');
    fs.writeFileSync(secret, 'of the host');
    await bash(
      `mkfifo fifo; ln -s ${secret} out; ln -s /proc/self/environ env; ln -s loop loop; mkdir -m 000 shut; ln -s /dev/zero zero`,
    );
    const statuses: Record<string, number> = {};
    for (const name of ['fifo', 'out', 'loop', 'zero', 'shut', 'shut/in', '.', 'missing', 'fifo/under']) {
      statuses[name] = (await get(`/home/agent/${name}`)).status;
    }
    expect(statuses).toEqual({
      fifo: 400,
      out: 404,
      loop: 404,
      zero: 400,
      shut: 400,
      'shut/in': 400,
      '.': 400,
      missing: 404,
      'fifo/under': 404,
    });
    for (const name of ['fifo', 'shut/in', '../../usr/x', '../../proc/x']) {
      expect([name, (await put(`/home/agent/${name}`, 'x')).status]).toEqual([name, expect.any(Number)]);
    }
    expect((await put('/home/agent/fifo', 'x')).status).toBe(400);
    // A link that leads nowhere inside is itself replaced: nothing is written where it points to outside.
    await put('/home/agent/out', 'inside');
    expect(fs.readFileSync(secret, 'utf8')).toBe('of the host');
    for (const query of ['', '?path=relative', '?path=%00', '?path=/x&depth=0', '?path=/x&limit=no']) {
      expect([query, (await ask(`${base}${query}`)).status]).toEqual([query, 400]);
    }
    expect((await put('/home/agent/x', 'x', '&mode=rwx')).status).toBe(400);
    expect((await ask(`${base.replace(id, 'sbx_none')}?path=/`)).status).toBe(404);
    expect((await list('/home/agent')).data.find(({ path: at }) => at.endsWith('/env'))).toMatchObject({
      type: 'symlink',
      target: '/proc/self/environ',
    });
  }, 180_000);

  test('files come and go while an action runs, and an upload cut short changes nothing', async () => {
    await put('/home/agent/kept', 'before');
    const running = bash('until test -e go; do sleep 0.01; done; cat go');
    const url = new URL(`${base}/content?path=/home/agent/kept`);
    const cut = http.request(url, { method: 'PUT', headers: { 'anthropic-version': '2023-06-01' } });
    cut.on('error', () => undefined);
    cut.write(randomBytes(300_000));
    const drafts = async (): Promise<number> =>
      (await list('/home/agent')).data.filter((entry) => entry.path.endsWith('.upload~')).length;
    await until(async () => (await drafts()) === 1);
    cut.destroy();
    await until(async () => (await drafts()) === 0);
    expect(await (await get('/home/agent/kept')).text()).toBe('before');
    await put('/home/agent/go', 'went');
    expect(await running).toBe('went');
  }, 180_000);

  test('an upload outlives a daemon that is killed right after it', async () => {
    await put('/home/agent/lasting', 'as it was');
    const { process: daemon } = newestInstance(path.join(dir, id)) ?? { process: { pid: 0 } };
    process.kill(daemon.pid, 'SIGKILL');
    expect(await (await get('/home/agent/lasting')).text()).toBe('as it was');
    expect(await bash('cat lasting')).toContain('as it was');
  }, 180_000);
});

test('a file of a time that no date can be has the last that can', () => {
  const entry = {
    kind: 'file',
    path: '/a' as BytePath,
    size: 0,
    mode: 0o644,
    mtimeMs: 9e15,
    target: null,
    stamp: '',
  } as const;
  expect(viewEntry(entry)).toMatchObject({ modified_at: '+275760-09-13T00:00:00.000Z' });
});
