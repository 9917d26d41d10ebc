import sharp from 'sharp';
import type { Compat } from '@steadyhand/contracts';
import { ToolError } from '../../../sandbox/tools/tool.ts';
import { openComputer, pictureSize } from './test-computer.ts';
import { openedForAll } from '../../support/opened.ts';

const SECOND = { type: 'computer_20250124' };
const THIRD = { type: 'computer_20251124', enable_zoom: true };
const toolsetTool = (name: string): { type: string; name: string } => ({
  type: 'computer_toolset_20260801',
  name,
});

const computer = openedForAll(() => openComputer({ width: 1024, height: 768 }));
beforeEach(() => computer.target.clear());

/** Presses and releases of buttons and keys in order, e.g. `+1@3,4`; keys by their keycode. */
function story(): string[] {
  return computer.target.events.flatMap(({ name, keycode = 0, rootx, rooty }) => {
    if (name === 'ButtonPress') return [`+${keycode}@${rootx},${rooty}`];
    if (name === 'ButtonRelease') return [`-${keycode}@${rootx},${rooty}`];
    if (name === 'KeyPress') return [`+key ${keycode}`];
    return name === 'KeyRelease' ? [`-key ${keycode}`] : [];
  });
}
const SHIFT = 50;
const CTRL = 37;

async function refusal(compat: Compat, input: unknown, definition: object): Promise<string> {
  const failure: unknown = await computer.run(compat, input, definition).catch((error: unknown) => error);
  return failure instanceof ToolError ? failure.message : 'no refusal';
}

const CLICKS = [
  ['left_click', 1, 1],
  ['right_click', 3, 1],
  ['middle_click', 2, 1],
  ['double_click', 1, 2],
  ['triple_click', 1, 3],
] as const;

test.each(CLICKS)('%s at a place, with keys held by text and by key', async (action, button, count) => {
  const coordinate = [321, 123];
  const once = [`+${button}@321,123`, `-${button}@321,123`];
  await computer.run('default', { action, coordinate }, SECOND);
  expect(story()).toEqual(Array.from({ length: count }, () => once).flat());
  for (const held of [{ text: 'ctrl+shift' }, { key: 'ctrl+shift' }, { text: 'ctrl', key: 'shift' }]) {
    computer.target.clear();
    await computer.run('default', { action, coordinate, ...held }, THIRD);
    expect(story()).toEqual([
      `+key ${CTRL}`,
      `+key ${SHIFT}`,
      ...Array.from({ length: count }, () => once).flat(),
      `-key ${SHIFT}`,
      `-key ${CTRL}`,
    ]);
  }
  computer.target.clear();
  await computer.run('default', { coordinate: null }, toolsetTool(action));
  expect(story()).toHaveLength(2 * count);
});

test.each([
  ['up', 4],
  ['down', 5],
  ['left', 6],
  ['right', 7],
] as const)('scroll %s', async (scroll_direction, button) => {
  for (const [compat, scroll_amount] of [
    ['default', 7],
    ['default', 0],
    ['reference', 3],
  ] as const) {
    computer.target.clear();
    await computer.run(
      compat,
      { action: 'scroll', coordinate: [40, 50], scroll_direction, scroll_amount },
      SECOND,
    );
    expect(computer.target.clicks()).toEqual(Array.from({ length: scroll_amount }, () => `${button}@40,50`));
  }
  computer.target.clear();
  await computer.run('default', { scroll_direction, scroll_amount: 1, text: 'ctrl' }, toolsetTool('scroll'));
  expect(story()).toEqual([`+key ${CTRL}`, `+${button}@40,50`, `-${button}@40,50`, `-key ${CTRL}`]);
});

test('a button is held from left_mouse_down to left_mouse_up', async () => {
  await computer.run('default', { action: 'mouse_move', coordinate: [5, 6] }, SECOND);
  await computer.run('default', { action: 'left_mouse_down' }, SECOND);
  expect(story()).toEqual(['+1@5,6']);
  await computer.run('default', { action: 'mouse_move', coordinate: [7, 8] }, SECOND);
  await computer.run('default', { action: 'left_mouse_up' }, SECOND);
  expect(story()).toEqual(['+1@5,6', '-1@7,8']);
});

