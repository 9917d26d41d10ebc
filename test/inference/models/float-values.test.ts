import { floatsOf } from '../../../inference/models/decoders/matrix.ts';
import { halfBits } from '../../support/onnx.ts';

test('every half-precision number has its value', () => {
  const bits = Uint16Array.from({ length: 65_536 }, (_, at) => at);
  const values = floatsOf({ name: 'x', datatype: 'FP16', shape: [65_536], data: bits });
  const wrong = [...bits].filter((at) => {
    const isNaN = (at & 0x7c00) === 0x7c00 && (at & 0x3ff) !== 0;
    return isNaN ? !Number.isNaN(values[at]) : halfBits(values[at] ?? NaN) !== at;
  });
  expect(wrong).toEqual([]);
  expect([values[0x3c00], values[0xc000], values[0x0001], values[0x7c00]]).toEqual([
    1,
    -2,
    2 ** -24,
    Infinity,
  ]);
});

test('whole numbers and doubles become floats', () => {
  const shape = [2];
  const whole = floatsOf({ name: 'x', datatype: 'INT64', shape, data: BigInt64Array.of(7n, -1n) });
  const doubles = floatsOf({ name: 'x', datatype: 'FP64', shape, data: Float64Array.of(0.1, 2) });
  expect([[...whole], [...doubles]]).toEqual([
    [7, -1],
    [Math.fround(0.1), 2],
  ]);
});
