import { createDefaultProviders } from '../../../messages/index.ts';
import { type Answer, ask, startServer, stopServers } from '../../server/harness.ts';
import { COMPUTER_USE, png, userSays } from '../support.ts';
import { madeForAll } from '../../support/opened.ts';
import { computerTool, toolResult, fromModel, fromUser } from '../../support/blocks.ts';
import { posted } from '../../support/posted.ts';

/**
 * What the specification of the first computer-use release says of requests, line by line: fields, tool definitions, rules,
 * errors and limits. Asked over HTTP, of the `script` model.
 */

const server = madeForAll(() => startServer({ providers: createDefaultProviders({}) }));
afterAll(stopServers);

const computer = computerTool('computer_20241022', 1024, 768);
const editor = { type: 'text_editor_20241022', name: 'str_replace_editor' };
const bash = { type: 'bash_20241022', name: 'bash' };
const weather = {
  name: 'get_weather',
  description: 'The weather at a place',
  input_schema: {
    type: 'object',
    properties: {
      place: { type: 'string', description: 'City and country' },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'], description: 'Of the temperature' },
    },
    required: ['place'],
  },
};
const request = {
  model: 'script',
  max_tokens: 1024,
  tools: [computer, editor, bash, weather],
  messages: [userSays('- say: hello')],
  betas: [COMPUTER_USE],
};

function create(change: object): Promise<Answer> {
  return ask(`${server.url}/v1/messages`, posted({ ...request, ...change }));
}

/** The status, and for an error its type and its text. */
async function told(change: object): Promise<string> {
  const { status, body } = await create(change);
  const { type = '', message = '' } = (body['error'] ?? {}) as Record<string, string>;
  return `${status} ${type} ${message}`.trim();
}

