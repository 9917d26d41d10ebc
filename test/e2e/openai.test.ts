import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Anthropic, APIError } from '@anthropic-ai/sdk';
import { chat, failure, startOpenAiUpstream, type OpenAiUpstream } from '../support/openai-upstream.ts';
import { Product } from '../support/product.ts';
import { events, idle, resultTexts, say } from './support.ts';
import { fromUser } from '../support/blocks.ts';

/** A model behind chat completions, as the clients and sessions of the Messages API meet it. */

type Beta = Anthropic.Beta.BetaMessageParam;
type Wire = { role: string; content: unknown; tool_calls?: { id: string }[]; tool_call_id?: string };

const folder = mkdtempSync(path.join(os.tmpdir(), 'openai-'));
const KEY = 'sk-key-of-the-upstream';
let upstream: OpenAiUpstream;
let product: Product;

beforeAll(async () => {
  upstream = await startOpenAiUpstream();
  const file = path.join(folder, 'providers.yaml');
  writeFileSync(
    file,
    [
      'providers:',
      `  local: {type: openai-compatible, base_url: "${upstream.baseURL}", api_key: "\${LOCAL_KEY}"}`,
      'models:',
      '  - {model: local-model, provider: local, upstream_model: qwen-vl}',
    ].join('\n'),
  );
  product = new Product({ PROVIDERS: file, LOCAL_KEY: KEY });
  await product.start();
}, 360_000);
beforeEach(() => upstream.reset());
afterAll(async () => {
  await product.dispose();
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
}, 360_000);

const TOOLS: Anthropic.Beta.BetaToolUnion[] = [
  { type: 'computer_20241022', name: 'computer', display_width_px: 1024, display_height_px: 768 },
  { type: 'text_editor_20241022', name: 'str_replace_editor' },
  { type: 'bash_20241022', name: 'bash' },
];

const call = (id: string, name: string, input: object): { id: string; name: string; arguments: object } => ({
  id,
  name,
  arguments: input,
});

/** What the upstream was shown in its request of this index. */
const shown = (index: number): Wire[] => upstream.seen[index]?.body['messages'] as Wire[];

async function post(place: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(product.url + place, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, unknown>;
}

/** The loop that the first computer-use clients ran: ask, run what is asked for, answer, until nothing is asked for. */
async function loop(task: string): Promise<Beta[]> {
  const { client } = product;
  const sandbox = await post('/v1/sandboxes', { display: { width: 1024, height: 768 } });
  const messages: Beta[] = [{ role: 'user', content: [{ type: 'text', text: task }] }];
  for (;;) {
    const reply = await client.beta.messages.create({
      model: 'local-model',
      max_tokens: 4096,
      system: [{ type: 'text', text: 'You use a desktop.' }],
      messages,
      tools: TOOLS,
      betas: ['computer-use-2024-10-22'],
    });
    messages.push({ role: 'assistant', content: reply.content as Anthropic.Beta.BetaContentBlockParam[] });
    const uses = reply.content.filter((block) => block.type === 'tool_use');
    if (uses.length === 0) return messages;
    const results = await post(`/v1/sandboxes/${String(sandbox['id'])}/tool_results`, {
      tools: TOOLS,
      content: uses,
    });
    messages.push({ role: 'user', content: results['content'] as Anthropic.Beta.BetaContentBlockParam[] });
  }
}

test('a loop written for 20241022 drives a sandbox', async () => {
  upstream.queue.push(
    chat({
      content: 'I write it down.',
      calls: [call('call_1', 'bash', { command: 'echo hello > note.txt; cat note.txt' })],
    }),
    chat({
      calls: [
        call('call_2', 'computer', { action: 'mouse_move', coordinate: [200, 100] }),
        call('call_3', 'computer', { action: 'cursor_position' }),
        call('call_4', 'str_replace_editor', { command: 'view', path: '/home/agent/note.txt' }),
      ],
    }),
    chat({ calls: [{ id: 'call_5', name: 'bash', arguments: '{"command": "rm -rf' }] }),
    chat('Done.'),
  );
  const messages = await loop('Write a note.');
  expect(messages).toHaveLength(8);
  expect(upstream.seen[0]?.headers['authorization']).toBe(`Bearer ${KEY}`);
  expect(upstream.seen[0]?.body).toMatchObject({
    model: 'qwen-vl',
    tools: [
      { function: { name: 'computer' } },
      { function: { name: 'str_replace_editor' } },
      { function: { name: 'bash' } },
    ],
  });
  expect(shown(0)[0]?.content).toMatch(/^You have access to a set of functions[^]*You use a desktop\.$/);
  expect(shown(1).at(-1)).toEqual({ role: 'tool', tool_call_id: 'call_1', content: 'hello' });
  const [moved, position, viewed, pictures] = shown(2).slice(-4);
  expect(moved).toMatchObject({
    tool_call_id: 'call_2',
    content: expect.stringContaining('1 picture') as string,
  });
  expect(position).toMatchObject({ tool_call_id: 'call_3', content: 'X=200,Y=100' });
  expect(viewed?.content).toContain('hello');
  expect(pictures).toMatchObject(
    fromUser([
      { type: 'text', text: 'From the result of the tool call call_2:' },
      { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) as string } },
    ]),
  );
  // Arguments that broke off were not run, and the model is told.
  expect(shown(3).at(-1)).toMatchObject({
    role: 'tool',
    tool_call_id: 'call_5',
    content: expect.stringMatching(/^Error:/) as string,
  });
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] });
}, 360_000);

