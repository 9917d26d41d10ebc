import { ApiError } from '@steadyhand/contracts';
import { parseMessageRequest, type ToolParam } from '../../../messages/index.ts';
import { PROVIDER_TOOLS } from '../../../messages/tools/provider-tools.ts';
import { userSays } from '../support.ts';

/** Every provider-defined tool: what it needs, what it may carry besides, and the beta that allows it. */
interface Row {
  readonly type: string;
  readonly beta: string | null;
  readonly required: Readonly<Record<string, unknown>>;
  readonly optional: Readonly<Record<string, unknown>>;
  /** Fields that other tools have and this one refuses. */
  readonly refused: readonly string[];
}

const display = { display_width_px: 1024, display_height_px: 768 };
const shared = {
  cache_control: { type: 'ephemeral' },
  allowed_callers: ['direct', 'code_execution_20250825'],
  defer_loading: true,
  input_examples: [{ action: 'screenshot' }],
  strict: true,
};
const EDITOR = 'str_replace_editor';
const LATER_EDITOR = 'str_replace_based_edit_tool';
const DISPLAY = ['display_width_px', 'display_height_px', 'display_number'];

const rows: readonly Row[] = [
  {
    type: 'computer_20241022',
    beta: 'computer-use-2024-10-22',
    required: { name: 'computer', ...display },
    optional: { display_number: 1, ...shared },
    refused: ['enable_zoom', 'max_characters', 'configs'],
  },
  {
    type: 'computer_20250124',
    beta: 'computer-use-2025-01-24',
    required: { name: 'computer', ...display },
    optional: { display_number: 0, ...shared },
    refused: ['enable_zoom', 'max_characters', 'configs'],
  },
  {
    type: 'computer_20251124',
    beta: 'computer-use-2025-11-24',
    required: { name: 'computer', ...display },
    optional: { display_number: null, enable_zoom: true, ...shared },
    refused: ['max_characters', 'configs'],
  },
  {
    type: 'computer_toolset_20260801',
    beta: null,
    required: {},
    optional: {
      configs: {
        zoom: { enabled: false },
        key: { enabled: true, defer_loading: false },
        wait: null,
        scroll: {},
      },
      cache_control: { type: 'ephemeral', ttl: '1h' },
      allowed_callers: ['direct'],
    },
    refused: [
      'name',
      ...DISPLAY,
      'enable_zoom',
      'strict',
      'input_examples',
      'defer_loading',
      'max_characters',
    ],
  },
  ...(['text_editor_20241022', 'text_editor_20250124', 'text_editor_20250429'] as const).map((type) => ({
    type,
    beta: type === 'text_editor_20241022' ? 'computer-use-2024-10-22' : null,
    required: { name: type === 'text_editor_20250429' ? LATER_EDITOR : EDITOR },
    optional: shared,
    refused: ['max_characters', ...DISPLAY, 'configs'],
  })),
  {
    type: 'text_editor_20250728',
    beta: null,
    required: { name: LATER_EDITOR },
    optional: { max_characters: 10_000, ...shared },
    refused: [...DISPLAY, 'enable_zoom', 'configs'],
  },
  ...(['bash_20241022', 'bash_20250124'] as const).map((type) => ({
    type,
    beta: type === 'bash_20241022' ? 'computer-use-2024-10-22' : null,
    required: { name: 'bash' },
    optional: shared,
    refused: [...DISPLAY, 'enable_zoom', 'max_characters', 'configs'],
  })),
];

function parse(
  tools: readonly unknown[],
  betas: readonly (string | null)[],
  rest: object = {},
): readonly ToolParam[] {
  const body = { model: 'script', max_tokens: 1, messages: [userSays('hello')], tools, ...rest };
  return parseMessageRequest(body, { betas: betas.filter((beta) => beta !== null) }).tools;
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return `${error.type}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

it('is a table of every provider-defined tool', () => {
  expect(rows.map(({ type }) => type).toSorted()).toEqual(PROVIDER_TOOLS.map(({ type }) => type).toSorted());
});

describe.each(rows)('$type', ({ type, beta, required, optional, refused }) => {
  const least = { type, ...required };

  it('is taken with what it needs, and with all that it may carry, and kept as it came', () => {
    expect(parse([least], [beta])).toEqual([least]);
    expect(parse([{ ...least, ...optional }], [beta])).toEqual([{ ...least, ...optional }]);
  });

  for (const field of Object.keys(required)) {
    it(`is refused without \`${field}\``, () => {
      const { [field]: _left, ...rest } = least as Record<string, unknown>;
      expect(refusal(() => parse([rest], [beta]))).toBe(
        `invalid_request_error: tools.0.${field}: Field required`,
      );
    });
  }

  it.each(['description', 'tool_schema', 'input_schema', ...refused])(
    'is refused with `%s`: "neither needed nor allowed"',
    (field) => {
      expect(refusal(() => parse([{ ...least, [field]: 'x' }], [beta]))).toBe(
        `invalid_request_error: tools.0.${field}: Extra inputs are not permitted`,
      );
    },
  );

  if (beta !== null) {
    it('needs its beta, and no other will do', () => {
      for (const betas of [[], rows.map((row) => row.beta).filter((other) => other !== beta)]) {
        expect(refusal(() => parse([least], betas))).toContain(
          `The tool '${type}' needs the beta '${beta}' in the 'anthropic-beta' header or in 'betas'.`,
        );
      }
    });
  } else {
    it('needs no beta', () => {
      expect(parse([least], [])).toEqual([least]);
    });
  }
});