async function taken(change: object): Promise<Record<string, unknown>> {
  const { status, body } = await create(change);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

const withTool = (tool: object): object => ({ tools: [tool] });

describe('request fields', () => {
  it('`model`: a string, a model identifier', async () => {
    expect(await taken({})).toMatchObject({ model: 'script', type: 'message', role: 'assistant' });
    expect(await told({ model: undefined })).toBe('400 invalid_request_error model: Field required');
    expect(await told({ model: 1 })).toBe('400 invalid_request_error model: Input should be a valid string');
  });

  it('`max_tokens`: an integer, the upper bound on generated tokens', async () => {
    const said = { messages: [userSays(`- say: ${'many words '.repeat(200)}`)] };
    const { stop_reason: ended, usage } = await taken({ ...said, max_tokens: 20 });
    expect(ended).toBe('max_tokens');
    expect((usage as { output_tokens: number }).output_tokens).toBeLessThanOrEqual(20);
    expect(await told({ max_tokens: undefined })).toBe(
      '400 invalid_request_error max_tokens: Field required',
    );
    expect(await told({ max_tokens: 'many' })).toBe(
      '400 invalid_request_error max_tokens: Input should be a valid integer',
    );
  });

  it('`tools`: an array of tool definitions', async () => {
    expect(await told({ tools: undefined })).toBe('200');
    expect(await told({ tools: [] })).toBe('200');
    expect(await told({ tools: bash })).toBe('400 invalid_request_error tools: Input should be a valid list');
  });

  it('`messages`: each has `role` and `content`, a string or a list of content blocks', async () => {
    const text = await taken({ messages: [{ role: 'user', content: '- say: hello' }] });
    const blocks = await taken({
      messages: [{ role: 'user', content: [{ type: 'text', text: '- say: hello' }] }],
    });
    expect(blocks['content']).toEqual(text['content']);
    expect(await told({ messages: [{ content: 'x' }] })).toBe(
      '400 invalid_request_error messages.0.role: Field required',
    );
    expect(await told({ messages: [{ role: 'user' }] })).toBe(
      '400 invalid_request_error messages.0.content: Field required',
    );
  });

  it('`betas`: must contain `computer-use-2024-10-22` to enable these tools', async () => {
    expect(await told({ betas: [COMPUTER_USE] })).toBe('200');
    for (const betas of [undefined, [], ['computer-use-2025-01-24']]) {
      const { status, body } = await create({ betas, tools: [computer] });
      expect(status).toBe(400);
      expect((body['error'] as { message: string }).message).toMatch(
        /^tools\.0: Input tag 'computer_20241022' .* needs the beta 'computer-use-2024-10-22'/,
      );
    }
    expect(await told({ betas: undefined, tools: [weather] })).toBe('200');
  });

  it('`system_prompt`: an optional string', async () => {
    expect(await told({ system_prompt: 'Be brief.' })).toBe('200');
    expect(await told({ system_prompt: 'Be brief.', system: 'Be kind.' })).toBe('200');
    expect(await told({ system_prompt: 5 })).toBe(
      '400 invalid_request_error system_prompt: Input should be a valid string',
    );
  });

  it('`tool_choice`: a string mode, `auto`, `any`, `tool`', async () => {
    for (const mode of ['auto', 'any', 'tool']) expect(await told({ tool_choice: mode })).toBe('200');
    expect(await told({ tool_choice: 'none of them' })).toBe(
      "400 invalid_request_error tool_choice: Input should be 'auto', 'any' or 'tool'",
    );
  });
});

describe('tool definitions', () => {
  it.each([
    ['Computer', computer, ['name', 'display_width_px', 'display_height_px']],
    ['Text editor', editor, ['name']],
    ['Bash', bash, ['name']],
  ] as const)('%s: required fields', async (_kind, tool, fields) => {
    expect(await told(withTool(tool))).toBe('200');
    for (const field of fields) {
      expect(await told(withTool({ ...tool, [field]: undefined }))).toBe(
        `400 invalid_request_error tools.0.${field}: Field required`,
      );
    }
  });

  it('Computer: `display_width_px` and `display_height_px` are integers', async () => {
    for (const field of ['display_width_px', 'display_height_px']) {
      expect(await told(withTool({ ...computer, [field]: 10.5 }))).toBe(
        `400 invalid_request_error tools.0.${field}: Input should be a valid integer`,
      );
    }
  });

  it('Computer: `display_number` is an integer and not required', async () => {
    expect(await told(withTool({ ...computer, display_number: 1 }))).toBe('200');
    expect(await told(withTool({ ...computer, display_number: ':1' }))).toBe(
      '400 invalid_request_error tools.0.display_number: Input should be a valid integer',
    );
  });

  it('Custom: `name`, `description` and `input_schema` are required', async () => {
    expect(await told(withTool(weather))).toBe('200');
    for (const field of ['name', 'description', 'input_schema']) {
      expect(await told(withTool({ ...weather, [field]: undefined }))).toBe(
        `400 invalid_request_error tools.0.custom.${field}: Field required`,
      );
    }
  });

  it('Custom: the schema’s `type` is `object`', async () => {
    expect(
      await told(withTool({ ...weather, input_schema: { ...weather.input_schema, type: 'string' } })),
    ).toBe("400 invalid_request_error tools.0.custom.input_schema.type: Input should be 'object'");
  });

  it('Custom: `required` is a list of names', async () => {
    expect(
      await told(withTool({ ...weather, input_schema: { ...weather.input_schema, required: 'place' } })),
    ).toBe('400 invalid_request_error tools.0.custom.input_schema.required: Input should be a valid list');
  });
});

describe('rules', () => {
  it.each([computer, editor, bash])(
    '1: for $type `description` and `tool_schema` are neither needed nor allowed',
    async (tool) => {
      expect(await told(withTool(tool))).toBe('200');
      for (const field of ['description', 'tool_schema']) {
        expect(await told(withTool({ ...tool, [field]: 'x' }))).toBe(
          `400 invalid_request_error tools.0.${field}: Extra inputs are not permitted`,
        );
      }
    },
  );

  it('2: `type` identifies the tool for validation, `name` is exposed to the model', async () => {
    expect(await told(withTool({ ...computer, name: 'bash' }))).toBe(
      "400 invalid_request_error tools.0.name: Input should be 'computer'",
    );
    expect(await told(withTool({ ...bash, name: 'computer' }))).toBe(
      "400 invalid_request_error tools.0.name: Input should be 'bash'",
    );
    expect(await told(withTool({ ...editor, display_width_px: 5 }))).toBe(
      '400 invalid_request_error tools.0.display_width_px: Extra inputs are not permitted',
    );
  });

  it('3: `name` must be unique within the tool list', async () => {
    expect(await told({ tools: [bash, bash] })).toBe(
      '400 invalid_request_error tools: Tool names must be unique.',
    );
    expect(await told({ tools: [weather, weather] })).toBe(
      '400 invalid_request_error tools: Tool names must be unique.',
    );
  });

  it('3: a custom tool may reuse a provider-defined name only if it is unique in the list', async () => {
    expect(await told({ tools: [computer, { ...weather, name: 'bash' }] })).toBe('200');
    expect(await told({ tools: [bash, { ...weather, name: 'bash' }] })).toBe(
      '400 invalid_request_error tools: Tool names must be unique.',
    );
  });

  it('4: the input schema of a provider-defined tool must not be sent', async () => {
    for (const tool of [computer, editor, bash]) {
      expect(await told(withTool({ ...tool, input_schema: { type: 'object' } }))).toBe(
        '400 invalid_request_error tools.0.input_schema: Extra inputs are not permitted',
      );
    }
  });
});

describe('errors', () => {
  it('sending `description` or `tool_schema` for a provider-defined tool is not allowed', async () => {
    expect(await told({ tools: [weather, { ...bash, tool_schema: {} }] })).toBe(
      '400 invalid_request_error tools.1.tool_schema: Extra inputs are not permitted',
    );
  });

  it('two tools with the same `name` in one request are not allowed', async () => {
    const answer = await create({ tools: [bash, weather, bash] });
    expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([400, 'false']);
    expect(answer.body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  });
});

describe('limits', () => {
  it('screenshots above XGA/WXGA are taken: this is a recommendation, not an enforced bound', async () => {
    const data = png(2560, 1440);
    expect(
      await told({
        ...withTool({ ...computer, display_width_px: 2560, display_height_px: 1440 }),
        messages: [
          userSays('- computer: {action: screenshot}'),
          fromModel([{ type: 'tool_use', id: 'toolu_1', name: 'computer', input: { action: 'screenshot' } }]),
          fromUser([
            toolResult('toolu_1', [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
            ]),
          ]),
        ],
      }),
    ).toBe('200');
  });
});

describe('versioning', () => {
  it('tool type strings carry a date stamp', async () => {
    for (const type of ['computer', 'computer_2024', 'bash', 'text_editor_20241023']) {
      const { status, body } = await create(withTool({ ...computer, type }));
      expect(status).toBe(400);
      expect((body['error'] as { message: string }).message).toContain(
        `Input tag '${type}' found using 'type'`,
      );
    }
  });

  it('the beta identifier is sent in the `betas` list, and as a header by newer clients', async () => {
    const byHeader = await ask(
      `${server.url}/v1/messages`,
      posted({ ...request, betas: undefined }, { 'anthropic-beta': COMPUTER_USE }),
    );
    expect(byHeader.status).toBe(200);
    expect(await told({})).toBe('200');
  });
});
