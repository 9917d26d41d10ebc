import { json } from '../../../support/openai-upstream.ts';
import { Asking, useUpstream } from './support.ts';

const upstream = useUpstream();
const ask = new Asking(upstream);
const options = { signal: new AbortController().signal };

it('lists the upstream’s models with what it tells of them', async () => {
  const { models } = ask.provider();
  expect(await models?.list(options)).toEqual([
    { id: 'local-model', created_at: new Date(1_790_000_000_000).toISOString() },
  ]);
  upstream.at.models = json(200, {
    object: 'list',
    data: [
      { id: 'Qwen/Qwen2.5-VL', object: 'model', created: 0, owned_by: 'vllm', max_model_len: 32_768 },
      { id: 'other' },
    ],
  });
  expect(await models?.list(options)).toEqual([
    { id: 'Qwen/Qwen2.5-VL', max_input_tokens: 32_768 },
    { id: 'other' },
  ]);
  expect(await models?.retrieve('Qwen/Qwen2.5-VL', options)).toMatchObject({ id: 'Qwen/Qwen2.5-VL' });
  expect(await models?.retrieve('none', options)).toBeUndefined();
  expect(upstream.at.seen.every(({ url }) => url === '/v1/models')).toBe(true);
});

it.each([
  [500, { error: { message: 'no' } }, 'Connection error.'],
  [200, { object: 'list', data: [{ name: 'no id' }] }, 'the upstream lists a model without an id'],
])('rejects where it cannot: status %d, %j', async (status, body, text) => {
  upstream.at.models = json(status, body);
  await expect(ask.provider().models?.list(options)).rejects.toThrow(text);
});
