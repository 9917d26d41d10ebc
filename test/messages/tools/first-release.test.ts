import { parseMessageRequest } from '../../../messages/index.ts';
import { toolTokens } from '../../../messages/tokens/request-tokens.ts';
import { functionsOf } from '../../../messages/tools/provider-tools.ts';
import { generatedPrompt, systemPrompt } from '../../../messages/tools/system-prompt.ts';
import { COMPUTER_USE, TOOLS, userSays } from '../support.ts';

/** Each test is named by the line of the first release's document that it holds the product to. */

const [computer, editor, bash] = TOOLS;
const weather = {
  name: 'get_weather',
  description: 'The weather in a place',
  input_schema: {
    type: 'object',
    properties: {
      place: { type: 'string', description: 'A city' },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
    },
    required: ['place'],
  },
} as const;

const parse = (tools: readonly unknown[], rest: object = {}): ReturnType<typeof parseMessageRequest> =>
  parseMessageRequest(
    { model: 'script', max_tokens: 10, messages: [userSays('hello')], tools, betas: [COMPUTER_USE], ...rest },
    { betas: [] },
  );

interface Schema {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: readonly string[];
}

function inputOf(tool: (typeof TOOLS)[number] | undefined): Schema {
  const [made] = functionsOf(tool as never);
  return made?.input_schema as unknown as Schema;
}

describe('What the service does', () => {
  it('"Three provider-defined tools exist: a computer tool, a text editor tool and a bash tool. They can be combined with ordinary custom tools in one request."', () => {
    expect(parse([...TOOLS, weather]).tools).toEqual([...TOOLS, weather]);
  });

  it('"When one of these tools is requested, a computer-use system prompt is generated."', () => {
    for (const tool of TOOLS) expect(generatedPrompt([tool])).not.toBeNull();
    expect(generatedPrompt([weather as never])).toBeNull();
  });

  it('"It opens by telling the model that it has a set of functions and a sandboxed computing environment, and that it can reach nothing outside them except by calling the functions."', () => {
    expect(generatedPrompt(TOOLS)).toMatch(
      /^You have access to a set of functions[^.]*and to a sandboxed computing environment\. You cannot reach[^.]*except by calling the functions below\./,
    );
  });

  it('"A client-supplied `system_prompt` field is still honored and combined into the final system prompt."', () => {
    const prompt = systemPrompt(parse(TOOLS, { system_prompt: 'Mind the gap.' })) ?? '';
    expect(prompt.startsWith(generatedPrompt(TOOLS) ?? '-')).toBe(true);
    expect(prompt.endsWith('\n\nMind the gap.')).toBe(true);
  });
});

describe('Request fields', () => {
  it('"`betas`: Must contain `computer-use-2024-10-22` to enable these tools."', () => {
    for (const tool of TOOLS) {
      expect(() => parse([tool], { betas: [] })).toThrow(`needs the beta '${COMPUTER_USE}'`);
      expect(parse([tool]).tools).toEqual([tool]);
    }
  });

  it('"`tool_choice`, string mode: `auto`, `any`, `tool`."', () => {
    expect(parse(TOOLS, { tool_choice: 'auto' }).tool_choice).toEqual({ type: 'auto' });
    expect(parse(TOOLS, { tool_choice: 'any' }).tool_choice).toEqual({ type: 'any' });
    expect(parse([bash], { tool_choice: 'tool' }).tool_choice).toEqual({ type: 'tool', name: 'bash' });
    expect(toolTokens(parse([bash], { tool_choice: 'tool' }))).toBe(499 + 245);
  });
});

