import type { ModelProvider } from '../../../../messages/index.ts';
import { openaiKind } from '../../../../messages/providers/openai/openai-kind.ts';
import { chatRequest, useUpstream } from './support.ts';

const upstream = useUpstream();
const CONTEXT = { name: 'local', folder: '/' };

function open(entry: object): ReturnType<typeof openaiKind.open> {
  return openaiKind.open({ type: 'openai-compatible', ...entry }, CONTEXT);
}

function provider(entry: object): ModelProvider {
  const opened = open({ base_url: `${upstream.at.baseURL}/`, ...entry });
  if ('issues' in opened) throw new Error(JSON.stringify(opened.issues));
  return opened.provider;
}

it('an entry’s fields are the provider’s options', async () => {
  const local = provider({
    api_key: 'sk-1',
    headers: { 'x-team': 'blue' },
    timeout_ms: 5000,
    max_tokens_field: 'max_completion_tokens',
    system_role: 'developer',
    reasoning: 'always',
    stream_usage: false,
    extra_body: { seed: 7 },
  });
  expect(local.name).toBe('openai-compatible');
  const events = local.stream(chatRequest({ system: 'Be kind.' }), { signal: new AbortController().signal });
  for await (const _event of events);
  const [seen] = upstream.at.seen;
  expect(seen).toMatchObject({
    url: '/v1/chat/completions',
    headers: { authorization: 'Bearer sk-1', 'x-team': 'blue' },
    body: { max_completion_tokens: 4096, seed: 7, messages: [{ role: 'developer' }, { role: 'user' }] },
  });
  expect(seen?.body).not.toHaveProperty('stream_options');
});

it.each([
  [{}, 'base_url'],
  [{ base_url: 'localhost:8080' }, 'base_url'],
  [{ base_url: 'file:///etc/passwd' }, 'base_url'],
  [{ base_url: 'http://a/v1', timeout_ms: 0 }, 'timeout_ms'],
  [{ base_url: 'http://a/v1', timeout_ms: 300_001 }, 'timeout_ms'],
  [{ base_url: 'http://a/v1', api_key: '' }, 'api_key'],
  [{ base_url: 'http://a/v1', system_role: 'assistant' }, 'system_role'],
  [{ base_url: 'http://a/v1', extra_body: [] }, 'extra_body'],
])('an entry that is wrong is told where: %j', (entry, field) => {
  expect(open(entry)).toMatchObject({ issues: [{ path: [field] }] });
});

it('keys may come from variables', () => {
  expect(openaiKind.secrets).toEqual(['api_key', 'headers']);
});
