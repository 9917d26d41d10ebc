import {
  countMessageTokens,
  createProviderRegistry,
  type MessageParam,
  type ModelRequest,
} from '../../messages/index.ts';
import { createScriptProvider } from '../../messages/providers/script/script-provider.ts';
import { createOpenAiProvider } from '../../messages/providers/openai/openai-provider.ts';
import { modelRequest, userSays } from './support.ts';
import { fromUser } from '../support/blocks.ts';

const { signal } = new AbortController();
// Counting asks no upstream that cannot count: nobody listens there.
const providers = createProviderRegistry([
  { model: 'chat', provider: createOpenAiProvider({ baseURL: 'http://127.0.0.1:9/v1' }) },
  { model: 'script', provider: createScriptProvider() },
]);

function looks(count: number): ModelRequest {
  const look = (n: number): MessageParam[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${n}`, name: 'look', input: {} }] },
    fromUser([{ type: 'tool_result', tool_use_id: `toolu_${n}`, content: 'A long story. '.repeat(200) }]),
  ];
  return modelRequest({
    model: 'chat',
    tools: [{ name: 'look', description: 'looks', input_schema: { type: 'object' } }],
    messages: [userSays('go'), ...Array.from({ length: count }, (_, n) => look(n)).flat()],
    betas: [],
  });
}

it('tells what edits of the context take away', async () => {
  const request = looks(6);
  const { input_tokens: original } = await countMessageTokens(request, { providers, signal });
  const edited = await countMessageTokens(
    {
      ...request,
      context_management: {
        edits: [
          {
            type: 'clear_tool_uses_20250919',
            trigger: { type: 'tool_uses', value: 2 },
            keep: { type: 'tool_uses', value: 1 },
          },
        ],
      },
    },
    { providers, signal },
  );
  expect(edited.context_management).toEqual({ original_input_tokens: original });
  expect(edited.input_tokens).toBeLessThan(original / 3);
});

it('tells of no edits where none are asked for', async () => {
  const { context_management: edits } = await countMessageTokens(looks(1), { providers, signal });
  expect(edits).toBeNull();
});

it('counts for an upstream without a count as for a model of its own', async () => {
  const request = modelRequest({});
  const [script, chat] = await Promise.all(
    ['script', 'chat'].map((model) => countMessageTokens({ ...request, model }, { providers, signal })),
  );
  expect(chat).toEqual(script);
});

it('knows no count of a model that nobody has', async () => {
  await expect(
    countMessageTokens(modelRequest({ model: 'nobody' }), { providers, signal }),
  ).rejects.toMatchObject({
    type: 'not_found_error',
  });
});
