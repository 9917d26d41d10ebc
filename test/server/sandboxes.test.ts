import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import { sandboxService } from '../../app/sandbox-service.ts';
import { createSandboxes } from '../../sandbox/client/hosted-sandboxes.ts';
import type { Sandboxes } from '../../sandbox/client/sandboxes.ts';
import { type Bundles, builtSandbox } from '../sandbox/helpers/bundles.ts';
import { type Answer, ask, type Running, startServer, stopServers } from './harness.ts';
import { toolUse } from '../support/blocks.ts';
import { posted } from '../support/posted.ts';

/** Direct use of a sandbox over HTTP, on a real one. */

const missing = ['Xvfb', 'openbox', 'bwrap'].filter((program) => !fs.existsSync(`/usr/bin/${program}`));
const describeOnDesktop = missing.length === 0 ? describe : describe.skip;

const TOOLS = [
  { type: 'bash_20241022', name: 'bash' },
  { type: 'computer_20241022', name: 'computer', display_width_px: 640, display_height_px: 480 },
];

function bash(id: string, command: string): object {
  return { type: 'tool_use', id, name: 'bash', input: { command } };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describeOnDesktop('/v1/sandboxes (needs Xvfb, openbox and bubblewrap)', () => {
  let bundles: Bundles;
  let dir: string;
  let sandboxes: Sandboxes;
  let url: string;
  let logged: Running['logged'];

  beforeAll(async () => {
    bundles = builtSandbox();
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'server-sandboxes-'));
    const logger = pino({ level: 'silent' });
    const { daemonEntry, guestEntry } = bundles;
    sandboxes = createSandboxes({ dir, daemonEntry, guestEntry, isolation: 'auto', logger });
    ({ url, logged } = await startServer({ sandboxes: sandboxService(sandboxes) }));
  }, 180_000);
  afterAll(async () => {
    await stopServers();
    for (const { id } of await sandboxes.list()) await sandboxes.delete(id);
    sandboxes.close();
    fs.rmSync(dir, { recursive: true, force: true });
  }, 180_000);

  const post = (pathname: string, body: unknown): Promise<Answer> => ask(`${url}${pathname}`, posted(body));

  async function create(): Promise<string> {
    const { body } = await post('/v1/sandboxes', { display: { width: 640, height: 480 } });
    expect(body).toMatchObject({ status: 'running' });
    return String(body['id']);
  }

  const content = (answer: Answer): unknown => answer.body['content'];

  test('a sandbox is made, found, seen and deleted', async () => {
    const id = await create();
    expect((await ask(`${url}/v1/sandboxes/${id}`)).body).toMatchObject({
      id,
      type: 'sandbox',
      status: 'running',
      display: { width: 640, height: 480 },
      compat: 'default',
    });
    expect((await ask(`${url}/v1/sandboxes`)).body).toMatchObject({ data: [{ id }] });
    const response = await fetch(`${url}/v1/sandboxes/${id}/screenshot`);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect([width, height]).toEqual([640, 480]);

    const deleted = await ask(`${url}/v1/sandboxes/${id}`, { method: 'DELETE' });
    expect(deleted.body).toEqual({ id, type: 'sandbox_deleted' });
    for (const method of ['GET', 'DELETE']) {
      expect((await ask(`${url}/v1/sandboxes/${id}`, { method })).status).toBe(404);
    }
    expect(fs.readdirSync(dir).filter((name) => name.includes(id))).toEqual([]);
  }, 180_000);

  test('it tells what it can be told to do, and each is done as it says', async () => {
    const id = await create();
    const { body } = await ask(`${url}/v1/sandboxes/${id}/tools`);
    expect(body).toMatchObject({ coordinates: { width: 640, height: 480 } });
    const actions = body['data'] as readonly {
      readonly action: string;
      readonly tool: { readonly type: string };
      readonly name: string;
      readonly toolset_name?: string;
      readonly input_schema: { readonly required: readonly string[] };
    }[];
    const use = async (action: string, input: object): Promise<unknown> => {
      const found = actions.find((each) => each.action === action);
      if (found === undefined) throw new Error(`there is no ${action}`);
      const { tool, name, toolset_name } = found;
      const toolset = toolset_name === undefined ? {} : { toolset_name };
      const answer = await post(`/v1/sandboxes/${id}/tool_results`, {
        tools: [tool],
        content: [{ type: 'tool_use', id: `by-hand-${action}`, name, ...toolset, input }],
      });
      return (content(answer) as { is_error: boolean }[])[0]?.is_error;
    };
    expect(await use('run', { command: 'pwd' })).toBe(false);
    expect(await use('create', { command: 'create', path: '/home/agent/a.txt', file_text: 'a' })).toBe(false);
    expect(
      await use('insert', { command: 'insert', path: '/home/agent/a.txt', insert_line: 0, insert_text: 'b' }),
    ).toBe(false);
    expect(await use('view', { command: 'view', path: '/home/agent/a.txt' })).toBe(false);
    expect(
      await use('str_replace', { command: 'str_replace', path: '/home/agent/a.txt', old_str: 'b' }),
    ).toBe(false);
    expect(await use('restart', { restart: true })).toBe(false);
    expect(await use('mouse_move', { coordinate: [10, 10] })).toBe(false);
    await ask(`${url}/v1/sandboxes/${id}`, { method: 'DELETE' });
  }, 180_000);

  test('a retry under one idempotency key gives the same sandbox, after a restart too', async () => {
    const key = { 'content-type': 'application/json', 'idempotency-key': 'mine' };
    const post = (at: string, body: unknown, headers: Record<string, string> = key): Promise<Answer> =>
      ask(`${at}/v1/sandboxes`, { method: 'POST', headers, body: JSON.stringify(body) });
    const body = { display: { width: 640, height: 480 } };
    const before = (await sandboxes.list()).length;
    const answers = await Promise.all([post(url, body), post(url, { ...body, compat: 'default' })]);
    const [first] = answers;
    expect(answers.map(({ status, body: { id } }) => [status, id])).toEqual([
      [200, first?.body['id']],
      [200, first?.body['id']],
    ]);
    expect(await sandboxes.list()).toHaveLength(before + 1);

    // Another server on the same data.
    const { daemonEntry, guestEntry } = bundles;
    const logger = pino({ level: 'silent' });
    const again = createSandboxes({ dir, daemonEntry, guestEntry, isolation: 'auto', logger });
    await again.adopt();
    const { url: other } = await startServer({ sandboxes: sandboxService(again) });
    expect((await post(other, body)).body['id']).toBe(first?.body['id']);
    const refused = await post(other, { ...body, compat: 'reference' });
    expect([refused.status, refused.body['error']]).toEqual([
      409,
      {
        type: 'conflict_error',
        message: 'The idempotency key was used for another request',
      },
    ]);
    again.close();

    const under = (text: string): Record<string, string> => ({ ...key, 'idempotency-key': text });
    expect((await post(url, body, under('x'.repeat(257)))).status).toBe(400);
    const another = await post(url, body, under('another'));
    expect(another.body['id']).not.toBe(first?.body['id']);
    for (const { body: made } of [first, another].filter((answer) => answer !== undefined))
      await sandboxes.delete(String(made['id']));
    // The key goes with its sandbox.
    expect((await post(url, { ...body, compat: 'reference' })).status).toBe(200);
    await sandboxes.delete(String(first?.body['id']));
  }, 120_000);

  test('the members of the agent toolset are tools by their own names', async () => {
    const id = await create();
    const use = (name: string, input: object): object => toolUse(`toolu_${name}`, name, input);
    const toolset = {
      type: 'agent_toolset_20260401',
      configs: [
        { name: 'grep', enabled: false },
        { name: 'web_fetch', allowed_domains: ['a.example'] },
      ],
    };
    const carriedOut = await post(`/v1/sandboxes/${id}/tool_results`, {
      tools: [toolset],
      content: [
        use('write', { file_path: 'a', content: 'b' }),
        use('read', { file_path: 'a' }),
        use('grep', { pattern: 'b' }),
        use('web_fetch', { url: 'http://b.example/' }),
      ],
    });
    expect(content(carriedOut)).toMatchObject([
      { content: [{ type: 'text', text: 'wrote 1 bytes to a' }], is_error: false },
      { content: [{ type: 'text', text: 'b' }], is_error: false },
      { content: 'Tool grep is invalid', is_error: true },
      { content: expect.stringContaining('b.example is not among the domains') as unknown, is_error: true },
    ]);
    const refused = await post(`/v1/sandboxes/${id}/tool_results`, {
      tools: [{ ...toolset, configs: [{ name: 'web_search', enabled: true }] }],
      content: [],
    });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: {
          message: expect.stringMatching(/^tools\.0\.configs\.0\.enabled: 'web_search' is not/) as unknown,
        },
      },
    });
  }, 180_000);

  test('a reply is carried out in order, and each tool use once however often it is asked for', async () => {
    const id = await create();
    const reply = {
      tools: TOOLS,
      content: [
        { type: 'text', text: 'First I write, then I look.' },
        bash('toolu_1', 'echo once >> log.txt'),
        bash('toolu_2', 'cat log.txt'),
        { type: 'tool_use', id: 'toolu_3', name: 'computer', input: { action: 'screenshot' } },
        { type: 'tool_use', id: 'toolu_4', name: 'browser', input: {} },
        bash('toolu_5', 'exit 3'),
      ],
    };
    const first = await post(`/v1/sandboxes/${id}/tool_results`, reply);
    expect(first.status).toBe(200);
    expect(content(first)).toMatchObject([
      { type: 'tool_result', tool_use_id: 'toolu_1', is_error: false },
      { tool_use_id: 'toolu_2', content: [{ type: 'text', text: 'once' }], is_error: false },
      {
        tool_use_id: 'toolu_3',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png' } }],
      },
      { tool_use_id: 'toolu_4', content: 'Tool browser is invalid', is_error: true },
      { tool_use_id: 'toolu_5' },
    ]);
    const again = await post(`/v1/sandboxes/${id}/tool_results`, {
      ...reply,
      content: reply.content.slice(0, 3),
    });
    expect(content(again)).toEqual((content(first) as unknown[]).slice(0, 2));
    const other = await post(`/v1/sandboxes/${id}/tool_results`, {
      tools: TOOLS,
      content: [bash('toolu_1', 'echo twice >> log.txt')],
    });
    expect(other.status).toBe(409);
    const look = await post(`/v1/sandboxes/${id}/tool_results`, {
      tools: TOOLS,
      content: [bash('toolu_6', 'cat log.txt')],
    });
    expect(content(look)).toMatchObject([{ content: [{ text: 'once' }] }]);
  }, 180_000);

  test('uses of the toolset are carried out by member; after a failed one its others are left undone', async () => {
    const id = await create();
    const member = (key: string, name: string, input: object = {}): object => ({
      type: 'tool_use',
      id: key,
      name,
      toolset_name: 'computer',
      input,
    });
    const answer = await post(`/v1/sandboxes/${id}/tool_results`, {
      tools: [{ type: 'computer_toolset_20260801', configs: { zoom: { enabled: false } } }, TOOLS[0]],
      content: [
        member('toolu_1', 'mouse_move', { coordinate: [12, 34] }),
        member('toolu_2', 'cursor_position'),
        member('toolu_3', 'left_click', { coordinate: [1] }),
        member('toolu_4', 'mouse_move', { coordinate: [1, 1] }),
        bash('toolu_5', 'echo on'),
        member('toolu_6', 'screenshot'),
      ],
    });
    const undone = 'Not executed: an earlier computer action in this turn failed.';
    const toolset_name = 'computer';
    expect(content(answer)).toMatchObject([
      { tool_use_id: 'toolu_1', toolset_name, content: [{ type: 'image' }], is_error: false },
      { toolset_name, content: [{ type: 'text', text: 'X=12, Y=34' }], is_error: false },
      { toolset_name, content: '[1] must be a tuple of length 2', is_error: true },
      { tool_use_id: 'toolu_4', toolset_name, content: undone, is_error: true },
      { tool_use_id: 'toolu_5', content: [{ text: 'on' }] },
      { toolset_name, content: undone, is_error: true },
    ]);
    const next = await post(`/v1/sandboxes/${id}/tool_results`, {
      tools: [{ type: 'computer_toolset_20260801', configs: { zoom: { enabled: false } } }],
      content: [
        member('toolu_7', 'cursor_position'),
        member('toolu_8', 'zoom', { region: [0, 0, 9, 9] }),
        member('toolu_9', 'cursor_position'),
      ],
    });
    expect(content(next)).toMatchObject([
      { content: [{ text: 'X=12, Y=34' }] },
      { content: 'Tool zoom is invalid', is_error: true },
      { content: undone },
    ]);
  }, 180_000);

  test('a client that goes away stops nothing that has begun, and nothing more is begun', async () => {
    const id = await create();
    const gone = new AbortController();
    const cut = fetch(`${url}/v1/sandboxes/${id}/tool_results`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      signal: gone.signal,
      body: JSON.stringify({
        tools: TOOLS,
        content: [
          bash('toolu_1', 'touch begun; until [ -e go ]; do sleep 0.02; done; echo ended'),
          bash('toolu_2', 'touch second'),
        ],
      }),
    });
    // The tool runs one action at a time, so what it waits for is put there from outside.
    const workspace = path.join(dir, id, 'workspace');
    await until(() => fs.existsSync(path.join(workspace, 'begun')));
    gone.abort();
    await expect(cut).rejects.toThrow('abort');
    await until(() => logged.some((line) => line['cut'] === true));
    fs.writeFileSync(path.join(workspace, 'go'), '');
    const again = await post(`/v1/sandboxes/${id}/tool_results`, {
      tools: TOOLS,
      content: [
        bash('toolu_1', 'touch begun; until [ -e go ]; do sleep 0.02; done; echo ended'),
        bash('toolu_3', 'ls'),
      ],
    });
    expect(content(again)).toMatchObject([
      { content: [{ text: 'ended' }] },
      { content: [{ text: 'begun\ngo' }] },
    ]);
  }, 180_000);

  test.each([
    [{ display: { width: 640 } }, 'display.height: Field required'],
    [{ display: { width: 0, height: 480 } }, /^display\.width: /],
    [{ compat: 'other' }, /^compat: Input should be /],
    [{ name: 'x' }, 'name: Extra inputs are not permitted'],
  ])('%j is refused by the name of the field', async (body, message) => {
    const answer = await post('/v1/sandboxes', body);
    expect(answer.status).toBe(400);
    expect((answer.body['error'] as { message: string }).message).toMatch(message);
  });

  test.each([
    [{ content: [] }, 'tools: Field required'],
    [{ tools: TOOLS, content: [{ type: 'tool_use', name: 'bash', input: {} }] }, /^content\.0/],
    [{ tools: [{ name: 'bash' }], content: [] }, 'tools.0.type: Field required'],
    [{ tools: [{ type: 'bash_20241022' }], content: [] }, 'tools.0.name: Field required'],
  ])('results of %j are refused by the name of the field', async (body, message) => {
    const id = (await sandboxes.list())[0]?.id ?? (await create());
    const answer = await post(`/v1/sandboxes/${id}/tool_results`, body);
    expect(answer.status).toBe(400);
    expect((answer.body['error'] as { message: string }).message).toMatch(message);
  });
});