test('a drag from a place, or from where the pointer is', async () => {
  await computer.run(
    'default',
    { action: 'left_click_drag', start_coordinate: [10, 20], coordinate: [300, 200] },
    SECOND,
  );
  await computer.run('default', { action: 'left_click_drag', coordinate: [50, 60] }, SECOND);
  expect(story()).toEqual(['+1@10,20', '-1@300,200', '+1@300,200', '-1@50,60']);
  computer.target.clear();
  const drag = { start_coordinate: [1, 2], coordinate: [30, 40], text: 'shift' };
  await computer.run('default', drag, toolsetTool('left_click_drag'));
  expect(story()).toEqual([`+key ${SHIFT}`, '+1@1,2', '-1@30,40', `-key ${SHIFT}`]);
});

test('keys are held for as long as is asked, and pressed as often', async () => {
  await computer.run('default', { action: 'hold_key', text: 'ctrl+a', duration: 0.15 }, SECOND);
  const presses = computer.target.events.filter(({ name }) => name === 'KeyPress');
  const releases = computer.target.events.filter(({ name }) => name === 'KeyRelease');
  // A key that a loaded machine holds for longer repeats itself.
  expect(new Set(presses.map(({ keycode }) => keycode)).size).toBe(2);
  expect((releases[0]?.time ?? 0) - (presses[1]?.time ?? 0)).toBeGreaterThanOrEqual(140);
  computer.target.clear();
  await computer.run('default', { text: 'ctrl+S', repeat: 3 }, toolsetTool('key'));
  expect(computer.target.events.filter(({ name }) => name === 'KeyPress')).toHaveLength(6);
  expect(story().some((event) => event.includes(`key ${SHIFT}`))).toBe(false);
});

test('wait shows the screen when it is over; an interrupt ends it', async () => {
  const output = await computer.run('default', { action: 'wait', duration: 0.05 }, SECOND);
  expect(await pictureSize(output)).toEqual({ width: 1024, height: 768 });
  const controller = new AbortController();
  const waiting = computer.run('default', { duration: 300 }, toolsetTool('wait'), controller.signal);
  controller.abort();
  expect((await waiting).image).toBeDefined();
});

test('zoom shows the screen’s own pixels', async () => {
  const definition = { ...THIRD, display_width_px: 512, display_height_px: 384 };
  // Stripes of one pixel, which a scaled picture would turn grey.
  for (let x = 200; x < 260; x += 2) computer.target.fill(0xffffff, x, 100, 1, 40);
  for (let x = 201; x < 260; x += 2) computer.target.fill(0x000000, x, 100, 1, 40);
  await computer.target.sync();
  const { image } = await computer.run('default', { action: 'zoom', region: [100, 50, 130, 70] }, definition);
  const { data, info } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([60, 40]);
  expect([...data.subarray(0, 6)]).toEqual([255, 0, 255, 0, 255, 0]);
  const ofToolset = await computer.run('default', { region: [100, 50, 130, 70] }, toolsetTool('zoom'));
  expect(await pictureSize(ofToolset)).toEqual({ width: 30, height: 20 });
});

test('the clipboard is written and read', async () => {
  const text = 'copied: ä 漢 👩‍💻';
  const written = await computer.run('default', { action: 'clipboard_write', text }, SECOND);
  expect(written).toEqual({ output: '15 characters are on the clipboard' });
  expect(await computer.run('default', { action: 'clipboard_read' })).toEqual({ output: text });
  await computer.run('default', { action: 'clipboard_write', text: 'x'.repeat(16_001) }, SECOND);
  const clipped = { output: `${'x'.repeat(16_000)}\n<response clipped>\n` };
  expect(await computer.run('default', { action: 'clipboard_read' })).toEqual(clipped);
  for (const [compat, definition] of [
    ['reference', SECOND],
    ['default', toolsetTool('clipboard_read')],
  ] as const)
    expect(await refusal(compat, { action: 'clipboard_read' }, definition)).toBe(
      'Invalid action: clipboard_read',
    );
});

