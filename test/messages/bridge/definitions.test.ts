import { InvalidRequestError } from '@steadyhand/contracts';
import type { MessageParam, ToolParam } from '../../../messages/api/api-types.ts';
import { withBridge } from '../../../messages/bridge/bridge.ts';
import type { ModelRequest } from '../../../messages/api/request.ts';
import type { ComputerGeneration, ToolGenerations } from '../../../messages/tools/generations.ts';
import {
  bashTool,
  computerTool,
  computerUse,
  editorTool,
  messageOf,
  modelOf,
  OF_2024,
  OF_TODAY,
  options,
  requestOf,
  taking,
} from './support.ts';
import { fromUser } from '../../support/blocks.ts';

async function upstreamOf(request: ModelRequest, taken: ToolGenerations): Promise<ModelRequest> {
  const model = modelOf(messageOf([{ type: 'text', text: 'Yes.' }]));
  await withBridge(model, taken).reply(request, options);
  const [asked] = model.asked;
  if (asked === undefined) throw new Error('the model was not asked');
  return asked;
}

describe('tools that the model takes as they are', () => {
  it.each([OF_2024, OF_TODAY])('go through untouched, and the reply too: the same objects', async (taken) => {
    const reply = messageOf([computerUse(taken.computer, 'toolu_1', 'scroll', { odd: true })]);
    const model = { ...modelOf(reply), asked: [] as ModelRequest[] };
    model.reply = async (request) => {
      model.asked.push(request);
      return reply;
    };
    const request = requestOf(taken);
    await expect(withBridge(model, taken).reply(request, options)).resolves.toBe(reply);
    expect(model.asked[0]).toBe(request);
  });

  it('go through beside others that do not', async () => {
    const both: ToolGenerations = { ...OF_TODAY, also: ['computer_20251124'] };
    const request = requestOf({ ...OF_2024, computer: 'computer_20251124' });
    const { tools, betas, system } = await upstreamOf(request, both);
    expect(tools.map(({ type }) => type)).toEqual([
      'computer_20251124',
      'bash_20250124',
      'text_editor_20250728',
    ]);
    expect(tools[0]).toEqual(request.tools[0]);
    expect(betas).toEqual(['computer-use-2025-11-24']);
    expect(system).toBeUndefined();
    const plain = requestOf(taking('computer_20251124'));
    await expect(upstreamOf(plain, both)).resolves.toEqual(plain);
  });

  it('are the custom ones in any case', async () => {
    const custom: ToolParam = {
      name: 'computer_room',
      description: 'Books it.',
      input_schema: { type: 'object' },
    };
    const request = requestOf(OF_2024, undefined, { tools: [custom] });
    await expect(upstreamOf(request, OF_TODAY)).resolves.toEqual(request);
  });
});

