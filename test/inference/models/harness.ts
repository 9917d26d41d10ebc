import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeOutputs } from '../../../inference/models/decoders/decode-outputs.ts';
import { extraInputs, type Decoded, type RunContext } from '../../../inference/models/extra-inputs.ts';
import type { ModelSpec } from '../../../inference/models/model-spec.ts';
import { type OnnxFacts, readOnnxFacts } from '../../../inference/onnx/onnx-facts.ts';
import { resolveSpec } from '../../../inference/models/resolve-spec.ts';
import type { Sidecar } from '../../../inference/models/sidecar.ts';
import type { Placement } from '../../../inference/preprocess/placement.ts';
import type { Filters } from '../../../inference/common/results.ts';
import type { Tensor, TensorInfo } from '../../../inference/common/tensor.ts';
import { openOnnx, zeros } from '../../support/onnx-session.ts';

/** A folder for one test file, which is removed after its tests. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'steadyhand-models-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Facts as a file would have them. */
export function factsOf(facts: Partial<OnnxFacts> & { readonly outputs: readonly TensorInfo[] }): OnnxFacts {
  return {
    inputs: [{ name: 'images', datatype: 'FP32', shape: [1, 3, 640, 640] }],
    metadata: {},
    opset: 17,
    producer: 'test',
    operators: {},
    nonMaxSuppression: null,
    externalFiles: [],
    ...facts,
  };
}

export function output(
  name: string,
  shape: readonly number[],
  datatype: TensorInfo['datatype'] = 'FP32',
): TensorInfo {
  return { name, datatype, shape };
}

export function tensor(
  name: string,
  shape: readonly number[],
  data: Iterable<number>,
  datatype: 'FP32' | 'INT64' = 'FP32',
): Tensor {
  const numbers = Array.from(data);
  if (datatype === 'INT64') return { name, datatype, shape, data: BigInt64Array.from(numbers, BigInt) };
  return { name, datatype, shape, data: Float32Array.from(numbers) };
}

/** Where a stretched image lies. */
export function stretched(
  image: { readonly width: number; readonly height: number },
  input: { readonly width: number; readonly height: number },
): Placement {
  return { scaleX: input.width / image.width, scaleY: input.height / image.height, offsetX: 0, offsetY: 0 };
}

export interface Answered {
  readonly spec: ModelSpec;
  readonly decoded: Decoded;
  readonly outputs: readonly Tensor[];
}

/**
 * Runs a model file in the real runtime: reads facts and spec, runs it on zeros, and decodes the answer for an image.
 */
export async function answer(
  folder: string,
  model: Uint8Array,
  options: {
    readonly sidecar?: Sidecar;
    readonly image?: { readonly width: number; readonly height: number };
    readonly placement?: Placement;
    readonly filters?: Filters;
  } = {},
): Promise<Answered> {
  const file = join(folder, 'model.onnx');
  writeFileSync(file, model);
  const facts = await readOnnxFacts(file);
  const session = await openOnnx(model);
  try {
    const { inputs, outputs } = session;
    const spec = resolveSpec({ ...facts, inputs, outputs }, options.sidecar);
    const input = spec.image ?? { width: 640, height: 640 };
    const image = options.image ?? { width: input.width, height: input.height };
    const context: RunContext = {
      inputs,
      image,
      placement: options.placement ?? stretched(image, input),
      ...(options.filters && { filters: options.filters }),
    };
    const [first] = inputs;
    const shape = [1, spec.image?.channels ?? 3, input.height, input.width];
    const extra = extraInputs(spec, context);
    const answered = await session.run([{ ...zeros({ ...first!, shape }) }, ...extra]);
    return { spec, decoded: decodeOutputs(spec, answered, context), outputs: answered };
  } finally {
    await session.close();
  }
}
