import { Tensor as OrtTensor, type InferenceSession } from 'onnxruntime-node';
import { InferenceError, ModelRefusedError } from '../../common/errors.ts';
import type { Datatype, Tensor, TensorData, TensorInfo } from '../../common/tensor.ts';

const ORT_TYPES = {
  BOOL: 'bool',
  UINT8: 'uint8',
  UINT16: 'uint16',
  UINT32: 'uint32',
  UINT64: 'uint64',
  INT8: 'int8',
  INT16: 'int16',
  INT32: 'int32',
  INT64: 'int64',
  FP16: 'float16',
  FP32: 'float32',
  FP64: 'float64',
  BYTES: 'string',
} as const satisfies Record<Datatype, OrtTensor.Type>;

const DATATYPES = new Map<string, Datatype>(
  Object.entries(ORT_TYPES).map(([ours, theirs]) => [theirs, ours as Datatype]),
);

/**
 * Answers a model's inputs or outputs as the runtime declares them.
 * @throws {ModelRefusedError} for what is no tensor, and for elements of a type that is not served
 */
export function tensorInfos(
  side: 'input' | 'output',
  metadata: readonly InferenceSession.ValueMetadata[],
): readonly TensorInfo[] {
  return metadata.map((value) => {
    if (!value.isTensor) throw new ModelRefusedError(`the ${side} ${value.name} is no tensor`);
    const datatype = DATATYPES.get(value.type);
    if (datatype === undefined) {
      throw new ModelRefusedError(`the ${side} ${value.name} has elements of the type ${value.type}`);
    }
    const shape = value.shape.map((size) => (typeof size === 'number' ? size : -1));
    return { name: value.name, datatype, shape };
  });
}

export function toOrt({ datatype, shape, data }: Tensor): OrtTensor {
  const tensor = new OrtTensor(ORT_TYPES[datatype], data as OrtTensor.DataType, shape);
  // Where JavaScript has a Float16Array (Node 24), the runtime's JavaScript wraps the bits in one, which its native
  // code cannot read: that reads the bits themselves.
  if (datatype === 'FP16') Object.defineProperty(tensor, 'cpuData', { value: data });
  return tensor;
}

/** Answers a view on the runtime's own memory, not a copy. */
export function fromOrt(name: string, tensor: OrtTensor): Tensor {
  const datatype = DATATYPES.get(tensor.type);
  if (datatype === undefined) {
    throw new InferenceError(
      'inference_failed',
      `the output ${name} has elements of the type ${tensor.type}`,
    );
  }
  const { data } = tensor;
  // Where JavaScript has a Float16Array, the runtime answers with one.
  const bits =
    datatype === 'FP16'
      ? new Uint16Array((data as Uint16Array).buffer, (data as Uint16Array).byteOffset, data.length)
      : (data as TensorData);
  return { name, datatype, shape: [...tensor.dims], data: bits };
}

/** Makes zeros in the shape that the model declares; a size that may vary is 1. */
export function zerosFor({ name, datatype, shape }: TensorInfo): Tensor {
  const sizes = shape.map((size) => (size < 0 ? 1 : size));
  const count = sizes.reduce((product, size) => product * size, 1);
  return { name, datatype, shape: sizes, data: zeros(datatype, count) };
}

function zeros(datatype: Datatype, count: number): TensorData {
  switch (datatype) {
    case 'FP32':
      return new Float32Array(count);
    case 'FP64':
      return new Float64Array(count);
    case 'INT64':
      return new BigInt64Array(count);
    case 'UINT64':
      return new BigUint64Array(count);
    case 'INT32':
      return new Int32Array(count);
    case 'UINT32':
      return new Uint32Array(count);
    case 'INT16':
      return new Int16Array(count);
    case 'UINT16':
    case 'FP16':
      return new Uint16Array(count);
    case 'INT8':
      return new Int8Array(count);
    case 'UINT8':
    case 'BOOL':
      return new Uint8Array(count);
    case 'BYTES':
      return Array.from({ length: count }, () => '');
  }
}