describe('tools for the toolset', () => {
  it('of October 2024 leave out what that client cannot do, and need no beta', async () => {
    const request = requestOf(OF_2024, undefined, {
      betas: ['computer-use-2024-10-22', 'files-api-2025-04-14'],
    });
    const { tools, betas, system } = await upstreamOf(request, OF_TODAY);
    const off = { enabled: false };
    expect(tools).toEqual([
      {
        type: 'computer_toolset_20260801',
        configs: {
          hold_key: off,
          left_mouse_down: off,
          left_mouse_up: off,
          triple_click: off,
          scroll: off,
          wait: off,
          zoom: off,
        },
      },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    ]);
    expect(betas).toEqual(['files-api-2025-04-14']);
    expect(system).toContain('Instead of scroll, press Page_Down');
    expect(system).toContain('Clicks and drags take no keys to hold meanwhile');
  });

  it('of November 2025 offer zoom when that client does, and nothing is amiss', async () => {
    const client = taking('computer_20251124');
    const { tools, system } = await upstreamOf(requestOf(client), OF_TODAY);
    expect(tools[0]).toEqual({ type: 'computer_toolset_20260801' });
    expect(system).toBe('About the tools: left_click_drag takes no keys to hold meanwhile (`text`).');
    const without = requestOf(client, undefined, {
      tools: [computerTool('computer_20251124', { enable_zoom: false })],
    });
    expect((await upstreamOf(without, OF_TODAY)).tools[0]).toHaveProperty('configs', {
      zoom: { enabled: false },
    });
  });

  it('keep their cache breakpoint, their callers and that they are found by search', async () => {
    const tool = computerTool('computer_20251124', {
      cache_control: { type: 'ephemeral', ttl: '1h' },
      allowed_callers: ['direct'],
      defer_loading: true,
      strict: true,
    });
    const { tools } = await upstreamOf(requestOf(OF_TODAY, undefined, { tools: [tool] }), OF_TODAY);
    expect(tools[0]).toMatchObject({
      cache_control: { type: 'ephemeral', ttl: '1h' },
      allowed_callers: ['direct'],
      configs: { key: { defer_loading: true }, zoom: { defer_loading: true } },
    });
    expect(tools[0]).not.toHaveProperty('strict');
    expect(tools[0]).not.toHaveProperty('display_width_px');
  });

  it('cannot be called by programs: refused', async () => {
    const tool = computerTool('computer_20250124', { allowed_callers: ['code_execution_20260120'] });
    await expect(upstreamOf(requestOf(OF_TODAY, undefined, { tools: [tool] }), OF_TODAY)).rejects.toThrow(
      'tools.0.allowed_callers: the model takes computer_toolset_20260801, which can only be called directly',
    );
  });
});

describe('tools for a model with one computer tool', () => {
  const shot = (data: string, name = 'screenshot'): MessageParam[] => [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [computerUse('computer_toolset_20260801', 'toolu_1', name, {})] as never },
    fromUser([
      {
        type: 'tool_result',
        tool_use_id: 'toolu_1',
        toolset_name: 'computer',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
      },
    ]),
  ];
  // The first 24 bytes of a PNG say its size.
  const png = (width: number, height: number): string => {
    const bytes = Buffer.alloc(24);
    bytes.write('\u0089PNG\r\n\u001a\n', 'latin1');
    bytes.writeUInt32BE(13, 8);
    bytes.write('IHDR', 12);
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes.toString('base64');
  };

  it.each<[ComputerGeneration, string, object]>([
    ['computer_20241022', 'computer-use-2024-10-22', {}],
    ['computer_20250124', 'computer-use-2025-01-24', {}],
    ['computer_20251124', 'computer-use-2025-11-24', { enable_zoom: true }],
  ])('%s: named, with its beta and the size of the newest screenshot', async (type, beta, more) => {
    const { tools, betas } = await upstreamOf(requestOf(OF_TODAY, shot(png(1456, 819))), taking(type));
    expect(tools[0]).toEqual({
      type,
      name: 'computer',
      display_width_px: 1456,
      display_height_px: 819,
      ...more,
    });
    expect(betas).toEqual([beta]);
  });

  it('have the recommended size as long as there is no screenshot; a zoomed part is none', async () => {
    const expected = { display_width_px: 1024, display_height_px: 768 };
    const none = await upstreamOf(requestOf(OF_TODAY), taking('computer_20251124'));
    expect(none.tools[0]).toMatchObject(expected);
    const zoomed = await upstreamOf(
      requestOf(OF_TODAY, shot(png(900, 900), 'zoom')),
      taking('computer_20251124'),
    );
    expect(zoomed.tools[0]).toMatchObject(expected);
    expect(zoomed.system).toContain('Coordinates are pixels of the newest whole screenshot.');
  });

  it('are told of what the client has switched off', async () => {
    const tool = computerTool('computer_toolset_20260801', {
      configs: { scroll: { enabled: false }, zoom: { enabled: false }, left_mouse_down: { enabled: false } },
    });
    const { tools, system } = await upstreamOf(
      requestOf(OF_TODAY, undefined, { tools: [tool], system: 'Be brief.' }),
      taking('computer_20251124'),
    );
    expect(tools[0]).not.toHaveProperty('enable_zoom');
    expect(system).toMatch(
      /^Be brief\.\n\nAbout the tools: These actions of the computer tool are not available: /,
    );
    expect(system).toContain('left_mouse_down, scroll, zoom.');
  });

  it('swap the beta of one generation for that of another', async () => {
    const { tools, betas } = await upstreamOf(requestOf(OF_2024), taking('computer_20250124'));
    expect(tools[0]).toMatchObject({
      type: 'computer_20250124',
      display_width_px: 1280,
      display_height_px: 800,
    });
    expect(betas).toEqual(['computer-use-2025-01-24']);
    const old = await upstreamOf(requestOf(taking('computer_20250124')), OF_2024);
    expect(old.betas).toEqual(['computer-use-2024-10-22']);
  });

  it('have examples of input in their own words, without those that are no single input', async () => {
    const tool = computerTool('computer_20250124', {
      input_examples: [
        { action: 'left_click', coordinate: [1, 2] },
        { action: 'left_click' },
        { action: 'key', text: 'ctrl+s' },
      ],
    });
    const { tools } = await upstreamOf(requestOf(OF_2024, undefined, { tools: [tool] }), OF_2024);
    expect(tools[0]).toHaveProperty('input_examples', [
      { action: 'left_click' },
      { action: 'key', text: 'ctrl+s' },
    ]);
  });
});