describe('wrong values', () => {
  const betas = rows.map(({ beta }) => beta);
  const computer = { type: 'computer_20251124', name: 'computer', ...display };
  const toolset = { type: 'computer_toolset_20260801' };

  it.each<[object, string]>([
    [{ ...computer, name: 'screen' }, 'tools.0.name'],
    [{ ...computer, display_width_px: 0 }, 'tools.0.display_width_px'],
    [{ ...computer, display_height_px: 7.5 }, 'tools.0.display_height_px'],
    [{ ...computer, display_width_px: '1024' }, 'tools.0.display_width_px'],
    [{ ...computer, display_number: -1 }, 'tools.0.display_number'],
    [{ ...computer, enable_zoom: 'yes' }, 'tools.0.enable_zoom'],
    [{ ...computer, cache_control: { type: 'forever' } }, 'tools.0.cache_control'],
    [{ type: 'text_editor_20250728', name: EDITOR }, 'tools.0.name'],
    [{ type: 'text_editor_20250728', name: LATER_EDITOR, max_characters: 0 }, 'tools.0.max_characters'],
    [{ type: 'text_editor_20241022', name: LATER_EDITOR }, 'tools.0.name'],
    [{ type: 'bash_20250124', name: 'shell' }, 'tools.0.name'],
    [{ ...toolset, allowed_callers: ['code_execution_20250825'] }, 'tools.0.allowed_callers.0'],
    [{ ...toolset, configs: { jump: { enabled: true } } }, 'tools.0.configs.jump'],
    [{ ...toolset, configs: { zoom: { size: 2 } } }, 'tools.0.configs.zoom.size'],
    [{ ...toolset, configs: { zoom: { enabled: 'no' } } }, 'tools.0.configs.zoom.enabled'],
  ])('%j is refused at its field', (tool, path) => {
    expect(refusal(() => parse([tool], betas))).toMatch(
      new RegExp(`^invalid_request_error: ${path.replaceAll('.', '\\.')}`),
    );
  });

  it('refuses a toolset with every member switched off, and one that defers some of its members', () => {
    const off = Object.fromEntries(
      [
        'key hold_key type cursor_position mouse_move left_mouse_down left_mouse_up left_click left_click_drag',
        'right_click middle_click double_click triple_click scroll wait screenshot zoom',
      ]
        .join(' ')
        .split(' ')
        .map((member) => [member, { enabled: false }]),
    );
    expect(refusal(() => parse([{ ...toolset, configs: off }], []))).toContain(
      'tools.0.configs: at least one member',
    );
    const some = { ...toolset, configs: { zoom: { defer_loading: true } } };
    expect(refusal(() => parse([some], []))).toContain('tools.0.configs: `defer_loading` must be the same');
    const offDeferred = { ...toolset, configs: { zoom: { enabled: false, defer_loading: true } } };
    expect(parse([offDeferred], [])).toEqual([offDeferred]);
  });
});

describe('names', () => {
  const bash = { type: 'bash_20241022', name: 'bash' };
  const custom = (name: string): object => ({ name, description: 'd', input_schema: { type: 'object' } });
  const toolset = { type: 'computer_toolset_20260801' };
  const beta = 'computer-use-2024-10-22';
  const DUPLICATE = 'invalid_request_error: tools: Tool names must be unique.';

  it('"`name` must be unique within the tool list"', () => {
    expect(refusal(() => parse([bash, bash], [beta]))).toBe(DUPLICATE);
    expect(refusal(() => parse([bash, { type: 'bash_20250124', name: 'bash' }], [beta]))).toBe(DUPLICATE);
    expect(refusal(() => parse([custom('f'), custom('f')], []))).toBe(DUPLICATE);
  });

  it('"a custom tool may reuse a provider-defined name only if it is unique in the list"', () => {
    expect(parse([custom('bash')], [])).toHaveLength(1);
    expect(parse([custom('computer'), bash], [beta])).toHaveLength(2);
    expect(refusal(() => parse([custom('bash'), bash], [beta]))).toBe(DUPLICATE);
  });

  it('lets no tool named computer and no second toolset stand beside a toolset, and leaves the members their names', () => {
    expect(refusal(() => parse([toolset, custom('computer')], []))).toBe(DUPLICATE);
    expect(refusal(() => parse([toolset, toolset], []))).toBe(DUPLICATE);
    expect(parse([toolset, custom('left_click')], [])).toHaveLength(2);
  });

  it.each(['computer', 'left_click'])(
    'refuses a tool_choice that names a toolset or its member: %s',
    (name) => {
      const choice = { tool_choice: { type: 'tool', name } };
      expect(refusal(() => parse([toolset], [], choice))).toMatch(
        /^invalid_request_error: tool_choice\.tool\.name: '\w+' is (the name|a member) of the toolset /,
      );
      expect(
        parse([toolset, custom('left_click')], [], { tool_choice: { type: 'tool', name: 'left_click' } }),
      ).toHaveLength(2);
    },
  );

  it('takes the choices that leave the member to the model', () => {
    for (const choice of ['auto', 'any', 'tool', { type: 'none' }]) {
      expect(parse([toolset], [], { tool_choice: choice })).toEqual([toolset]);
    }
  });
});
