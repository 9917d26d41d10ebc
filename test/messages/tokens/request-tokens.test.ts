import { countInputTokens, type ModelRequest, type ToolParam } from '../../../messages/index.ts';
import { toolTokens } from '../../../messages/tokens/request-tokens.ts';
import { modelRequest, png, TOOLS, userSays } from '../support.ts';
import { fromModel, fromUser } from '../../support/blocks.ts';

const [computer, editor, bash] = TOOLS as [ToolParam, ToolParam, ToolParam];
const choices = [
  undefined,
  { type: 'auto' },
  { type: 'none' },
  { type: 'any' },
  { type: 'tool', name: 'bash' },
] as const;

const costFor = (
  model: string,
  tools: readonly ToolParam[],
  tool_choice?: ModelRequest['tool_choice'],
): number => toolTokens({ model, tools, ...(tool_choice && { tool_choice }) });
const cost = (tools: ToolParam[], tool_choice?: ModelRequest['tool_choice']): number =>
  costFor('script', tools, tool_choice);

describe('"System prompt tokens added automatically"', () => {
  it('"auto | 466", "any, tool | 499"', () => {
    const prompts = choices.map((choice) => cost([bash], choice) - 245);
    expect(prompts).toEqual([466, 466, 466, 499, 499]);
  });

  it('is so for every model that is counted for here, with the tools of any generation', () => {
    for (const model of ['script', 'claude-3-5-sonnet-20241022', 'claude-opus-5', 'qwen2.5-vl', '']) {
      for (const [tool, tokens] of [
        [bash, 245],
        [computer, 683],
      ] as const) {
        const costs = choices.map((choice) => costFor(model, [tool], choice) - tokens);
        expect(costs).toEqual([466, 466, 466, 499, 499]);
      }
    }
  });
});

describe('"Additional input tokens per tool"', () => {
  it('"computer_20241022 | 683", "text_editor_20241022 | 700", "bash_20241022 | 245"', () => {
    expect(cost([computer])).toBe(466 + 683);
    expect(cost([editor])).toBe(466 + 700);
    expect(cost([bash])).toBe(466 + 245);
    expect(cost([computer, editor, bash])).toBe(466 + 683 + 700 + 245);
    expect(cost([computer, editor, bash], { type: 'any' })).toBe(499 + 683 + 700 + 245);
  });

  const display = { name: 'computer', display_width_px: 1024, display_height_px: 768 } as const;
  const later = (type: 'computer_20250124' | 'computer_20251124'): ToolParam => ({ type, ...display });

  it.each<[string, ToolParam, string, number]>([
    ['computer_20250124', later('computer_20250124'), 'script', 735],
    ['computer_20251124', later('computer_20251124'), 'claude-opus-4-6', 735],
    ['text_editor_20250124', { type: 'text_editor_20250124', name: 'str_replace_editor' }, 'script', 700],
    [
      'text_editor_20250429',
      { type: 'text_editor_20250429', name: 'str_replace_based_edit_tool' },
      'script',
      700,
    ],
    [
      'text_editor_20250728',
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
      'script',
      700,
    ],
    ['bash_20250124', { type: 'bash_20250124', name: 'bash' }, 'script', 245],
    ['bash_20250124', { type: 'bash_20250124', name: 'bash' }, 'claude-3-7-sonnet-20250219', 245],
    ['bash_20250124', { type: 'bash_20250124', name: 'bash' }, 'claude-sonnet-4-6', 244],
    ['bash_20250124', { type: 'bash_20250124', name: 'bash' }, 'claude-opus-4-7', 325],
  ])('of later generations as documented: %s', (_type, tool, model, tokens) => {
    expect(costFor(model, [tool])).toBe(466 + tokens);
  });

  it('of the toolset: about 4,500 with the system prompt, 410 less without zoom', () => {
    const toolset = { type: 'computer_toolset_20260801' } as const;
    expect(cost([toolset])).toBe(4500);
    expect(costFor('claude-opus-5', [toolset])).toBe(4520);
    expect(costFor('claude-sonnet-5', [toolset])).toBe(4590);
    expect(cost([{ ...toolset, configs: { zoom: { enabled: false } } }])).toBe(4500 - 410);
    const only = cost([{ ...toolset, configs: { zoom: { enabled: false }, key: { enabled: false } } }]);
    expect(only).toBeLessThan(4500 - 410 - 200);
    expect(cost([toolset], { type: 'any' })).toBe(4500 + 33);
  });
});

