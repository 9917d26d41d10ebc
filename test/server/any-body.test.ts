import { assertAsyncProperty, fc } from '../support/fast-check.ts';
import { createDefaultProviders } from '../../messages/index.ts';
import { COMPUTER_USE } from '../messages/support.ts';
import { startServer, stopServers } from './harness.ts';
import { madeForAll } from '../support/opened.ts';

/** Whatever is sent, the server answers it, in the API's shape and never with a fault of its own. */

const server = madeForAll(() => startServer({ providers: createDefaultProviders({}) }));
afterAll(stopServers);

const PATHS = [
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/messages/batches',
  '/v1/sessions',
  '/v1/agents',
];
const FIELDS = [
  'model',
  'max_tokens',
  'messages',
  'tools',
  'system',
  'thinking',
  'stream',
  'requests',
  '__proto__',
];
const TAGS = [
  'text',
  'tool_use',
  'tool_result',
  'image',
  'base64',
  'custom',
  'bash_20241022',
  'mcp_toolset',
  'user',
];

const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom<unknown>(...TAGS, -1, 1e308, '', [], {}));
const block = fc.dictionary(
  fc.constantFrom(
    'type',
    'text',
    'id',
    'name',
    'input',
    'content',
    'source',
    'data',
    'tool_use_id',
    'cache_control',
  ),
  odd,
);
const message = fc.record(
  {
    role: fc.constantFrom<unknown>('user', 'assistant', 'system', 5),
    content: fc.oneof(odd, fc.array(fc.oneof(block, odd), { maxLength: 3 })),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  odd,
  fc.dictionary(
    fc.constantFrom(...FIELDS),
    fc.oneof(odd, fc.array(fc.oneof(block, message), { maxLength: 3 })),
  ),
  fc.record({
    model: fc.constant('script'),
    max_tokens: fc.constant(64),
    messages: fc.array(message, { minLength: 1, maxLength: 3 }),
  }),
);

async function post(path: string, sent: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2026-10-21',
      'anthropic-beta': COMPUTER_USE,
    },
    body: sent,
  });
}

/** Null for a right answer, else what is wrong with it. */
async function faultOf(path: string, sent: string | Uint8Array<ArrayBuffer>): Promise<string | null> {
  const answer = await post(path, sent);
  const text = await answer.text();
  if (answer.status >= 500) return `${answer.status} ${text}`;
  if (answer.status < 400) return null;
  const { type, request_id: id } = JSON.parse(text) as Record<string, unknown>;
  return type === 'error' && id === answer.headers.get('request-id') ? null : text;
}

it('any JSON', async () => {
  await assertAsyncProperty(300, fc.constantFrom(...PATHS), body, async (path, sent) => {
    expect(await faultOf(path, JSON.stringify(sent))).toBeNull();
  });
});

it('any bytes', async () => {
  await assertAsyncProperty(
    150,
    fc.constantFrom(...PATHS),
    fc.uint8Array({ maxLength: 64 }),
    async (path, sent) => {
      expect(await faultOf(path, new Uint8Array(sent))).toBeNull();
    },
  );
});

it('and answers as before afterwards', async () => {
  const request = { model: 'script', max_tokens: 64, messages: [{ role: 'user', content: '- say: hello' }] };
  expect((await post('/v1/messages', JSON.stringify(request))).status).toBe(200);
});
