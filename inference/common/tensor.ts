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

/** A model's input or output as the file declares it. A size of -1 may vary. */
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
 * Values in row-major order. BOOL as 0 and 1 in a Uint8Array, FP16 as its bits in a Uint16Array, BYTES as texts; the
 * others in the typed array of their name.
 */
export interface Tensor {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** Whose memory nobody else has. */
export function copyOf(tensor: Tensor): Tensor {
  if (tensor.datatype === 'BYTES') return tensor;
  // Not its own slice: a Buffer's answers a view.
  return { ...tensor, data: Uint8Array.prototype.slice.call(tensor.data) };
}

/** Bytes, roughly: a text counts by its characters. */
export function byteSizeOf(tensors: readonly Tensor[]): number {
  return tensors.reduce((sum, { data }) => {
    if ('byteLength' in data) return sum + data.byteLength;
    return sum + data.reduce((length, text) => length + text.length, 0);
  }, 0);
}
