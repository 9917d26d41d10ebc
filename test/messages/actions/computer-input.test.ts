import { COMPUTER_FORMS } from '../../../messages/actions/computer-forms.ts';
import { fromToolset, toToolset } from '../../../messages/actions/chords.ts';
import { decodeComputer } from '../../../messages/actions/decode-computer.ts';
import { computerToolset20260801 } from '../../../messages/tools/computer-toolset-20260801.ts';
import { PROVIDER_TOOLS } from '../../../messages/tools/provider-tools.ts';
import type { ComputerGeneration } from '../../../messages/tools/generations.ts';

const of2024 = 'computer_20241022';
const of2025 = 'computer_20250124';
const toolset = 'computer_toolset_20260801';

function decoded(generation: ComputerGeneration, name: string, input: Record<string, unknown> = {}): unknown {
  const { action, invalid } = decodeComputer(COMPUTER_FORMS[generation], { name, input });
  return action ?? invalid;
}

describe('input of the computer tool', () => {
  it.each<[ComputerGeneration, string, Record<string, unknown>, unknown]>([
    [of2024, 'left_click', {}, { type: 'click', button: 'left', count: 1 }],
    [of2024, 'double_click', { coordinate: null, text: null }, { type: 'click', button: 'left', count: 2 }],
    [of2024, 'left_click_drag', { coordinate: [3, 4] }, { type: 'drag', to: [3, 4] }],
    [of2024, 'key', { text: 'Down Down  Up' }, { type: 'key', keys: ['Down', 'Down', 'Up'] }],
    [of2024, 'type', { text: '' }, { type: 'type', text: '' }],
    [of2024, 'screenshot', { why: 'to see' }, { type: 'screenshot' }],
    [
      of2025,
      'left_click',
      { coordinate: [1, 2], key: 'ctrl' },
      { type: 'click', button: 'left', count: 1, at: [1, 2], modifiers: 'ctrl' },
    ],
    [
      of2025,
      'scroll',
      { coordinate: [1, 2], scroll_direction: 'left', scroll_amount: 0, text: 'shift' },
      { type: 'scroll', direction: 'left', amount: 0, at: [1, 2], modifiers: 'shift' },
    ],
    [of2025, 'hold_key', { text: 'w', duration: 1.5 }, { type: 'hold_key', keys: ['w'], seconds: 1.5 }],
    [of2025, 'left_click_drag', { coordinate: [3, 4] }, { type: 'drag', to: [3, 4] }],
    ['computer_20251124', 'zoom', { region: [0, 1, 2, 3] }, { type: 'zoom', region: [0, 1, 2, 3] }],
    [toolset, 'key', { text: 'ENTER', repeat: 3 }, { type: 'key', keys: ['Return', 'Return', 'Return'] }],
    [toolset, 'key', { text: 'Ctrl+S', repeat: null }, { type: 'key', keys: ['ctrl+s'] }],
    [toolset, 'wait', { duration: 300 }, { type: 'wait', seconds: 300 }],
  ])('of %s, %s %j', (generation, name, input, expected) => {
    expect(decoded(generation, name, input)).toEqual(expected);
  });

  it.each<[ComputerGeneration, string, Record<string, unknown>, string]>([
    [of2024, 'scroll', {}, 'Invalid action: scroll'],
    [of2024, '', {}, 'Invalid action: '],
    [of2024, 'left_click', { coordinate: [1, 2] }, 'coordinate is not accepted for left_click'],
    [of2024, 'left_click', { text: 'ctrl' }, 'text is not accepted for left_click'],
    [of2024, 'left_click_drag', {}, 'coordinate is required for left_click_drag'],
    [
      of2024,
      'left_click_drag',
      { coordinate: [1, 2], start_coordinate: [3, 4] },
      'start_coordinate is not accepted for left_click_drag',
    ],
    [of2024, 'mouse_move', { coordinate: [1] }, '[1] must be a tuple of length 2'],
    [of2024, 'mouse_move', { coordinate: '1, 2' }, '"1, 2" must be a tuple of length 2'],
    [of2024, 'mouse_move', { coordinate: [1, -2] }, '[1,-2] must be a tuple of non-negative ints'],
    [of2024, 'mouse_move', { coordinate: [1, 2.5] }, '[1,2.5] must be a tuple of non-negative ints'],
    [of2024, 'mouse_move', { coordinate: [1, 2], text: 'x' }, 'text is not accepted for mouse_move'],
    [of2024, 'key', {}, 'text is required for key'],
    [of2024, 'key', { text: ' ' }, 'text must name a key'],
    [of2024, 'type', { text: 7 }, '7 must be a string'],
    [of2024, 'type', { text: 'x', coordinate: [1, 2] }, 'coordinate is not accepted for type'],
    [of2024, 'screenshot', { text: 'x' }, 'text is not accepted for screenshot'],
    [of2024, 'left_click', { INVALID_JSON: '{' }, 'the input is no JSON object'],
    [of2025, 'left_click', { text: 'ctrl', key: 'alt' }, 'key is not accepted for left_click'],
    [of2025, 'left_click', { text: 'ctrl alt' }, 'text must be one combination of keys, joined by +'],
    [of2025, 'left_mouse_down', { coordinate: [1, 2] }, 'coordinate is not accepted for left_mouse_down'],
    [
      of2025,
      'left_click_drag',
      { coordinate: [1, 2], text: 'ctrl' },
      'text is not accepted for left_click_drag',
    ],
    [of2025, 'zoom', { region: [0, 1, 2, 3] }, 'Invalid action: zoom'],
    [
      of2025,
      'scroll',
      { scroll_direction: 'north', scroll_amount: 1 },
      `scroll_direction="north" must be 'up', 'down', 'left', or 'right'`,
    ],
    [
      of2025,
      'scroll',
      { scroll_direction: 'up', scroll_amount: -1 },
      'scroll_amount=-1 must be a whole number at least 0',
    ],
    [of2025, 'wait', { duration: '1' }, 'duration="1" must be a number'],
    [of2025, 'wait', { duration: -1 }, 'duration=-1 must be non-negative'],
    [of2025, 'wait', { duration: 100.5 }, 'duration=100.5 is too long.'],
    [
      'computer_20251124',
      'zoom',
      { region: [0, 1, 2] },
      'region=[0,1,2] must be a tuple of 4 coordinates (x0, y0, x1, y1)',
    ],
    [
      'computer_20251124',
      'zoom',
      { region: [0, 1, 2, -3] },
      'region=[0,1,2,-3] must contain non-negative integers',
    ],
    [toolset, 'left_click_drag', { coordinate: [1, 2] }, 'start_coordinate is required for left_click_drag'],
    [toolset, 'key', { text: 'a', repeat: 101 }, 'repeat=101 must be a whole number from 1 to 100'],
    [toolset, 'key', { text: 'a', repeat: 0 }, 'repeat=0 must be a whole number from 1 to 100'],
    [toolset, 'hold_key', { text: 'a', duration: 301 }, 'duration=301 is too long.'],
  ])('of %s, %s %j, means nothing: %s', (generation, name, input, reason) => {
    expect(decoded(generation, name, input)).toBe(reason);
  });
});

