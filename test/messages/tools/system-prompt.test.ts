import { type ToolParam } from '../../../messages/index.ts';
import { clientSystem, generatedPrompt, systemPrompt } from '../../../messages/tools/system-prompt.ts';
import { TOOLS } from '../support.ts';

const [computer, editor, bash] = TOOLS as [ToolParam, ToolParam, ToolParam];
const weather: ToolParam = {
  type: 'custom',
  name: 'get_weather',
  description: 'The weather',
  input_schema: { type: 'object' },
};
const OPENING =
  /^You have access to a set of functions .* a sandboxed computing environment\. .*except by calling the functions/;

it('opens with the functions, the sandboxed environment, and that nothing else is within reach', () => {
  for (const tool of TOOLS) expect(generatedPrompt([tool])).toMatch(OPENING);
});

it('is generated only when a provider-defined tool is asked for', () => {
  expect(generatedPrompt([])).toBeNull();
  expect(generatedPrompt([weather])).toBeNull();
  expect(systemPrompt({ tools: [weather] })).toBeUndefined();
});

it('describes the tools of the request and no others', () => {
  const prompt = generatedPrompt([bash, weather]);
  expect(prompt).toContain('- bash: a shell');
  expect(prompt).toContain('- get_weather: The weather');
  expect(prompt).not.toContain('str_replace_editor');
  expect(prompt).not.toContain('screenshot');
});

it('names every action and command of the specification', () => {
  const prompt = generatedPrompt([computer, editor, bash]) ?? '';
  const names =
    'key, type, mouse_move, left_click, left_click_drag, right_click, middle_click, ' +
    'double_click, screenshot, cursor_position, coordinate, text, ' +
    'view, create, str_replace, insert, undo_edit, path, file_text, insert_line, new_str, ' +
    'old_str, view_range, <response clipped>, command, restart, in the background';
  for (const name of names.split(', ')) {
    expect(prompt).toContain(name);
  }
});

it('tells the size of the display, and its number when one was given', () => {
  expect(generatedPrompt([computer])).toContain('1024 pixels wide and 768 high');
  expect(generatedPrompt([computer])).not.toContain('X11 display');
  expect(generatedPrompt([{ ...computer, display_number: 7 } as ToolParam])).toContain('the X11 display :7');
});

it('is followed by the system_prompt and the system of the client', () => {
  const prompt = systemPrompt({ tools: [bash], system_prompt: 'Be brief.', system: 'Be kind.' });
  expect(prompt).toMatch(OPENING);
  expect(prompt).toMatch(/\n\nBe brief\.\n\nBe kind\.$/);
  const blocks = [{ type: 'text', text: 'Be kind.' }] as const;
  expect(systemPrompt({ tools: [bash], system_prompt: 'Be brief.', system: blocks })).toBe(prompt);
});

describe("the client's own part", () => {
  it('is nothing, a text, or blocks with what they carry', () => {
    expect(clientSystem({})).toBeUndefined();
    expect(clientSystem({ system_prompt: ' ' })).toBeUndefined();
    expect(clientSystem({ system_prompt: 'A' })).toBe('A');
    expect(clientSystem({ system: 'B' })).toBe('B');
    expect(clientSystem({ system_prompt: 'A', system: 'B' })).toBe('A\n\nB');
    const block = { type: 'text', text: 'B', cache_control: { type: 'ephemeral' } } as const;
    expect(clientSystem({ system: [block] })).toEqual([block]);
    expect(clientSystem({ system_prompt: 'A', system: [block] })).toEqual([
      { type: 'text', text: 'A' },
      block,
    ]);
  });
});
