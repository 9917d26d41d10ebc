import { countInputTokens, toolTokens, type ModelRequest, type ToolParam } from '../../../messages/index.ts';
import { modelRequest, png, TOOLS, userSays } from '../support.ts';

const [computer, editor, bash] = TOOLS as [ToolParam, ToolParam, ToolParam];
const choices = [
  undefined,
  { type: 'auto' },
  { type: 'none' },
  { type: 'any' },
  { type: 'tool', name: 'bash' },
] as const;

const cost = (tools: ToolParam[], tool_choice?: ModelRequest['tool_choice']): number =>
  toolTokens({ tools, ...(tool_choice && { tool_choice }) });

it('adds 466 tokens by the choice auto and 499 by any and tool', () => {
  const prompts = choices.map((choice) => cost([bash], choice) - 245);
  expect(prompts).toEqual([466, 466, 466, 499, 499]);
});

it('adds 683 for the computer, 700 for the editor, 245 for bash', () => {
  expect(cost([computer])).toBe(466 + 683);
  expect(cost([editor])).toBe(466 + 700);
  expect(cost([bash])).toBe(466 + 245);
  expect(cost([computer, editor, bash])).toBe(466 + 683 + 700 + 245);
  expect(cost([computer, editor, bash], { type: 'any' })).toBe(499 + 683 + 700 + 245);
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
  expect(empty - toolTokens({ tools: TOOLS })).toBeLessThan(10);
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
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'computer', input: { action: 'screenshot' } }],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(1024, 768) } },
            ],
          },
        ],
      },
    ],
  });
  expect(results).toBeGreaterThanOrEqual(1049);
  expect(results).toBeLessThan(1049 + 40);
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
    3000,
  ],
])('counts %s', (_what, content, expected) => {
  const message = { role: 'user', content } as ModelRequest['messages'][number];
  const request = modelRequest({ tools: [], messages: [message] });
  expect(countInputTokens(request)).toBe(expected + 4);
});
