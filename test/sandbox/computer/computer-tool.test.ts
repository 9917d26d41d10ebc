import sharp from 'sharp';
import type { Compat, DisplaySize } from '@steadyhand/contracts';
import { ToolError } from '../../../sandbox/tools/tool.ts';
import { localGuest } from '../display/local-guest.ts';
import { openComputer, pictureSize } from './test-computer.ts';
import { openedForAll } from '../../support/opened.ts';
import { isThorough } from '../../support/sampled.ts';

describe('at 1024x768', () => {
  const computer = openedForAll(() => openComputer({ width: 1024, height: 768 }));
  beforeEach(() => computer.target.clear());

  const texts: [input: unknown, message: string][] = [
    [{ action: 'mouse_move' }, 'coordinate is required for mouse_move'],
    [{ action: 'left_click_drag', coordinate: null }, 'coordinate is required for left_click_drag'],
    [{ action: 'mouse_move', text: 'x' }, 'coordinate is required for mouse_move'],
    [{ action: 'mouse_move', coordinate: [1, 2], text: 'x' }, 'text is not accepted for mouse_move'],
    [{ action: 'left_click_drag', coordinate: [1, 2], text: '' }, 'text is not accepted for left_click_drag'],
    [{ action: 'mouse_move', coordinate: [1] }, '[1] must be a tuple of length 2'],
    [{ action: 'mouse_move', coordinate: [1, 2, 3] }, '[1, 2, 3] must be a tuple of length 2'],
    [{ action: 'mouse_move', coordinate: '1,2' }, '1,2 must be a tuple of length 2'],
    [{ action: 'mouse_move', coordinate: { x: 1, y: 2 } }, "{'x': 1, 'y': 2} must be a tuple of length 2"],
    [{ action: 'mouse_move', coordinate: [1, -2] }, '[1, -2] must be a tuple of non-negative ints'],
    [{ action: 'mouse_move', coordinate: [1.5, 2] }, '[1.5, 2] must be a tuple of non-negative ints'],
    [{ action: 'mouse_move', coordinate: ['1', null] }, "['1', None] must be a tuple of non-negative ints"],
    [{ action: 'key' }, 'text is required for key'],
    [{ action: 'type', text: null }, 'text is required for type'],
    [{ action: 'key', text: 'a', coordinate: [1, 2] }, 'coordinate is not accepted for key'],
    [{ action: 'type', text: 'a', coordinate: [1, 2] }, 'coordinate is not accepted for type'],
    [{ action: 'type', text: 5 }, '5 must be a string'],
    [{ action: 'key', text: ['a', true] }, "['a', True] must be a string"],
    ...['left_click', 'right_click', 'middle_click', 'double_click', 'screenshot', 'cursor_position'].flatMap(
      (action): [unknown, string][] => [
        [{ action, text: 'x' }, `text is not accepted for ${action}`],
        [{ action, coordinate: [1, 2] }, `coordinate is not accepted for ${action}`],
        [{ action, coordinate: [1, 2], text: '' }, `text is not accepted for ${action}`],
      ],
    ),
    [{ action: 'triple_click' }, 'Invalid action: triple_click'],
    [{ action: 'toString' }, 'Invalid action: toString'],
    [{ action: ['key'] }, "Invalid action: ['key']"],
    [{ action: 7 }, 'Invalid action: 7'],
    [{}, 'action is required'],
    [{ text: 'x' }, 'action is required'],
    ['left_click', 'input must be an object with an action'],
    [[], 'input must be an object with an action'],
  ];

  test.each<Compat>(['default', 'reference'])('bad input, %s', async (compat) => {
    for (const [input, message] of texts) {
      const failure: unknown = await computer.run(compat, input).then(
        () => 'no failure',
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(ToolError);
      expect((failure as ToolError).message).toBe(message);
    }
    expect(computer.target.events).toEqual([]);
  });

  test('a generation that is not there', async () => {
    await expect(
      computer.run('default', { action: 'screenshot' }, { type: 'computer_19990101' }),
    ).rejects.toThrow('computer_19990101 is not a computer tool that this sandbox has');
  });

  test('each action does what it says and shows the screen afterwards', async () => {
    const { run, target } = computer;
    const done: string[] = [];
    const act = async (input: Record<string, unknown>): Promise<void> => {
      const output = await run('default', input);
      expect({ ...output, image: undefined }).toEqual({ image: undefined });
      expect(await pictureSize(output)).toEqual({ width: 1024, height: 768 });
      done.push(...target.clicks());
      target.clear();
    };
    await act({ action: 'mouse_move', coordinate: [30, 40] });
    await act({ action: 'left_click' });
    await act({ action: 'right_click' });
    await act({ action: 'middle_click' });
    await act({ action: 'double_click' });
    await act({ action: 'left_click_drag', coordinate: [90, 80] });
    expect(done).toEqual(['1@30,40', '3@30,40', '2@30,40', '1@30,40', '1@30,40', '1@30,40']);
    expect(await run('default', { action: 'cursor_position' })).toEqual({ output: 'X=90,Y=80' });
    await act({ action: 'screenshot' });

    const presses = (): number => target.events.filter(({ name }) => name === 'KeyPress').length;
    await run('default', { action: 'key', text: 'Down Down Up' });
    expect(presses()).toBe(3);
    target.clear();
    await run('default', { action: 'type', text: 'abc' });
    expect(presses()).toBe(3);
  });

  test('unknown fields and null ones are left alone', async () => {
    await computer.run('default', { action: 'left_click', coordinate: null, text: null, reason: 'x' });
    expect(computer.target.clicks()).toHaveLength(1);
  });

  test('a key that is none is an error, said once, with the reference said as xdotool says it', async () => {
    const mended = await computer.run('default', { action: 'key', text: 'NoSuchKey' });
    expect(mended.error).toBe("(symbol) No such key name 'NoSuchKey'. Ignoring it.");
    const reference = await computer.run('reference', { action: 'key', text: 'NoSuchKey' });
    expect(reference.error).toBe("(symbol) No such key name 'NoSuchKey'. Ignoring it.\n".repeat(2));
    await expect(computer.run('default', { action: 'key', text: ' ' })).rejects.toThrow(
      'text is required for key',
    );
  });

  test('text and keys never reach a shell', async () => {
    const { run, target } = computer;
    for (const action of ['type', 'key'])
      await run('default', { action, text: '$(touch /tmp/pwned-by-computer-tool);`id`' });
    await expect(localGuest().files.stat('/tmp/pwned-by-computer-tool')).resolves.toBeNull();
    expect(target.events.length).toBeGreaterThan(0);
  });

  test('coordinates are checked against the size that the model was told', async () => {
    const told = { display_width_px: 512, display_height_px: 384 };
    await expect(
      computer.run('default', { action: 'mouse_move', coordinate: [513, 0] }, told),
    ).rejects.toThrow('Coordinates 513, 0 are out of bounds');
    const output = await computer.run('default', { action: 'mouse_move', coordinate: [100, 50] }, told);
    expect(await pictureSize(output)).toEqual({ width: 512, height: 384 });
    expect(await computer.display.mouse.position()).toEqual({ x: 200, y: 100 });
    expect(await computer.run('default', { action: 'cursor_position' }, told)).toEqual({
      output: 'X=100,Y=50',
    });
  });

  test('the screenshot after a click shows what the click did', async () => {
    const { display, target } = computer;
    await display.mouse.move({ x: 500, y: 500 });
    // One that says when it has dealt with its input: of another it is only hoped that it is quick.
    const stop = await target.answerPings(async () => {
      if (target.clicks().length > 0) target.fill(0xffffff, 0, 0, 100, 100);
    });
    const { image } = await computer.run('default', { action: 'left_click' });
    await stop();
    const { data } = await sharp(image)
      .extract({ left: 50, top: 50, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data]).toEqual([255, 255, 255]);
  });

  test('an interrupt ends the wait at once and still shows the screen', async () => {
    const controller = new AbortController();
    controller.abort();
    const started = performance.now();
    const output = await computer.run('reference', { action: 'left_click' }, {}, controller.signal);
    // It would wait for two seconds.
    expect(performance.now() - started).toBeLessThan(2000);
    expect(output.image).toBeDefined();
  });
});

describe('clicks land where they should at any size', () => {
  // The last is four times as large as the others, and is seen with STEADYHAND_TEST_ALL=1.
  const sizes: readonly [screen: DisplaySize, told: DisplaySize][] = [
    [
      { width: 640, height: 480 },
      { width: 640, height: 480 },
    ],
    [
      { width: 1920, height: 1080 },
      { width: 1366, height: 768 },
    ],
    [
      { width: 1280, height: 1024 },
      { width: 1000, height: 800 },
    ],
    [
      { width: 3840, height: 2160 },
      { width: 1280, height: 720 },
    ],
  ];
  test.each(isThorough ? sizes : sizes.slice(0, -1))('%j shown as %j', async (screen, told) => {
    const computer = await openComputer(screen);
    const definition = { display_width_px: told.width, display_height_px: told.height };
    for (const [u, v] of [
      [0, 0],
      [0.25, 0.75],
      [0.5, 0.5],
      [1, 1],
    ] as const) {
      const coordinate = [Math.round(u * (told.width - 1)), Math.round(v * (told.height - 1))] as const;
      computer.target.clear();
      await computer.run('default', { action: 'mouse_move', coordinate }, definition);
      const output = await computer.run('default', { action: 'left_click' }, definition);
      expect(await pictureSize(output)).toEqual(told);
      const [click] = computer.target.events.filter(({ name }) => name === 'ButtonPress');
      // Within the pixel of the picture that was pointed at.
      expect(
        Math.abs((click?.rootx ?? -1) - (coordinate[0] * screen.width) / told.width),
      ).toBeLessThanOrEqual(0.5);
      expect(
        Math.abs((click?.rooty ?? -1) - (coordinate[1] * screen.height) / told.height),
      ).toBeLessThanOrEqual(0.5);
      const position = await computer.run('default', { action: 'cursor_position' }, definition);
      expect(position.output).toBe(`X=${coordinate[0]},Y=${coordinate[1]}`);
    }
    await computer.close();
  });

  test('the reference scales by its own targets, whatever it is told', async () => {
    const computer = await openComputer({ width: 1920, height: 1080 });
    await computer.display.mouse.move({ x: 960, y: 540 });
    expect(await computer.run('reference', { action: 'cursor_position' }, { display_width_px: 100 })).toEqual(
      {
        output: 'X=683,Y=384',
      },
    );
    expect(await pictureSize(await computer.run('reference', { action: 'screenshot' }))).toEqual({
      width: 1366,
      height: 768,
    });
    await computer.close();
  });
});
