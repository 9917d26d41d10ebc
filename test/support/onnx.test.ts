import type { Datatype } from '../../inference/common/tensor.ts';
import type { OnnxSession } from './onnx-session.ts';
import { openOnnx, zeros } from './onnx-session.ts';
import { busyModel, constantModel, halfBits, identityModel, onnxModel, twoInputModel } from './onnx.ts';

const open: OnnxSession[] = [];

async function session(model: Uint8Array): Promise<OnnxSession> {
  const opened = await openOnnx(model);
  open.push(opened);
  return opened;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(async (one) => one.close()));
});

test('echoes an image input, with sizes that may vary', async () => {
  const one = await session(identityModel({ inputName: 'x', shape: [1, 3, 'h', 'w'] }));
  expect(one.inputs).toEqual([{ name: 'x', datatype: 'FP32', shape: [1, 3, -1, -1] }]);
  const data = Float32Array.from({ length: 12 }, (_, index) => index / 4);
  const [echo] = await one.run([{ name: 'x', datatype: 'FP32', shape: [1, 3, 2, 2], data }]);
  expect(echo).toMatchObject({ name: 'echo', datatype: 'FP32', shape: [1, 3, 2, 2] });
  expect([...(echo?.data ?? [])]).toEqual([...data]);
});

test('answers fixed tensors of every type, whatever comes in', async () => {
  const numbers = ['FP32', 'FP64', 'UINT8', 'INT8', 'UINT16', 'INT16', 'INT32', 'UINT32'] as const;
  const outputs = Object.fromEntries(
    numbers.map((datatype: Datatype) => [datatype, { datatype, shape: [2], data: [7, 9] }]),
  );
  const one = await session(
    constantModel({
      outputs: {
        ...outputs,
        INT64: { datatype: 'INT64', shape: [2, 1], data: [1n, -2n], declared: ['n', 1] },
        FP16: { datatype: 'FP16', shape: [2], data: [1, -0.1].map(halfBits) },
        BOOL: { datatype: 'BOOL', shape: [2], data: [0, 1] },
        none: { shape: [0, 4], data: [] },
      },
    }),
  );
  expect(one.inputs.map((input) => input.name)).toEqual(['images']);
  expect(one.outputs.find((output) => output.name === 'INT64')?.shape).toEqual([-1, 1]);
  const answer = await one.run(one.inputs.map(zeros));
  const values = Object.fromEntries(answer.map((tensor) => [tensor.name, [...tensor.data]]));
  for (const datatype of numbers) expect(values[datatype]).toEqual([7, 9]);
  expect(values).toMatchObject({ INT64: [1n, -2n], FP16: [0x3c00, 0xae66], BOOL: [0, 1], none: [] });
});

test('answers its second input, and works as long as it is told to', async () => {
  const two = await session(twoInputModel({ shape: [1, 3, 8, 8] }));
  const [first] = two.inputs;
  const size = { name: 'orig_target_sizes', datatype: 'INT64', shape: [1, 2] } as const;
  const [sizes] = await two.run([zeros(first!), { ...size, data: BigInt64Array.of(640n, 480n) }]);
  expect([...(sizes?.data ?? [])]).toEqual([640, 480]);
  const busy = await session(busyModel({ repeat: 2, shape: [1, 3, 8, 8] }));
  const [done] = await busy.run(busy.inputs.map(zeros));
  expect(Number(done?.data[0])).toBeCloseTo(1 / 512, 6);
});

test('a model the runtime refuses rejects', async () => {
  await expect(openOnnx(Uint8Array.of(1, 2, 3))).rejects.toThrow(/protobuf/i);
  const unknown = onnxModel({
    inputs: [{ name: 'x', shape: [1] }],
    outputs: [{ name: 'y', shape: [1] }],
    nodes: [{ op: 'NoSuchOperator', inputs: ['x'], outputs: ['y'] }],
  });
  await expect(openOnnx(unknown)).rejects.toThrow(/NoSuchOperator/);
});

test('halves round to even and keep their specials', () => {
  const cases: readonly (readonly [number, number])[] = [
    [0, 0],
    [-0, 0x8000],
    [1, 0x3c00],
    [65_504, 0x7bff],
    [65_519, 0x7bff],
    [65_520, 0x7c00],
    [Infinity, 0x7c00],
    [-Infinity, 0xfc00],
    [2 ** -24, 1],
    [2 ** -25, 0],
    [3 * 2 ** -25, 2],
    [2 ** -14, 0x0400],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [2 - 2 ** -12, 0x4000],
  ];
  for (const [value, bits] of cases) expect([value, halfBits(value)]).toEqual([value, bits]);
  expect(halfBits(NaN) & 0x7fff).toBeGreaterThan(0x7c00);
});
