import { InferenceError } from './common/errors.ts';
import type { InferRequest } from './inference.ts';
import type { Tensor, TensorInfo } from './common/tensor.ts';
import type { ModelPool } from './runtime/model-pool.ts';

/**
 * Checks a request for tensors against what the model declares.
 * @throws {InferenceError} tensor_invalid naming the field, model_not_found for another version
 */
export function checkInferRequest(request: InferRequest, pool: ModelPool): void {
  const { model } = pool;
  if (request.version !== undefined && request.version !== pool.version) {
    throw new InferenceError(
      'model_not_found',
      `the model ${pool.name} has no version ${request.version}, only ${pool.version}`,
      { field: 'version' },
    );
  }
  if (pool.kind === 'ocr') {
    throw new InferenceError(
      'tensor_invalid',
      `the model ${pool.name} reads images with two models: it takes no tensors, each of the two does`,
      { field: 'model' },
    );
  }
  const given = new Set<string>();
  request.inputs.forEach((tensor, index) => {
    const declared = model.inputs.find(({ name }) => name === tensor.name);
    if (declared === undefined) {
      throw invalid(`inputs[${index}].name`, `${tensor.name} is no input; there are ${names(model.inputs)}`);
    }
    if (given.has(tensor.name)) throw invalid(`inputs[${index}].name`, `${tensor.name} is given twice`);
    given.add(tensor.name);
    requireTensor(tensor, declared, `inputs[${index}]`);
  });
  const missing = model.inputs.filter(({ name }) => !given.has(name));
  if (missing.length > 0) throw invalid('inputs', `missing: ${names(missing)}`);
  request.outputs?.forEach((name, index) => {
    if (model.outputs.some((output) => output.name === name)) return;
    throw invalid(`outputs[${index}].name`, `${name} is no output; there are ${names(model.outputs)}`);
  });
  if (request.outputs !== undefined && new Set(request.outputs).size !== request.outputs.length) {
    throw invalid('outputs', 'each output can be asked for once');
  }
}

function requireTensor(tensor: Tensor, declared: TensorInfo, field: string): void {
  const { datatype, shape, data } = tensor;
  if (datatype !== declared.datatype) {
    throw invalid(`${field}.datatype`, `${tensor.name} is of ${declared.datatype}, not of ${datatype}`);
  }
  const fits =
    shape.length === declared.shape.length &&
    shape.every((size, axis) => {
      const wanted = declared.shape[axis] ?? -1;
      return Number.isSafeInteger(size) && (wanted < 0 ? size >= 0 : size === wanted);
    });
  if (!fits) {
    throw invalid(
      `${field}.shape`,
      `${tensor.name} has the shape [${declared.shape.join(', ')}] (-1 for any size), not [${shape.join(', ')}]`,
    );
  }
  const count = shape.reduce((product, size) => product * size, 1);
  if (data.length !== count) {
    throw invalid(`${field}.data`, `[${shape.join(', ')}] holds ${count} values, there are ${data.length}`);
  }
}

function invalid(field: string, message: string): InferenceError {
  return new InferenceError('tensor_invalid', message, { field });
}

function names(infos: readonly TensorInfo[]): string {
  return infos.map(({ name }) => name).join(', ');
}
