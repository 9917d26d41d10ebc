import { Ajv } from 'ajv';
import { entryName, namesOf, toolFor, type CustomTool, type ProviderTool } from '../../../messages/index.ts';
import type { ComputerToolset } from '../../../messages/api/api-types.ts';
import { functionsOf } from '../../../messages/tools/provider-tools.ts';
import { generatedPrompt, systemPrompt } from '../../../messages/tools/system-prompt.ts';
import { membersOf } from '../../../messages/tools/tool-names.ts';

const display = { name: 'computer', display_width_px: 1280, display_height_px: 800 } as const;
const toolset: ComputerToolset = { type: 'computer_toolset_20260801' };
const GENERATIONS: readonly ProviderTool[] = [
  { type: 'computer_20241022', ...display },
  { type: 'computer_20250124', ...display },
  { type: 'computer_20251124', ...display },
  { type: 'computer_20251124', ...display, enable_zoom: true },
  toolset,
  { ...toolset, configs: { zoom: { enabled: false }, wait: { enabled: false } } },
  { type: 'text_editor_20241022', name: 'str_replace_editor' },
  { type: 'text_editor_20250124', name: 'str_replace_editor' },
  { type: 'text_editor_20250429', name: 'str_replace_based_edit_tool' },
  { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 5000 },
  { type: 'bash_20241022', name: 'bash' },
  { type: 'bash_20250124', name: 'bash' },
];
const custom: CustomTool = { name: 'left_click', description: 'd', input_schema: { type: 'object' } };

function schemaOf(
  type: string,
  index = 0,
): { properties: Record<string, { enum?: string[] }>; required: string[] } {
  const tool = GENERATIONS.filter((candidate) => candidate.type === type)[index];
  if (tool === undefined) throw new Error(type);
  return functionsOf(tool)[0]?.input_schema as never;
}

describe.each(GENERATIONS.map((tool) => [tool.type, tool] as const))('%s', (_type, tool) => {
  it('is described in the generated prompt, which opens as ever', () => {
    const prompt = generatedPrompt([tool]) ?? '';
    expect(prompt).toMatch(/^You have access to a set of functions .* a sandboxed computing environment/);
    for (const name of namesOf(tool)) expect(prompt).toContain(name);
  });

  it('is offered as functions under the names that its uses carry, with schemas of JSON Schema', () => {
    const functions = functionsOf(tool);
    expect(functions.map(({ name }) => name)).toEqual(namesOf(tool));
    for (const { description, input_schema: schema } of functions) {
      expect(description).not.toBe('');
      expect(new Ajv({ strict: true, strictTypes: false }).validateSchema(schema)).toBe(true);
    }
  });
});

it('gives the computer of 2024 its ten actions, and clicks no coordinate', () => {
  const { properties, required } = schemaOf('computer_20241022');
  const names =
    'key type mouse_move left_click left_click_drag right_click middle_click double_click screenshot cursor_position';
  expect(properties['action']?.enum).toEqual(names.split(' '));
  expect(Object.keys(properties)).toEqual(['action', 'coordinate', 'text']);
  expect(required).toEqual(['action']);
});

it('adds six actions in 2025, and zoom only where it is asked for', () => {
  const added = ['left_mouse_down', 'left_mouse_up', 'triple_click', 'scroll', 'hold_key', 'wait'];
  const before = schemaOf('computer_20241022').properties['action']?.enum ?? [];
  expect(schemaOf('computer_20250124').properties['action']?.enum).toEqual([...before, ...added]);
  expect(schemaOf('computer_20251124').properties['action']?.enum).toEqual([...before, ...added]);
  expect(schemaOf('computer_20251124', 1).properties['action']?.enum).toEqual([...before, ...added, 'zoom']);
  expect(Object.keys(schemaOf('computer_20251124').properties)).not.toContain('region');
  expect(Object.keys(schemaOf('computer_20251124', 1).properties)).toContain('region');
});

it('gives the editors their commands: undo until 2025-01, insert_text from 2025-07', () => {
  const commands = ['view', 'create', 'str_replace', 'insert'];
  for (const [type, undo, field] of [
    ['text_editor_20241022', true, 'new_str'],
    ['text_editor_20250124', true, 'new_str'],
    ['text_editor_20250429', false, 'new_str'],
    ['text_editor_20250728', false, 'insert_text'],
  ] as const) {
    const { properties, required } = schemaOf(type);
    expect(properties['command']?.enum).toEqual(undo ? [...commands, 'undo_edit'] : commands);
    expect(Object.keys(properties).includes('insert_text')).toBe(field === 'insert_text');
    expect(required).toEqual(['command', 'path']);
  }
});

it('tells the editor of 2025-07 how much it may show', () => {
  expect(generatedPrompt([GENERATIONS[9] as ProviderTool])).toContain('at most 5000 characters');
});

it('offers a toolset without the members that are switched off', () => {
  expect(membersOf(toolset)).toHaveLength(17);
  const some = GENERATIONS[5] as ComputerToolset;
  expect(membersOf(some)).toHaveLength(15);
  expect(generatedPrompt([some])).not.toMatch(/- (zoom|wait):/);
  expect(functionsOf(some).map(({ name }) => name)).not.toContain('zoom');
});

describe('the entry that a tool use is of', () => {
  const tools = [toolset, custom, GENERATIONS[10] as ProviderTool];

  it('is found by the pair of toolset and name', () => {
    expect(toolFor(tools, { name: 'left_click', toolset_name: 'computer' })).toBe(toolset);
    expect(toolFor(tools, { name: 'left_click' })).toBe(custom);
    expect(toolFor(tools, { name: 'left_click', toolset_name: null })).toBe(custom);
    expect(toolFor(tools, { name: 'bash' })).toBe(tools[2]);
    expect(toolFor(tools, { name: 'screenshot' })).toBe(toolset);
  });

  it('is none for a name that nobody has, or of another toolset', () => {
    expect(toolFor(tools, { name: 'jump', toolset_name: 'computer' })).toBeUndefined();
    expect(toolFor(tools, { name: 'left_click', toolset_name: 'browser' })).toBeUndefined();
    expect(toolFor(tools, { name: 'computer' })).toBeUndefined();
  });

  it('has one name to tell it apart by', () => {
    expect(tools.map((tool) => entryName(tool))).toEqual(['computer', 'left_click', 'bash']);
  });
});

it('combines the generated prompt of any generation with system_prompt and system, in this order', () => {
  for (const tool of GENERATIONS) {
    const prompt = systemPrompt({ tools: [tool], system_prompt: 'First.', system: 'Second.' }) ?? '';
    expect(prompt.startsWith(generatedPrompt([tool]) ?? '-')).toBe(true);
    expect(prompt).toMatch(/\n\nFirst\.\n\nSecond\.$/);
  }
});
