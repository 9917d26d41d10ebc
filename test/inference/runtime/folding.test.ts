import sharp from 'sharp';
import { foldGraph } from '../../../inference/onnx/fold-graph.ts';
import { isClose } from '../../../inference/runtime/worker/compare-tensors.ts';
import type { Tensor } from '../../../inference/common/tensor.ts';
import { onnxModel, type OnnxNode } from '../../support/onnx.ts';
import { modelFile } from '../ocr/models.ts';
import { startService, stopServices } from '../service.ts';

afterAll(stopServices);

const image = { name: 'images', shape: [1, 3, 8, 8] } as const;
/** A convolution that multiplies each channel by a number. */
const pointwise = (factor: number) => ({
  name: 'weights',
  shape: [3, 3, 1, 1] as const,
  data: [factor, 0, 0, 0, factor, 0, 0, 0, factor],
});
const number = (name: string, value: number) => ({ name, shape: [] as const, data: [value] });
const step = (op: string, inputs: readonly string[], output: string): OnnxNode => ({
  op,
  inputs,
  outputs: [output],
});

/** x * clip(x + 3, 0, 6) / 6 as exporters write it, for x a hundredth of the pixel; folded, it rounds differently. */
const foldsWell = onnxModel({
  inputs: [image],
  outputs: [{ name: 'y', shape: [1, 3, 8, 8] }],
  initializers: [pointwise(0.01), number('zero', 0), number('three', 3), number('six', 6)],
  nodes: [
    step('Conv', ['images', 'weights'], 'x'),
    step('Add', ['x', 'three'], 'sum'),
    step('Clip', ['sum', 'zero', 'six'], 'clipped'),
    step('Mul', ['x', 'clipped'], 'product'),
    step('Div', ['product', 'six'], 'y'),
  ],
});

/** x / 1000 + 100,000 - 100,000 leaves only rounding of x, and in another order different rounding. */
const foldsBadly = onnxModel({
  inputs: [image],
  outputs: [{ name: 'y', shape: [1, 3, 8, 8] }],
  initializers: [pointwise(1), number('s', 1e-3), number('b', 1e5), number('c', -1e5)],
  nodes: [
    step('Mul', ['images', 's'], 'small'),
    step('Add', ['small', 'b'], 'large'),
    step('Conv', ['large', 'weights'], 'same'),
    step('Add', ['same', 'c'], 'y'),
  ],
});

test('a graph is folded where that answers the same, unless the sidecar forbids it', async () => {
  expect(foldGraph(foldsWell)).not.toBe(foldsWell);
  expect(foldGraph(foldsBadly)).not.toBe(foldsBadly);
  const { inference } = await startService({
    'good.onnx': foldsWell,
    'good-plain.onnx': foldsWell,
    'good-plain.json': '{"fold": false}',
    'bad.onnx': foldsBadly,
    'bad-plain.onnx': foldsBadly,
    'bad-plain.json': '{"fold": false}',
  });
  const pixels = Uint8Array.from({ length: 192 }, (_, index) => (index * 37) % 256);
  const bytes = await sharp(pixels, { raw: { width: 8, height: 8, channels: 3 } })
    .png()
    .toBuffer();
  const answer = async (model: string): Promise<number[]> => {
    const { outputs } = await inference.analyze({ bytes, model, output: 'raw' });
    return Array.from(outputs?.[0]?.data as Float32Array);
  };
  const [good, goodPlain, bad, badPlain] = await Promise.all(
    ['good', 'good-plain', 'bad', 'bad-plain'].map(answer),
  );
  // Only rounding shows that it is another graph.
  expect(good).not.toEqual(goodPlain);
  expect(good).toEqual(goodPlain?.map((value): unknown => expect.closeTo(value, 4)));
  expect(bad).toEqual(badPlain);
});

test('a model of the user’s own, PP-OCR’s detector, is folded', async () => {
  const { inference } = await startService({
    'det.onnx': modelFile('det'),
    'plain.onnx': modelFile('det'),
    'plain.json': '{"fold": false}',
  });
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#8090a0' } })
    .png()
    .toBuffer();
  const answer = async (model: string): Promise<Float32Array> => {
    const { outputs } = await inference.analyze({ bytes, model, output: 'raw' });
    return outputs?.[0]?.data as Float32Array;
  };
  const [folded, plain] = await Promise.all([answer('det'), answer('plain')]);
  expect(Buffer.compare(Buffer.from(folded.buffer), Buffer.from(plain.buffer))).not.toBe(0);
});

test('scores are not hidden behind coordinates: each value counts by itself', () => {
  const tensor = (...values: number[]): Tensor => ({
    name: 'y',
    datatype: 'FP32',
    shape: [values.length],
    data: Float32Array.from(values),
  });
  const wanted = tensor(640, 320, 0.5, 0);
  expect(isClose(wanted, tensor(640.1, 320, 0.5001, 0.001))).toBe(true);
  expect(isClose(wanted, tensor(640, 320, 0.52, 0))).toBe(false);
  expect(isClose(wanted, tensor(640, 320, NaN, 0))).toBe(false);
  expect(isClose(wanted, tensor(640, 320, 0.5))).toBe(false);
});
