import { assertProperty, fc } from '../../support/fast-check.ts';
import {
  fittedSize,
  imageLimitsOf,
  limitsForMany,
  patchesOf,
} from '../../../messages/models/image-limits.ts';

const OLDER = imageLimitsOf('claude-sonnet-4-5');
const NEWER = imageLimitsOf('claude-opus-4-7');

it.each([
  ['claude-3-5-sonnet-20241022', 1568],
  ['claude-sonnet-4-20250514', 1568],
  ['claude-opus-4-6', 1568],
  ['qwen2.5-vl', 1568],
  ['claude-opus-4-7', 2576],
  ['claude-opus-4-8', 2576],
  ['us.anthropic.claude-opus-5-v1:0', 2576],
  ['claude-haiku-5-5', 2576],
])('%s takes a long edge of %i', (model, edge) => {
  expect(imageLimitsOf(model).long_edge).toBe(edge);
});

// The documented table of the largest sizes that are not scaled, one for each shape (there 951 x 1268), and a screen.
it.each([
  [4000, 4000, 1092, 1092],
  [3000, 4000, 952, 1270],
  [2000, 3000, 896, 1344],
  [1080, 1920, 819, 1456],
  [1000, 2000, 784, 1568],
  [1920, 1080, 1456, 819],
  [1024, 768, 1024, 768],
])('%i x %i is fitted to %i x %i', (width, height, fittedWidth, fittedHeight) => {
  expect(fittedSize({ width, height }, OLDER)).toEqual({ width: fittedWidth, height: fittedHeight });
});

it('a newer model takes full screens as they are', () => {
  expect(fittedSize({ width: 2560, height: 1440 }, NEWER)).toEqual({ width: 2560, height: 1440 });
  expect(fittedSize({ width: 3840, height: 2160 }, NEWER)).toEqual({ width: 2576, height: 1449 });
});

it('no picture has a longer side than 2000 pixels where there are more than 20', () => {
  expect(limitsForMany(NEWER, 20)).toEqual(NEWER);
  expect(limitsForMany(NEWER, 21)).toEqual({ ...NEWER, long_edge: 2000 });
  expect(limitsForMany(OLDER, 100)).toEqual(OLDER);
});

it('what is fitted keeps the limits, its shape, and cannot be one pixel longer', () => {
  const side = fc.integer({ min: 1, max: 8000 });
  assertProperty(100, side, side, fc.constantFrom(OLDER, NEWER), (width, height, limits) => {
    const fitted = fittedSize({ width, height }, limits);
    expect(Math.max(fitted.width, fitted.height)).toBeLessThanOrEqual(limits.long_edge);
    expect(patchesOf(fitted)).toBeLessThanOrEqual(limits.tokens);
    const ratio = Math.max(fitted.width, fitted.height) / Math.max(width, height);
    expect(Math.abs(fitted.width - Math.max(1, width * ratio))).toBeLessThanOrEqual(0.5);
    expect(Math.abs(fitted.height - Math.max(1, height * ratio))).toBeLessThanOrEqual(0.5);
    expect(fittedSize(fitted, limits)).toEqual(fitted);
    const isWhole = fitted.width === width && fitted.height === height;
    const longer = Math.max(fitted.width, fitted.height) + 1;
    const next = {
      width: (width * longer) / Math.max(width, height),
      height: (height * longer) / Math.max(width, height),
    };
    const nextFits =
      longer <= limits.long_edge &&
      patchesOf({ width: Math.round(next.width), height: Math.round(next.height) }) < limits.tokens;
    expect(isWhole || !nextFits || patchesOf(fitted) === limits.tokens).toBe(true);
  });
});
