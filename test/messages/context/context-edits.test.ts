import { assertProperty, fc } from '../../support/fast-check.ts';
import { clearToolUses, CLEARED_RESULT } from '../../../messages/context/clear-tool-uses.ts';
import {
  collectMessage,
  createAnthropicProvider,
  createProviderRegistry,
  parseMessageRequest,
  type ModelProvider,
  type ModelRequest,
} from '../../../messages/index.ts';
import { createScriptProvider } from '../../../messages/providers/script/script-provider.ts';
import { createOpenAiProvider } from '../../../messages/providers/openai/openai-provider.ts';
import { json, message, startUpstream } from '../../support/anthropic-upstream.ts';
import { chat, startOpenAiUpstream } from '../../support/openai-upstream.ts';
import { modelRequest, userSays } from '../support.ts';
import { step } from './support.ts';

const { signal } = new AbortController();
const TYPE = 'clear_tool_uses_20250919';
type Edit = Parameters<typeof clearToolUses>[1];

const LOOK = { name: 'look', description: 'Looks.', input_schema: { type: 'object' as const } };

/** Uses of a tool, each with its result. */
function conversation(count: number, name = 'look'): ModelRequest {
  const steps = Array.from({ length: count }, (_, n) =>
    step(`toolu_${n}`, { at: n }, `result ${n} ${'word '.repeat(50)}`),
  );
  const messages = [userSays('go'), ...steps.flat()];
  const renamed = JSON.parse(
    JSON.stringify(messages).replaceAll('"name":"computer"', `"name":"${name}"`),
  ) as never;
  return modelRequest({
    model: 'm',
    tools: [LOOK, { ...LOOK, name: 'memory' }],
    messages: renamed,
    betas: [],
  });
}

const count = (request: ModelRequest | undefined, part: string): number =>
  JSON.stringify(request?.messages ?? []).split(part).length - 1;

const always = { type: 'tool_uses', value: 0 } as const;

it.each<[string, Partial<Edit>, number]>([
  ['nothing before the trigger of 100,000 tokens', {}, 0],
  ['all but three after it', { trigger: always }, 7],
  ['after so many tool uses', { trigger: { type: 'tool_uses', value: 9 } }, 7],
  ['not at as many tool uses', { trigger: { type: 'tool_uses', value: 10 } }, 0],
  ['after so many tokens', { trigger: { type: 'input_tokens', value: 100 } }, 7],
  ['as many as are not kept', { trigger: always, keep: { type: 'tool_uses', value: 8 } }, 2],
  ['every one', { trigger: always, keep: { type: 'tool_uses', value: 0 } }, 10],
  ['none of excluded tools', { trigger: always, exclude_tools: ['look'] }, 0],
  [
    'nothing that is not worth it',
    { trigger: always, clear_at_least: { type: 'input_tokens', value: 5000 } },
    0,
  ],
  ['what is worth it', { trigger: always, clear_at_least: { type: 'input_tokens', value: 100 } }, 7],
])('clears %s', (_what, change, cleared) => {
  const edited = clearToolUses(conversation(10), { type: TYPE, ...change });
  expect(edited?.cleared.cleared_tool_uses ?? 0).toBe(cleared);
  expect(count(edited?.request, CLEARED_RESULT)).toBe(cleared);
  expect(count(edited?.request, '"input":{}')).toBe(0);
});

it('clears inputs where that is asked for, of all tools or of some', () => {
  const edit: Edit = { type: TYPE, trigger: always, clear_tool_inputs: true };
  expect(count(clearToolUses(conversation(10), edit)?.request, '"input":{}')).toBe(7);
  const some = (names: string[]): ModelRequest | undefined =>
    clearToolUses(conversation(10), { ...edit, clear_tool_inputs: names })?.request;
  expect(count(some(['look']), '"input":{}')).toBe(7);
  expect(count(some(['memory']), '"input":{}')).toBe(0);
});

it('what is left is always a conversation that the API takes, of the same uses', () => {
  assertProperty(
    100,
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 0, max: 12 }),
    fc.boolean(),
    (uses, keep, inputs) => {
      const request = conversation(uses);
      const edit: Edit = {
        type: TYPE,
        trigger: always,
        keep: { type: 'tool_uses', value: keep },
        clear_tool_inputs: inputs,
      };
      const edited = clearToolUses(request, edit)?.request ?? request;
      const { messages, tools } = edited;
      parseMessageRequest({ model: 'm', max_tokens: 1, messages, tools }, { betas: [] });
      const ids = (each: ModelRequest): string[] => JSON.stringify(each.messages).match(/toolu_\d+/g) ?? [];
      expect(ids(edited)).toEqual(ids(request));
      expect(count(edited, 'result ')).toBe(Math.min(uses, keep));
    },
  );
});

const managed = (edits: object[]): ModelRequest =>
  ({ ...conversation(10), context_management: { edits } }) as ModelRequest;
const providerOf = (provider: ModelProvider): ModelProvider =>
  createProviderRegistry([{ model: 'm', provider }]).providerFor('m');

it('is done here for chat completions, and told of, streamed and not', async () => {
  const upstream = await startOpenAiUpstream();
  try {
    const provider = providerOf(createOpenAiProvider({ baseURL: upstream.baseURL }));
    const request = managed([{ type: TYPE, trigger: always }]);
    upstream.answer = chat('Done.');
    const told = {
      applied_edits: [
        { type: TYPE, cleared_tool_uses: 7, cleared_input_tokens: expect.any(Number) as unknown },
      ],
    };
    expect((await provider.reply(request, { signal })).context_management).toEqual(told);
    expect((await collectMessage(provider.stream(request, { signal }))).context_management).toEqual(told);
    for (const { body } of upstream.seen) expect(JSON.stringify(body).split(CLEARED_RESULT)).toHaveLength(8);
    expect(upstream.seen).toHaveLength(2);
    const cheaper = await provider.countTokens?.(request, { signal });
    expect(cheaper).toBeLessThan((await provider.countTokens?.(conversation(10), { signal })) ?? 0);
    await expect(provider.reply(managed([{ type: 'compact_20260112' }]), { signal })).rejects.toThrow(
      /^context_management: .*does not support it/,
    );
  } finally {
    await upstream.close();
  }
});

it("is left to an upstream that has it, and refused where it would take a script's place in it", async () => {
  const upstream = await startUpstream();
  try {
    upstream.answer = json(200, message('Done.', { context_management: { applied_edits: [] } }));
    const request = managed([{ type: TYPE, trigger: always }]);
    await providerOf(createAnthropicProvider({ apiKey: 'test-key-0', baseURL: upstream.baseURL })).reply(
      request,
      { signal },
    );
    expect(upstream.seen[0]?.body).toMatchObject({
      context_management: request.context_management,
      messages: request.messages,
    });
    await expect(providerOf(createScriptProvider()).reply(request, { signal })).rejects.toThrow(
      /^context_management: /,
    );
  } finally {
    await upstream.close();
  }
});
