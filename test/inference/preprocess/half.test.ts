import { toHalf, toUint8 } from '../../../inference/preprocess/sample-values.ts';

it.each([
  [0, 0x0000],
  [-0, 0x8000],
  [1, 0x3c00],
  [-2, 0xc000],
  [0.1, 0x2e66],
  [1 / 3, 0x3555],
  // Halfway between 1 and the next value it rounds to the even one, and just above that up.
  [1 + 2 ** -11, 0x3c00],
  [1 + 3 * 2 ** -11, 0x3c02],
  [1 + 2 ** -11 + 2 ** -20, 0x3c01],
  // The mantissa rounds up into the next power of two.
  [2047.9, 0x6800],
  [65_504, 0x7bff],
  [65_519.99, 0x7bff],
  [65_520, 0x7c00],
  [-1e9, 0xfc00],
  [Infinity, 0x7c00],
  [Number.NaN, 0x7e00],
  // The smallest normal one, the largest and the smallest below it, and what is lost.
  [2 ** -14, 0x0400],
  [2 ** -14 - 2 ** -24, 0x03ff],
  [2 ** -14 - 2 ** -26, 0x0400],
  [2 ** -24, 0x0001],
  [1.5 * 2 ** -24, 0x0002],
  [2 ** -25, 0x0000],
  [1.01 * 2 ** -25, 0x0001],
])('%d is half %i', (value, bits) => {
  expect(toHalf(value)).toBe(bits);
});

it.each([
  [0.5, 0],
  [1.5, 2],
  [254.5, 254],
  [255.4, 255],
  [1e9, 255],
  [-3, 0],
  [Infinity, 255],
  [Number.NaN, 0],
])('%d is the byte %i', (value, byte) => {
  expect(toUint8(value)).toBe(byte);
});