describe('Tool definitions', () => {
  it.each(['name', 'display_width_px', 'display_height_px'])('"Computer | `%s` | yes"', (field) => {
    const { [field]: _left, ...rest } = computer as unknown as Record<string, unknown>;
    expect(() => parse([rest])).toThrow(`tools.0.${field}: Field required`);
  });

  it('"`display_number` | integer | no | When given, it is passed to the tool in the tool definition."', () => {
    const numbered = { ...computer, display_number: 1 };
    expect(parse([numbered]).tools).toEqual([numbered]);
    expect(() => parse([{ ...computer, display_number: ':1' }])).toThrow('tools.0.display_number');
  });

  it.each([
    ['Text editor', editor, 'str_replace_editor'],
    ['Bash', bash, 'bash'],
  ])('"%s | `name` | yes"', (_kind, tool, name) => {
    expect(tool).toMatchObject({ name });
    expect(() => parse([{ type: (tool as { type: string }).type }])).toThrow('tools.0.name: Field required');
    expect(() => parse([{ ...tool, name: 'other' }])).toThrow('tools.0.name');
  });

  it.each(['name', 'description', 'input_schema'])('"Custom | `%s` | yes"', (field) => {
    const { [field]: _left, ...rest } = weather as Record<string, unknown>;
    expect(() => parse([rest])).toThrow(`tools.0.custom.${field}: Field required`);
  });

  it('"Custom | `input_schema`: `type` is `object`, with `properties` and a `required` list of names."', () => {
    expect(parse([weather]).tools).toEqual([weather]);
    const wrong =
      (input_schema: object): (() => unknown) =>
      () =>
        parse([{ ...weather, input_schema }]);
    expect(wrong({ type: 'array' })).toThrow('tools.0.custom.input_schema.type');
    expect(wrong({ type: 'object', properties: ['place'] })).toThrow(
      'tools.0.custom.input_schema.properties',
    );
    expect(wrong({ type: 'object', required: 'place' })).toThrow('tools.0.custom.input_schema.required');
  });

  it('"1. For a provider-defined tool, `description` and `tool_schema` are neither needed nor allowed."', () => {
    for (const tool of TOOLS) {
      for (const field of ['description', 'tool_schema']) {
        expect(() => parse([{ ...tool, [field]: 'x' }])).toThrow(
          `tools.0.${field}: Extra inputs are not permitted`,
        );
      }
    }
  });

  it('"2. `type` identifies the tool and its parameters for validation. `name` is the tool name exposed to the model."', () => {
    expect(() => parse([{ ...bash, display_width_px: 1 }])).toThrow('tools.0.display_width_px: Extra inputs');
    expect(generatedPrompt([bash as never])).toContain('- bash:');
    expect(functionsOf(editor as never).map(({ name }) => name)).toEqual(['str_replace_editor']);
  });

  it('"3. `name` must be unique within the tool list. A custom tool may reuse a provider-defined name only if it is unique in the list."', () => {
    const reusing = { ...weather, name: 'bash' };
    expect(parse([computer, reusing]).tools).toHaveLength(2);
    expect(() => parse([bash, reusing])).toThrow('tools: Tool names must be unique.');
  });

  it('"4. The tool description and input schema of each provider-defined tool are reference only and must not be sent."', () => {
    for (const tool of TOOLS) {
      expect(() => parse([{ ...tool, input_schema: { type: 'object' } }])).toThrow(
        'Extra inputs are not permitted',
      );
    }
  });
});

describe('Tool inputs, as models are told of them', () => {
  it('"`action`: one of `key`, `type`, `mouse_move`, `left_click`, `left_click_drag`, `right_click`, `middle_click`, `double_click`, `screenshot`, `cursor_position`"', () => {
    const { properties, required } = inputOf(computer);
    expect(properties['action']?.['enum']).toEqual(
      (
        'key type mouse_move left_click left_click_drag right_click middle_click double_click screenshot ' +
        'cursor_position'
      ).split(' '),
    );
    expect(required).toEqual(['action']);
  });

  it('"`coordinate`: only for `mouse_move` and `left_click_drag`; x is pixels from the left edge, y is pixels from the top edge."', () => {
    expect(inputOf(computer).properties['coordinate']).toMatchObject({
      type: 'array',
      minItems: 2,
      maxItems: 2,
      description: '[x, y] for mouse_move and left_click_drag: pixels from the left and from the top edge',
    });
  });

  it('"`text`: only for `type` and `key`"', () => {
    expect(inputOf(computer).properties['text']?.['description']).toMatch(/^For type .*; for key /);
  });

  it('"`command`: `view`, `create`, `str_replace`, `insert`, `undo_edit`" and the other fields of the editor', () => {
    const { properties, required } = inputOf(editor);
    expect(properties['command']?.['enum']).toEqual(['view', 'create', 'str_replace', 'insert', 'undo_edit']);
    expect(Object.keys(properties).toSorted()).toEqual(
      ['command', 'file_text', 'insert_line', 'new_str', 'old_str', 'path', 'view_range'].toSorted(),
    );
    expect(properties['insert_line']?.['type']).toBe('integer');
    expect(properties['view_range']).toMatchObject({ type: 'array', items: { type: 'integer' } });
    expect(required).toEqual(['command', 'path']);
  });

  it('"`command`: required unless the tool is restarted", "`restart`: `true` restarts the tool."', () => {
    const { properties, required } = inputOf(bash);
    expect(Object.keys(properties)).toEqual(['command', 'restart']);
    expect(properties['restart']?.['type']).toBe('boolean');
    expect(required).toEqual([]);
    expect(generatedPrompt([bash as never])).toContain('without escaping');
    expect(generatedPrompt([bash as never])).toContain('avoid commands');
  });
});

describe('Versioning', () => {
  it('"Tool type strings carry a date stamp: `computer_20241022`, `text_editor_20241022`, `bash_20241022`."', () => {
    expect(TOOLS.map(({ type }) => type)).toEqual([
      'computer_20241022',
      'text_editor_20241022',
      'bash_20241022',
    ]);
    expect(() => parse([{ ...bash, type: 'bash_20240101' }])).toThrow("Input tag 'bash_20240101'");
    expect(() => parse([{ ...bash, type: 'bash' }])).toThrow("Input tag 'bash'");
  });
});