describe('editors', () => {
  it('lose what their new generation has no field for', async () => {
    const tool = editorTool('text_editor_20250728', {
      max_characters: 5000,
      cache_control: { type: 'ephemeral' },
      input_examples: [{ command: 'insert', path: '/a', insert_line: 0, insert_text: 'x' }],
    });
    const { tools, system } = await upstreamOf(requestOf(OF_TODAY, undefined, { tools: [tool] }), OF_2024);
    expect(tools[0]).toEqual({
      type: 'text_editor_20241022',
      name: 'str_replace_editor',
      cache_control: { type: 'ephemeral' },
      input_examples: [{ command: 'insert', path: '/a', insert_line: 0, new_str: 'x' }],
    });
    expect(system).toContain('there is no command undo_edit here');
  });

  it('whose new name another tool has are refused', async () => {
    const custom: ToolParam = {
      name: 'str_replace_based_edit_tool',
      description: 'Mine.',
      input_schema: { type: 'object' },
    };
    const request = requestOf(OF_2024, undefined, { tools: [custom, editorTool('text_editor_20241022')] });
    await expect(upstreamOf(request, OF_TODAY)).rejects.toThrow(
      'tools.1: the model takes text_editor_20250728, and two tools would be named str_replace_based_edit_tool then',
    );
  });
});

describe('system texts', () => {
  it('keep their blocks and breakpoints; the note comes last', async () => {
    const system = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }] as const;
    const asked = await upstreamOf(
      requestOf(OF_2024, undefined, { system, system_prompt: 'Mind the gap.' }),
      OF_TODAY,
    );
    expect(asked.system).toEqual([
      ...system,
      { type: 'text', text: expect.stringMatching(/^About the tools/) as string },
    ]);
    expect(asked.system_prompt).toBe('Mind the gap.');
  });

  it('get no note when nothing is amiss', async () => {
    const asked = await upstreamOf(requestOf(taking('computer_20251124')), taking('computer_20250124'));
    expect(asked).not.toHaveProperty('system');
  });
});