test('a session goes on with it until it has nothing more to do, also when it says nothing', async () => {
  const { client } = product;
  const agent = await client.beta.agents.create({
    name: 'local-model',
    model: 'local-model',
    tools: TOOLS as never,
  });
  const environment = await client.beta.environments.create({ name: agent.id });
  const { id } = await client.beta.sessions.create({ agent: agent.id, environment_id: environment.id });
  // Some servers number their calls anew in every reply.
  upstream.queue.push(
    chat({ calls: [call('call_0', 'bash', { command: 'echo one' })] }),
    chat({ calls: [call('call_0', 'bash', { command: 'echo two' })] }),
    chat({ content: '\n', finish_reason: 'stop' }),
  );
  await say(client, id, 'Say one and two.');
  expect(await idle(product, id)).toBe('end_turn');
  expect(resultTexts(await events(client, id))).toEqual(['one', 'two']);
  expect(upstream.seen).toHaveLength(3);
  const { usage } = await client.beta.sessions.retrieve(id);
  expect(usage).toMatchObject({ input_tokens: 90, output_tokens: 36 });
  upstream.queue.push(chat('Yes?'));
  await say(client, id, 'Are you there?');
  expect(await idle(product, id)).toBe('end_turn');
  expect(shown(3).at(-1)).toEqual({ role: 'user', content: 'Are you there?' });
}, 360_000);

test('a stream of it is a stream of the API', async () => {
  upstream.queue.push(
    chat({ content: 'Looking.', calls: [call('call_1', 'computer', { action: 'screenshot' })] }),
  );
  const stream = product.client.beta.messages.stream({
    model: 'local-model',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Look.' }],
    tools: TOOLS,
    betas: ['computer-use-2024-10-22'],
  });
  let words = '';
  stream.on('text', (piece) => {
    words += piece;
  });
  const message = await stream.finalMessage();
  expect(words).toBe('Looking.');
  expect(message).toMatchObject({
    model: 'local-model',
    content: [{ type: 'text' }, { type: 'tool_use', id: 'call_1', input: { action: 'screenshot' } }],
    stop_reason: 'tool_use',
    usage: { input_tokens: 30, output_tokens: 12 },
  });
}, 360_000);

test('a key that the upstream refuses is not the client’s', async () => {
  upstream.answer = failure(401, { message: `Incorrect API key provided: ${KEY}`, code: 'invalid_api_key' });
  const asked = product.client.messages.create({
    model: 'local-model',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hello.' }],
  });
  const error = (await asked.catch((thrown: unknown) => thrown)) as APIError;
  expect(error).toMatchObject({ status: 500, type: 'api_error' });
  expect(error.headers?.get('x-should-retry')).toBe('false');
  expect(error.message).toContain('the key of this request is not in question');
  expect(error.message + product.stderr).not.toContain(KEY);
  const models = await product.client.models.list();
  expect(models.data.map(({ id }) => id)).toContain('local-model');
}, 360_000);
