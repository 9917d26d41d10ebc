import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Recording } from '../../messages/index.ts';
import { Product } from '../support/product.ts';
import { unzipped } from '../support/unzipped.ts';
import { events, type Events, idle, resultTexts, say } from './support.ts';

/** A recorded session as a test of everything below the model: the same replies, on a sandbox of its own. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'recordings-'));
const PROVIDERS = `
providers:
  recordings: {type: replay, folder: recordings}
models:
  - {model: "replay:*", provider: recordings}
  - {model: noted, provider: script, record: recordings/noted.jsonl}
`;
const file = (name: string): string => path.join(folder, name);
const product = new Product({ PROVIDERS: file('providers.yaml') });

beforeAll(async () => {
  mkdirSync(file('recordings'));
  writeFileSync(file('providers.yaml'), PROVIDERS.replace('models:', '  script: {type: script}\nmodels:'));
  await product.start();
}, 360_000);
afterAll(async () => {
  await product.dispose();
  rmSync(folder, { recursive: true, force: true });
}, 360_000);

const SCRIPT = `
- bash: echo hello > note.txt; cat note.txt
- edit: {command: str_replace, path: /home/agent/note.txt, old_str: hello, new_str: good morning}
- together:
    - bash: wc -w < note.txt
    - computer: {action: screenshot}
- say: The note is written.
`;

/** Runs the script as a session of this model; answers its id, log and how it ended. */
async function run(model: string): Promise<{ id: string; log: Events; end: string }> {
  const { client } = product;
  const tools = [
    { type: 'computer_20241022', name: 'computer', display_width_px: 1024, display_height_px: 768 },
    { type: 'text_editor_20241022', name: 'str_replace_editor' },
    { type: 'bash_20241022', name: 'bash' },
  ];
  const agent = await client.beta.agents.create({ name: model, model, tools: tools as never });
  const environment = await client.beta.environments.create({ name: agent.id });
  const { id } = await client.beta.sessions.create({ agent: agent.id, environment_id: environment.id });
  await say(client, id, SCRIPT);
  const end = await idle(product, id);
  return { id, log: await events(client, id), end };
}

const uses = (log: Events): unknown[] =>
  log.flatMap((event) => (event.type === 'agent.tool_use' ? [[event.name, event.input]] : []));
const words = (log: Events): unknown[] =>
  log.flatMap((event) => (event.type === 'agent.message' ? event.content : []));

const recordingOf = async (session: string): Promise<Recording> =>
  (await (await fetch(`${product.url}/v1/sessions/${session}/recording`)).json()) as Recording;

const save = (name: string, recording: Recording): void =>
  writeFileSync(file(`recordings/${name}.json`), JSON.stringify(recording, null, 2));

test('a session is recorded, and its recording does the same things on another sandbox', async () => {
  const first = await run('script');
  expect(first.end).toBe('end_turn');
  const recording = await recordingOf(first.id);
  expect(recording).toMatchObject({ type: 'recording', source: { session_id: first.id, model: 'script' } });
  expect(recording.turns).toHaveLength(4);
  // What is new since the turn before, and a picture as its hash.
  expect(recording.turns.map(({ messages }) => messages.length)).toEqual([1, 1, 1, 1]);
  expect(recording.turns[3]?.messages[0]?.content[1]).toMatchObject({
    type: 'tool_result',
    content: [{ type: 'image', source: { type: 'sha256', media_type: 'image/png' } }],
  });
  save('demo', recording);

  // By its file, and by the session itself, both at once.
  for (const again of await Promise.all([run('replay:demo'), run(`replay:${first.id}`)])) {
    expect(again.end).toBe('end_turn');
    expect(uses(again.log)).toEqual(uses(first.log));
    expect(words(again.log)).toEqual(words(first.log));
    expect(resultTexts(again.log)).toEqual(resultTexts(first.log));
    expect(again.id).not.toBe(first.id);
  }
}, 360_000);

