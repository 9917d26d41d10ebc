/** Element types by their names in the Open Inference Protocol. */
export type Datatype =
  | 'BOOL'
  | 'UINT8'
  | 'UINT16'
  | 'UINT32'
  | 'UINT64'
  | 'INT8'
  | 'INT16'
  | 'INT32'
  | 'INT64'
  | 'FP16'
  | 'FP32'
  | 'FP64'
  | 'BYTES';

/** A model's input or output as its file declares it. A size of -1 may vary. */
export interface TensorInfo {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
}

export type TensorData =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Float32Array
  | Float64Array
  | readonly string[];

/**
 * Values in row-major order. BOOL is 0 and 1 in a Uint8Array, FP16 is its bits in a Uint16Array, BYTES are texts, and
 * the others are in the typed array of their name.
 */
export interface Tensor {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** Makes a copy in a buffer of its own, which can be transferred. */
export function copyOf(tensor: Tensor): Tensor {
  if (tensor.datatype === 'BYTES') return tensor;
  // A Buffer's own slice would be a view on the same memory.
  return { ...tensor, data: Uint8Array.prototype.slice.call(tensor.data) };
}

/** Answers the bytes that the tensors hold, roughly: a text counts by its characters. */
export function byteSizeOf(tensors: readonly Tensor[]): number {
  return tensors.reduce((sum, { data }) => {
    if ('byteLength' in data) return sum + data.byteLength;
    return sum + data.reduce((length, text) => length + text.length, 0);
  }, 0);
}

/** Answers the buffers that a message with these tensors can hand over instead of copying them. */
export function buffersOf(tensors: readonly Tensor[]): ArrayBuffer[] {
  return tensors.flatMap(({ datatype, data }) =>
    datatype === 'BYTES' ? [] : [(data as Uint8Array).buffer as ArrayBuffer],
  );
}

/** Answers the number that 16 bits mean as IEEE 754 half precision. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
