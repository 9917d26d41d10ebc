import type { DisplaySize, ToolDefinition } from '@steadyhand/contracts';
import {
  referenceSpace,
  scalingTarget,
  seenSize,
  declaredSpace,
} from '../../../sandbox/tools/computer/coordinate-space.ts';

const size = (text: string): DisplaySize => {
  const [width = 0, height = 0] = text.split('x').map(Number);
  return { width, height };
};
const definition = (told?: string): ToolDefinition => ({
  type: 'computer_20241022',
  name: 'computer',
  ...(told === undefined ? {} : { display_width_px: size(told).width, display_height_px: size(told).height }),
});

test.each<[screen: string, target: string | null]>([
  ['1920x1080', '1366x768'],
  ['2560x1440', '1366x768'],
  ['3840x2160', '1366x768'],
  ['1920x1200', '1280x800'],
  ['2560x1600', '1280x800'],
  ['1440x900', '1280x800'],
  ['1600x1200', '1024x768'],
  ['1024x768', null],
  ['800x600', null],
  ['640x480', null],
  ['1280x800', null],
  ['1366x768', null],
  ['1280x720', null],
  ['1280x1024', null],
  ['3440x1440', null],
  ['1512x982', null],
])('a screen of %s is scaled to %s', (screen, target) => {
  expect(scalingTarget(size(screen))).toEqual(target === null ? null : size(target));
});

test.each([
  ['1024x768', '1024x768'],
  ['1280x1024', '1198x959'],
  ['3440x1440', '1568x656'],
  ['1512x982', '1330x864'],
  ['640x480', '640x480'],
])('of a screen of %s without a target models see %s', (screen, seen) => {
  expect(seenSize(size(screen))).toEqual(size(seen));
});

describe('reference', () => {
  const scaled = referenceSpace(size('1920x1080'));

  test.each<[x: number, y: number, onScreen: [number, number]]>([
    [0, 0, [0, 0]],
    [683, 384, [960, 540]],
    [1, 1, [1, 1]],
    [1365, 767, [1919, 1079]],
    [1366, 768, [1919, 1079]],
    // Between the told size and the real one nothing is checked.
    [1920, 1080, [1919, 1079]],
  ])('%d, %d', (x, y, [realX, realY]) => {
    expect(scaled.toScreen(x, y)).toEqual({ x: realX, y: realY });
  });

  test('bounds are those of the screen, and none when nothing is scaled', () => {
    expect(() => scaled.toScreen(1921, 0)).toThrow('Coordinates 1921, 0 are out of bounds');
    expect(() => scaled.toScreen(0, 1081)).toThrow('Coordinates 0, 1081 are out of bounds');
    expect(referenceSpace(size('1024x768')).toScreen(5000, 5000)).toEqual({ x: 1023, y: 767 });
  });

  test('halves are rounded to even', () => {
    const half = referenceSpace(size('2048x1536'));
    expect(half.size).toEqual(size('1024x768'));
    expect(half.fromScreen({ x: 5, y: 7 })).toEqual({ x: 2, y: 4 });
  });
});

describe('default', () => {
  test.each<[screen: string, told: string, x: number, y: number, onScreen: [number, number]]>([
    ['1920x1080', '1366x768', 683, 384, [960, 540]],
    ['1920x1080', '960x540', 959, 539, [1918, 1078]],
    ['1024x768', '1024x768', 1023, 767, [1023, 767]],
    ['1024x768', '1024x768', 1024, 768, [1023, 767]],
    ['3840x2160', '1280x720', 640, 360, [1920, 1080]],
    ['1024x768', '2048x1536', 2047, 1, [1023, 0]],
    ['1000x1000', '500x250', 250, 125, [500, 500]],
  ])('a screen of %s told as %s: %d, %d', (screen, told, x, y, [realX, realY]) => {
    expect(declaredSpace(size(screen), definition(told)).toScreen(x, y)).toEqual({ x: realX, y: realY });
  });

  test('bounds are those of the told size', () => {
    const space = declaredSpace(size('1920x1080'), definition('1366x768'));
    expect(() => space.toScreen(1367, 0)).toThrow('Coordinates 1367, 0 are out of bounds');
    expect(() => space.toScreen(0, 769)).toThrow('Coordinates 0, 769 are out of bounds');
    expect(() => declaredSpace(size('800x600'), definition('800x600')).toScreen(801, 0)).toThrow(
      'out of bounds',
    );
  });

  test('every place of every common screen comes back to itself when nothing is scaled, and near it when it is', () => {
    for (const screen of [
      '640x480',
      '800x600',
      '1024x768',
      '1280x800',
      '1366x768',
      '1920x1080',
      '3840x2160',
    ].map(size)) {
      const space = declaredSpace(screen, definition());
      const step = Math.max(screen.width / space.size.width, 1);
      for (let x = 0; x < space.size.width; x += 7) {
        const { x: back } = space.fromScreen(space.toScreen(x, 0));
        expect(Math.abs(back - x)).toBeLessThanOrEqual(step === 1 ? 0 : 1);
      }
    }
  });

  test('a told size that is none is not taken', () => {
    const wrong = { ...definition(), display_width_px: 0, display_height_px: -5 };
    expect(declaredSpace(size('1920x1080'), wrong).size).toEqual(size('1366x768'));
  });
});