test('a session that meets another result than the recorded one ends with what differs', async () => {
  const first = await run('script');
  const text = JSON.stringify(await recordingOf(first.id)).replace('"text":"hello"', '"text":"hullo"');
  save('changed', JSON.parse(text) as Recording);
  const { log, end } = await run('replay:changed');
  expect(end).toBe('retries_exhausted');
  expect(uses(log)).toEqual(uses(first.log).slice(0, 1));
  expect(log.findLast((event) => event.type === 'session.error')).toMatchObject({
    error: {
      type: 'model_request_failed_error',
      message:
        "this request differs from what the recording 'replay:changed' has for reply 2 (match: text):\n" +
        '  messages.2.content.0.content.0.text: recorded "hullo", sent "hello"',
      retry_status: { type: 'exhausted' },
    },
  });
}, 360_000);

test('what a route records answers for a session too', async () => {
  const first = await run('noted');
  expect(first.end).toBe('end_turn');
  const again = await run('replay:noted');
  expect(again.end).toBe('end_turn');
  expect(uses(again.log)).toEqual(uses(first.log));
}, 360_000);

test('a recording that is not there is told by the model’s name', async () => {
  const { log, end } = await run('replay:nothing');
  expect(end).toBe('retries_exhausted');
  expect(log.findLast((event) => event.type === 'session.error')).toMatchObject({
    error: { message: 'model: replay:nothing (no recording has this name)' },
  });
  expect((await fetch(`${product.url}/v1/sessions/sesn_nothing/recording`)).status).toBe(404);
}, 360_000);

test('a session is exported as a test that runs it again, and fails where it goes otherwise', async () => {
  const { client } = product;
  const tools = [{ type: 'bash_20250124', name: 'bash', permission_policy: { type: 'always_ask' } }];
  const agent = await client.beta.agents.create({ name: 'asking', model: 'script', tools } as never);
  const environment = await client.beta.environments.create({ name: agent.id });
  const { id } = await client.beta.sessions.create({ agent: agent.id, environment_id: environment.id });
  const answer = async (more: object): Promise<void> => {
    expect(await idle(product, id)).toBe('requires_action');
    const use = (await events(client, id)).findLast(({ type }) => type === 'agent.tool_use')?.id ?? '';
    const given = { type: 'user.tool_confirmation', tool_use_id: use, ...more };
    await client.beta.sessions.events.send(id, { events: [given as never] });
  };
  const download = (): Promise<Response> => fetch(`${product.url}/v1/sessions/${id}/replay_test`);
  await say(client, id, '- bash: echo hello > note; cat note\n- say: The note is written.');
  expect((await download()).status).toBe(409);
  await answer({ result: 'allow' });
  expect(await idle(product, id)).toBe('end_turn');
  await say(client, id, '- {bash: rm note, or_continue: true}\n- say: It stays.');
  await answer({ result: 'deny', deny_message: 'Keep it.' });
  expect(await idle(product, id)).toBe('end_turn');

  const exported = await download();
  expect(exported.headers.get('content-type')).toBe('application/zip');
  const files = unzipped(Buffer.from(await exported.arrayBuffer()));
  expect([...files.keys()]).toEqual(
    ['replay.test.mjs', 'session.json', 'providers.yaml', `recordings/test-of-${id}.json`].map(
      (name) => `${id}/${name}`,
    ),
  );
  // Only the recording is left of it.
  await client.beta.sessions.delete(id);
  mkdirSync(file(`${id}/recordings`), { recursive: true });
  for (const [name, bytes] of files) writeFileSync(file(name), bytes);
  expect(readFileSync(file(`${id}/providers.yaml`), 'utf8')).toContain('folder: recordings');
  const replay = async (
    change: (recording: string) => string,
  ): Promise<{ code: number | null; said: string }> => {
    const recording = String(files.get(`${id}/recordings/test-of-${id}.json`));
    writeFileSync(file(`recordings/test-of-${id}.json`), change(recording));
    const child = spawn(process.execPath, ['--test', file(`${id}/replay.test.mjs`)], {
      env: { PATH: process.env['PATH'], STEADYHAND_URL: product.url },
    });
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
    const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
    return { code: await closed, said };
  };
  const same = await replay((recording) => recording);
  expect(same).toMatchObject({ code: 0, said: expect.stringMatching(/pass 1\n/) as string });
  const other = await replay((recording) => recording.replace('"text": "hello"', '"text": "hullo"'));
  expect(other).toMatchObject({
    code: 1,
    said: expect.stringContaining('recorded "hullo", sent "hello"') as string,
  });
}, 360_000);