describe('the choice of a tool', () => {
  it('of the computer becomes any tool of the toolset, which is the only one on offer', async () => {
    const choice = { type: 'tool', name: 'computer', disable_parallel_tool_use: true } as const;
    const asked = await upstreamOf(requestOf(OF_2024, undefined, { tool_choice: choice }), OF_TODAY);
    expect(asked.tool_choice).toEqual({ type: 'any', disable_parallel_tool_use: true });
    expect(asked.tools.map(({ type }) => type)).toEqual(['computer_toolset_20260801']);
  });

  it('of the editor takes its new name, of bash and of custom tools stays', async () => {
    const named = async (name: string): Promise<unknown> =>
      (await upstreamOf(requestOf(OF_2024, undefined, { tool_choice: { type: 'tool', name } }), OF_TODAY))
        .tool_choice;
    await expect(named('str_replace_editor')).resolves.toEqual({
      type: 'tool',
      name: 'str_replace_based_edit_tool',
    });
    await expect(named('bash')).resolves.toEqual({ type: 'tool', name: 'bash' });
  });

  it('of one action of the toolset is refused where the model takes one computer tool', async () => {
    const request = requestOf(OF_TODAY, undefined, { tool_choice: { type: 'tool', name: 'screenshot' } });
    const asking = upstreamOf(request, taking('computer_20251124'));
    await expect(asking).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(asking).rejects.toThrow(
      'tool_choice.name: the model takes computer_20251124, of which no single action',
    );
  });

  it('stays as it is when it names none', async () => {
    for (const choice of [{ type: 'auto' }, { type: 'any' }, { type: 'none' }] as const) {
      const asked = await upstreamOf(requestOf(OF_2024, undefined, { tool_choice: choice }), OF_TODAY);
      expect(asked.tool_choice).toEqual(choice);
      expect(asked.tools).toHaveLength(3);
    }
  });
});

describe('edits of the context', () => {
  it('spare the uses of a tool under the names that they have upstream', async () => {
    const clearing = (names: string[]): Partial<ModelRequest> => ({
      context_management: {
        edits: [
          { type: 'clear_tool_uses_20250919', exclude_tools: names },
          { type: 'clear_thinking_20251015' },
        ],
      },
    });
    const old = requestOf(OF_2024, undefined, clearing(['str_replace_editor', 'bash', 'mine']));
    expect((await upstreamOf(old, OF_TODAY)).context_management?.edits).toEqual([
      { type: 'clear_tool_uses_20250919', exclude_tools: ['str_replace_based_edit_tool', 'bash', 'mine'] },
      { type: 'clear_thinking_20251015' },
    ]);
    const members = requestOf(OF_TODAY, undefined, clearing(['screenshot', 'zoom']));
    expect(
      (await upstreamOf(members, taking('computer_20251124'))).context_management?.edits?.[0],
    ).toMatchObject({
      exclude_tools: ['computer'],
    });
    const whole = requestOf(OF_2024, undefined, clearing(['computer']));
    expect(JSON.stringify((await upstreamOf(whole, OF_TODAY)).context_management)).toContain(
      'left_click_drag',
    );
  });
});

describe('counting', () => {
  it('counts what the upstream is asked, by the upstream when it can', async () => {
    const request = requestOf(OF_2024);
    const model = modelOf(messageOf([]));
    const own = await withBridge(model, OF_TODAY).countTokens?.(request, options);
    const asked: ModelRequest[] = [];
    const counting = {
      ...model,
      countTokens: async (given: ModelRequest) => {
        asked.push(given);
        return 4711;
      },
    };
    await expect(withBridge(counting, OF_TODAY).countTokens?.(request, options)).resolves.toBe(4711);
    expect(asked[0]?.tools[0]).toHaveProperty('type', 'computer_toolset_20260801');
    // The toolset's definition is several thousand tokens, the tool of 2024 some hundred.
    const plain = await withBridge(model, OF_2024).countTokens?.(request, options);
    expect(own).toBeGreaterThan(plain ?? Infinity);
  });
});

describe('a tool that only looks like another generation', () => {
  it('is left alone', async () => {
    const bash = bashTool('bash_20250124');
    const asked = await upstreamOf(requestOf(OF_TODAY, undefined, { tools: [bash], betas: [] }), OF_TODAY);
    expect(asked.tools).toEqual([bash]);
  });
});
