import { foldGraph } from '../../../inference/onnx/fold-graph.ts';
import { readGraph } from '../../../inference/onnx/onnx-graph.ts';
import type { Tensor } from '../../../inference/common/tensor.ts';
import { identityModel } from '../../support/onnx.ts';
import { openOnnx } from '../../support/onnx-session.ts';
import { seeded } from '../../support/seeded.ts';
import { modelFile } from '../ocr/models.ts';

function noise(shape: readonly number[]): Tensor {
  const random = seeded(3);
  const count = shape.reduce((product, size) => product * size, 1);
  return {
    name: 'x',
    datatype: 'FP32',
    shape,
    data: Float32Array.from({ length: count }, () => random() * 4 - 2),
  };
}

async function answer(model: Uint8Array, input: Tensor): Promise<Float32Array> {
  const session = await openOnnx(model);
  try {
    const [output] = await session.run([input]);
    return output?.data as Float32Array;
  } finally {
    await session.close();
  }
}

test.each([
  ['det', [1, 3, 64, 96]],
  ['rec', [2, 3, 48, 128]],
] as const)('the folded %s model answers the same, with far fewer steps', async (name, shape) => {
  const model = modelFile(name);
  const folded = foldGraph(model);
  const steps = (of: Uint8Array): number =>
    (readGraph(of)?.nodes ?? []).filter(
      ({ op }) => op === 'Mul' || op === 'Add' || op === 'Clip' || op === 'Div',
    ).length;
  expect(steps(folded)).toBeLessThan(steps(model) * 0.5);
  const [wanted, found] = await Promise.all([answer(model, noise(shape)), answer(folded, noise(shape))]);
  expect(found).toHaveLength(wanted.length);
  expect(wanted.length).toBeGreaterThan(1000);
  let most = 0;
  for (const [at, value] of wanted.entries()) most = Math.max(most, Math.abs(value - (found[at] ?? NaN)));
  expect(most).toBeLessThan(1e-5);
});

test('folding again changes nothing, nor does folding what has nothing to fold', () => {
  const folded = foldGraph(modelFile('rec'));
  expect(foldGraph(folded)).toBe(folded);
  const identity = identityModel();
  expect(foldGraph(identity)).toBe(identity);
});