it('costs custom tools alone what the model is documented to take for them', () => {
  const tool: ToolParam = { name: 'f', description: 'd', input_schema: { type: 'object' } };
  const prompts = (model: string): number[] => {
    const own = costFor(model, [tool, bash]) - 466 - 245;
    return [costFor(model, [tool]) - own, costFor(model, [tool], { type: 'any' }) - own];
  };
  for (const [model, free, forced] of [
    ['script', 346, 313],
    ['claude-3-5-sonnet-20241022', 346, 313],
    ['claude-3-opus-20240229', 530, 281],
    ['claude-opus-4-1-20250805', 313, 315],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', 496, 588],
    ['claude-haiku-4-5@20251001', 496, 588],
    ['claude-opus-4-7', 675, 804],
    ['claude-opus-5', 286, 406],
    ['claude-opus-5-5', 286, 406],
    ['claude-sonnet-5', 354, 474],
    ['claude-fable-5-2', 286, 406],
  ] as const) {
    expect([model, ...prompts(model)]).toEqual([model, free, forced]);
  }
});

it('adds nothing without tools', () => {
  expect(cost([])).toBe(0);
});

it('counts custom tools by their text', () => {
  const small: ToolParam = { type: 'custom', name: 'f', description: 'd', input_schema: { type: 'object' } };
  const large: ToolParam = { ...small, description: 'It does one thing after another. '.repeat(50) };
  expect(cost([bash, small])).toBeGreaterThan(cost([bash]));
  expect(cost([bash, large]) - cost([bash, small])).toBeGreaterThan(300);
});

it('has a cost of its own for a request with custom tools alone', () => {
  const tool: ToolParam = { name: 'f', description: 'd', input_schema: { type: 'object' } };
  const text = cost([tool]) - 346;
  expect(cost([tool], { type: 'any' })).toBe(313 + text);
  expect(cost([bash, tool])).toBe(466 + 245 + text);
});

const grows = (change: Partial<ModelRequest>): number =>
  countInputTokens(modelRequest(change)) - countInputTokens(modelRequest({}));

it('counts the system texts of the client, and not the generated prompt beside the published cost of it', () => {
  const empty = countInputTokens(modelRequest({}));
  expect(empty - toolTokens({ model: 'script', tools: TOOLS })).toBeLessThan(10);
  const system = grows({ system: 'Be kind.' });
  expect(system).toBeGreaterThan(0);
  expect(grows({ system_prompt: 'Be kind.' })).toBe(system);
  expect(grows({ system: [{ type: 'text', text: 'Be kind.' }] })).toBe(system);
});

it('counts a text alike as a text and as a block, and results by what they hold', () => {
  const long = 'The train stands still. '.repeat(100);
  const asText = countInputTokens(modelRequest({ messages: [userSays(long)] }));
  const asBlock = countInputTokens(
    modelRequest({ messages: [{ role: 'user', content: [{ type: 'text', text: long }] }] }),
  );
  expect(asBlock).toBe(asText);
  expect(asText).toBeGreaterThan(400);
  const results = grows({
    messages: [
      userSays('hello'),
      fromModel([{ type: 'tool_use', id: 'toolu_1', name: 'computer', input: { action: 'screenshot' } }]),
      fromUser([
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(1024, 768) } },
          ],
        },
      ]),
    ],
  });
  expect(results).toBeGreaterThanOrEqual(1049);
  expect(results).toBeLessThan(1049 + 80);
});

it.each<[string, ModelRequest['messages'][number]['content'], number]>([
  [
    'a picture elsewhere',
    [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }],
    1600,
  ],
  [
    'a PDF of two pages',
    [
      {
        type: 'document',
        source: {
          type: 'base64',
          media_type: 'application/pdf',
          data: Buffer.from('/Type /Pages /Type /Page /Type/Page').toString('base64'),
        },
      },
    ],
    Math.round((2 * 7000) / 3),
  ],
])('counts %s', (_what, content, expected) => {
  const message = { role: 'user', content } as ModelRequest['messages'][number];
  const request = modelRequest({ tools: [], messages: [message] });
  expect(countInputTokens(request)).toBe(expected + 7);
});
