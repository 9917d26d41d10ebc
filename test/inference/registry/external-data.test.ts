import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Inference } from '../../../inference/index.ts';
import { onnxModel } from '../../support/onnx.ts';
import { startService, stopServices, until } from '../service.ts';

afterEach(stopServices);

/** Adds weights in another file to its input. */
const model = onnxModel({
  inputs: [{ name: 'images', shape: [1, 3, 4, 4] }],
  outputs: [{ name: 'sum', shape: [1, 3, 4, 4] }],
  externalInitializers: [{ name: 'amount', shape: [48], location: 'm.weights', offset: 0, length: 192 }],
  initializers: [{ name: 'form', datatype: 'INT64', shape: [4], data: [1, 3, 4, 4] }],
  nodes: [
    { op: 'Reshape', inputs: ['amount', 'form'], outputs: ['amounts'] },
    { op: 'Add', inputs: ['images', 'amounts'], outputs: ['sum'] },
  ],
});

function weights(value: number): Uint8Array {
  return new Uint8Array(new Float32Array(48).fill(value).buffer);
}

async function answer(inference: Inference): Promise<number> {
  const data = new Float32Array(48);
  const inputs = [{ name: 'images', datatype: 'FP32', shape: [1, 3, 4, 4], data }] as const;
  const { outputs } = await inference.infer({ model: 'm', inputs });
  return Number(outputs[0]?.data[0]);
}

test('weights in a file of their own are part of the version, and a change of them is followed', async () => {
  const { inference, put } = await startService({ 'm.onnx': model, 'm.weights': weights(5) });
  expect(inference.model('m')).toMatchObject({ state: 'ready', reason: null });
  expect(await answer(inference)).toBe(5);
  const { version } = inference.model('m');
  put('m.weights', weights(7));
  await until(() => inference.model('m').version !== version);
  expect(await answer(inference)).toBe(7);
});

test('a model without its weights is refused, and taken once they are there', async () => {
  const { inference, folder } = await startService({ 'm.onnx': model });
  expect(inference.model('m').state).toBe('refused');
  expect(inference.model('m').reason).toMatch(/m\.weights/);
  writeFileSync(path.join(folder, 'm.weights'), weights(3));
  await inference.load('m');
  expect(await answer(inference)).toBe(3);
});