describe('names of keys', () => {
  it.each([
    ['ctrl+shift+ESCAPE', 'ctrl+shift+Escape'],
    ['Control+C', 'ctrl+c'],
    ['cmd+space', 'super+space'],
    ['ctrl++', 'ctrl+plus'],
    ['+', 'plus'],
    ['pagedown', 'Page_Down'],
    ['XF86AudioMute', 'XF86AudioMute'],
    ['f11', 'F11'],
    ['A', 'a'],
  ])('%s of the toolset is %s of X11', (common, own) => {
    expect(fromToolset(common)).toBe(own);
  });

  it.each([
    ['A', 'shift+a'],
    ['ctrl+S', 'ctrl+shift+s'],
    ['ctrl+shift+S', 'ctrl+shift+s'],
    ['Page_Down', 'Page_Down'],
    ['alt+F4', 'alt+F4'],
  ])('%s of X11 is %s of the toolset', (own, common) => {
    expect(toToolset(own)).toBe(common);
    expect(fromToolset(common).toLowerCase()).toBe(common.toLowerCase());
  });
});

describe('the actions of each generation', () => {
  it('are those that models are offered', () => {
    for (const form of Object.values(COMPUTER_FORMS)) {
      const kind = PROVIDER_TOOLS.find(({ type }) => type === form.generation);
      const tool = { type: form.generation, name: 'computer', enable_zoom: true } as never;
      const functions = kind?.functions(tool) ?? [];
      const offered = form.toolset
        ? functions.map(({ name }) => name)
        : functions.flatMap(
            ({ input_schema: schema }) => (schema.properties as { action: { enum: string[] } }).action.enum,
          );
      expect([...form.actions].sort()).toEqual([...offered].sort());
    }
    expect(computerToolset20260801.type).toBe(toolset);
  });
});