const both: [input: object, message: string][] = [
  [{ action: 'scroll', scroll_amount: 1 }, "scroll_direction=None must be 'up', 'down', 'left', or 'right'"],
  [
    { action: 'scroll', scroll_direction: 'diagonal', scroll_amount: 1 },
    "scroll_direction='diagonal' must be 'up', 'down', 'left', or 'right'",
  ],
  [{ action: 'scroll', scroll_direction: 'up' }, 'scroll_amount=None must be a non-negative int'],
  [
    { action: 'scroll', scroll_direction: 'up', scroll_amount: -1 },
    'scroll_amount=-1 must be a non-negative int',
  ],
  [
    { action: 'scroll', scroll_direction: 'up', scroll_amount: '3' },
    "scroll_amount='3' must be a non-negative int",
  ],
  [
    { action: 'scroll', scroll_direction: 'up', scroll_amount: 1, coordinate: [1] },
    '[1] must be a tuple of length 2',
  ],
  [{ action: 'wait' }, 'duration=None must be a number'],
  [{ action: 'wait', duration: '1' }, "duration='1' must be a number"],
  [{ action: 'hold_key', duration: -0.5 }, 'duration=-0.5 must be non-negative'],
  [{ action: 'wait', duration: 101 }, 'duration=101 is too long.'],
  [{ action: 'hold_key', duration: 1 }, 'text is required for hold_key'],
  [
    { action: 'left_mouse_down', coordinate: [1, 2] },
    "coordinate is not accepted for action='left_mouse_down'.",
  ],
  [{ action: 'left_mouse_up', coordinate: [1, 2] }, "coordinate is not accepted for action='left_mouse_up'."],
  [{ action: 'left_click', coordinate: [1, -1] }, '[1, -1] must be a tuple of non-negative ints'],
  [{ action: 'mouse_move' }, 'coordinate is required for mouse_move'],
  [{ action: 'screenshot', text: 'x' }, 'text is not accepted for screenshot'],
  [{ action: 'zoom', region: [0, 0, 5] }, 'Invalid action: zoom'],
];

test.each<Compat>(['default', 'reference'])('what the second generation refuses, %s', async (compat) => {
  for (const [input, message] of both) expect(await refusal(compat, input, SECOND)).toBe(message);
  expect(computer.target.events).toEqual([]);
});

test('what only one of the two compats refuses', async () => {
  for (const { compat, type, input, message } of [
    {
      compat: 'reference',
      type: 'computer_20250124',
      input: { action: 'triple_click', text: 'ctrl' },
      message: 'text is not accepted for triple_click',
    },
    {
      compat: 'default',
      type: 'computer_20251124',
      input: { action: 'zoom', region: [0, 0, 5, 5] },
      message: 'zoom needs enable_zoom: true in the definition of the tool',
    },
  ] as const)
    expect(await refusal(compat, input, { type })).toBe(message);
  for (const [region, message] of [
    [undefined, 'region=None must be a tuple of 4 coordinates (x0, y0, x1, y1)'],
    [[0, 0, 5], 'region=[0, 0, 5] must be a tuple of 4 coordinates (x0, y0, x1, y1)'],
    [[0, 0, 5, -5], 'region=[0, 0, 5, -5] must contain non-negative integers'],
  ] as const) {
    expect(await refusal('default', { action: 'zoom', region }, THIRD)).toBe(message);
    expect(await refusal('reference', { action: 'zoom', region }, THIRD)).toBe(message);
  }
  expect(await refusal('default', { action: 'zoom', region: [5, 5, 5, 9] }, THIRD)).toBe(
    'region=[5, 5, 5, 9] must have x1 above x0 and y1 above y0',
  );
});

test('what a tool of the toolset refuses', async () => {
  for (const [name, input, message] of [
    ['left_click_drag', { coordinate: [1, 2] }, 'start_coordinate is required for left_click_drag'],
    ['left_click_drag', { start_coordinate: [1, 2] }, 'coordinate is required for left_click_drag'],
    ['key', {}, 'text is required for key'],
    ['key', { text: 'a', repeat: 101 }, 'repeat=101 must be an int from 1 to 100'],
    ['wait', { duration: 301 }, 'duration=301 is too long.'],
    ['browse', {}, 'Invalid action: browse'],
  ] as const)
    expect(await refusal('default', input, toolsetTool(name))).toBe(message);
});

test.each(['default', 'reference'] as const)('%s: no key is a command of xdotool', async (compat) => {
  for (const text of ['a exec touch /tmp/x', 'a EXEC touch /tmp/x', 'foo type text', 'a\nmousemove 1 1']) {
    expect(await refusal(compat, { action: 'key', text }, SECOND)).toMatch(/^No such key name/);
    const coordinate = [5, 5];
    expect(await refusal(compat, { action: 'left_click', coordinate, key: text }, SECOND)).toMatch(
      /^No such key/,
    );
    expect(await refusal(compat, { action: 'hold_key', text, duration: 0 }, SECOND)).toMatch(/^No such key/);
  }
});
