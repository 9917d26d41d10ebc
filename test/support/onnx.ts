import type { Datatype } from '../../inference/common/tensor.ts';

/** A size, or the name of one that may vary. */
export type Dimension = number | string;

export interface ValueInfo {
  readonly name: string;
  /** Default FP32. */
  readonly datatype?: Datatype;
  readonly shape: readonly Dimension[];
}

/** Values in row-major order; FP16 as its bits (see `halfBits`), BOOL as 0 and 1. */
export interface Constant {
  readonly name: string;
  /** Default FP32. */
  readonly datatype?: Datatype;
  readonly shape: readonly number[];
  readonly data: Iterable<number | bigint>;
}

export type Attribute =
  | { readonly int: number }
  | { readonly float: number }
  | { readonly string: string }
  | { readonly ints: readonly number[] }
  | { readonly floats: readonly number[] }
  | { readonly tensor: Constant }
  | { readonly graph: OnnxGraph };

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly domain?: string;
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

export interface OnnxGraph {
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
  readonly nodes: readonly OnnxNode[];
  readonly initializers?: readonly Constant[];
}

export interface OnnxModel extends OnnxGraph {
  /** An initializer whose bytes lie in another file beside the model. */
  readonly externalInitializers?: readonly (Omit<Constant, 'data'> & {
    readonly location: string;
    readonly offset?: number;
    readonly length?: number;
  })[];
  /** E.g. Ultralytics' `names`, `imgsz`, `stride`, `task`. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Default 17. */
  readonly opset?: number;
  readonly producer?: string;
}

const ELEMENT_TYPES: Readonly<Record<Datatype, number>> = {
  FP32: 1,
  UINT8: 2,
  INT8: 3,
  UINT16: 4,
  INT16: 5,
  INT32: 6,
  INT64: 7,
  BYTES: 8,
  BOOL: 9,
  FP16: 10,
  FP64: 11,
  UINT32: 12,
  UINT64: 13,
};

/** The bytes of an ONNX file (IR version 8). Field numbers as in onnx.proto. */
export function onnxModel(model: OnnxModel): Uint8Array<ArrayBuffer> {
  const graph = message(
    graphProto(model),
    ...(model.externalInitializers ?? []).map((constant) =>
      bytesField(
        5,
        message(
          ...constant.shape.map((size) => intField(1, size)),
          intField(2, ELEMENT_TYPES[constant.datatype ?? 'FP32']),
          textField(8, constant.name),
          bytesField(13, message(textField(1, 'location'), textField(2, constant.location))),
          ...(constant.offset === undefined
            ? []
            : [bytesField(13, message(textField(1, 'offset'), textField(2, `${constant.offset}`)))]),
          ...(constant.length === undefined
            ? []
            : [bytesField(13, message(textField(1, 'length'), textField(2, `${constant.length}`)))]),
          intField(14, 1),
        ),
      ),
    ),
  );
  return Uint8Array.from(
    message(
      intField(1, 8),
      textField(2, model.producer ?? 'test'),
      bytesField(7, graph),
      bytesField(8, message(textField(1, ''), intField(2, model.opset ?? 17))),
      ...Object.entries(model.metadata ?? {}).map(([key, value]) =>
        bytesField(14, message(textField(1, key), textField(2, value))),
      ),
    ),
  );
}

/**
 * Counts up to `times`, one turn after the other, and answers the count under `count`. Without a number it is the input `times`,
 * which is 0 in the run that models are tried with.
 */
export function loopModel(times?: number): Uint8Array<ArrayBuffer> {
  const start = times === undefined ? 'nought' : 'start';
  return onnxModel({
    inputs: [
      { name: 'start', shape: [1] },
      ...(times === undefined ? [{ name: 'times', datatype: 'INT64' as const, shape: [1] }] : []),
    ],
    outputs: [{ name: 'count', shape: [1] }],
    nodes: [
      {
        op: 'Loop',
        inputs: ['times', 'true', start],
        outputs: ['count'],
        attributes: {
          body: {
            graph: {
              inputs: [
                { name: 'turn', datatype: 'INT64', shape: [] },
                { name: 'go', datatype: 'BOOL', shape: [] },
                { name: 'before', shape: [1] },
              ],
              outputs: [
                { name: 'on', datatype: 'BOOL', shape: [] },
                { name: 'after', shape: [1] },
              ],
              nodes: [
                { op: 'Identity', inputs: ['go'], outputs: ['on'] },
                { op: 'Add', inputs: ['before', 'one'], outputs: ['after'] },
              ],
              initializers: [{ name: 'one', shape: [1], data: [1] }],
            },
          },
        },
      },
    ],
    initializers: [
      { name: 'true', datatype: 'BOOL', shape: [], data: [1] },
      { name: 'nought', shape: [1], data: [0] },
      ...(times === undefined
        ? []
        : [{ name: 'times', datatype: 'INT64' as const, shape: [], data: [times] }]),
    ],
  });
}

/** A file of some 200 bytes that fills `mib` MiB of memory in its first run, or already when it is opened. */
export function largeConstantModel(mib: number): Uint8Array<ArrayBuffer> {
  return onnxModel({
    inputs: [{ name: 'x', shape: [1] }],
    outputs: [{ name: 'sum', shape: [1] }],
    nodes: [
      { op: 'ConstantOfShape', inputs: ['size'], outputs: ['large'] },
      { op: 'Add', inputs: ['large', 'x'], outputs: ['added'] },
      { op: 'ReduceSum', inputs: ['added'], outputs: ['sum'] },
    ],
    initializers: [{ name: 'size', datatype: 'INT64', shape: [1], data: [mib * 2 ** 18] }],
  });
}

/** Answers its image input as it came, under `echo`: shows what the preprocessing fed. */
export function identityModel(
  options: {
    readonly inputName?: string;
    readonly outputName?: string;
    readonly datatype?: Datatype;
    /** Default 1 x 3 x 640 x 640. */
    readonly shape?: readonly Dimension[];
    readonly metadata?: Readonly<Record<string, string>>;
  } = {},
): Uint8Array<ArrayBuffer> {
  const { inputName = 'images', outputName = 'echo', datatype = 'FP32', shape = [1, 3, 640, 640] } = options;
  return onnxModel({
    inputs: [{ name: inputName, datatype, shape }],
    outputs: [{ name: outputName, datatype, shape }],
    nodes: [{ op: 'Identity', inputs: [inputName], outputs: [outputName] }],
    ...(options.metadata && { metadata: options.metadata }),
  });
}

/**
 * Answers the same tensors whatever comes in: for the decoders. `declared` gives an output's shape as the file states it
 * where that is to differ from the data's (e.g. symbolic sizes). The inputs' values do not matter, as long as they are finite.
 */
export function constantModel(options: {
  /** Default one: `images`, 1 x 3 x 640 x 640. */
  readonly inputs?: readonly ValueInfo[];
  readonly outputs: Readonly<
    Record<string, Omit<Constant, 'name'> & { readonly declared?: readonly Dimension[] }>
  >;
  readonly metadata?: Readonly<Record<string, string>>;
}): Uint8Array<ArrayBuffer> {
  const inputs = options.inputs ?? [{ name: 'images', shape: [1, 3, 640, 640] }];
  const outputs = Object.entries(options.outputs);
  return onnxModel({
    inputs,
    outputs: outputs.map(([name, { datatype, shape, declared }]) => ({
      name,
      ...(datatype && { datatype }),
      shape: declared ?? shape,
    })),
    nodes: [
      // The runtime knows a constant's shape better than the declaration: hide it behind a shape made from the input.
      { op: 'Cast', inputs: [inputs[0]?.name ?? ''], outputs: ['any'], attributes: { to: { int: 1 } } },
      { op: 'ReduceMax', inputs: ['any'], outputs: ['largest'], attributes: { keepdims: { int: 0 } } },
      { op: 'Mul', inputs: ['largest', 'zero'], outputs: ['nought'] },
      { op: 'Cast', inputs: ['nought'], outputs: ['nought64'], attributes: { to: { int: 7 } } },
      ...outputs.flatMap(([name, { declared }]) =>
        declared === undefined
          ? [{ op: 'Identity', inputs: [`${name}.value`], outputs: [name] }]
          : [
              { op: 'Add', inputs: [`${name}.shape`, 'nought64'], outputs: [`${name}.hidden`] },
              { op: 'Reshape', inputs: [`${name}.value`, `${name}.hidden`], outputs: [name] },
            ],
      ),
    ],
    initializers: [
      { name: 'zero', shape: [], data: [0] },
      ...outputs.flatMap(([name, constant]) => [
        { ...constant, name: `${name}.value` },
        {
          name: `${name}.shape`,
          datatype: 'INT64' as const,
          shape: [constant.shape.length],
          data: constant.shape,
        },
      ]),
    ],
    ...(options.metadata && { metadata: options.metadata }),
  });
}

/**
 * A model with two inputs, as RT-DETR's: answers the second one, cast to FP32, under `sizes`.
 * Default second input: `orig_target_sizes`, INT64, [1, 2].
 */
export function twoInputModel(
  options: { readonly shape?: readonly Dimension[]; readonly second?: ValueInfo } = {},
): Uint8Array<ArrayBuffer> {
  const second = options.second ?? { name: 'orig_target_sizes', datatype: 'INT64', shape: [1, 2] };
  return onnxModel({
    inputs: [{ name: 'images', shape: options.shape ?? [1, 3, 640, 640] }, second],
    outputs: [{ name: 'sizes', shape: second.shape }],
    nodes: [{ op: 'Cast', inputs: [second.name], outputs: ['sizes'], attributes: { to: { int: 1 } } }],
  });
}

/**
 * Keeps a thread busy: `repeat` products of two 512 x 512 matrices (about 0.27 GFLOP each), then one number under `done`. By
 * default they take 75 ms on the fastest core known. The input's mean enters the product, so nothing is computed at load.
 */
export function busyModel({
  repeat = 32,
  shape = [1, 3, 640, 640],
}: {
  readonly repeat?: number;
  readonly shape?: readonly Dimension[];
}): Uint8Array<ArrayBuffer> {
  const size = 512;
  const steps = Array.from({ length: repeat }, (_, index) => index);
  return onnxModel({
    inputs: [{ name: 'images', shape }],
    outputs: [{ name: 'done', shape: [1, 1] }],
    initializers: [
      { name: 'w', shape: [size, size], data: new Float32Array(size * size).fill(1 / size) },
      { name: 'flat', datatype: 'INT64', shape: [2], data: [1, 1] },
    ],
    nodes: [
      { op: 'ReduceMean', inputs: ['images'], outputs: ['mean'], attributes: { keepdims: { int: 0 } } },
      { op: 'Add', inputs: ['w', 'mean'], outputs: ['m0'] },
      ...steps.map((step) => ({ op: 'MatMul', inputs: [`m${step}`, 'w'], outputs: [`m${step + 1}`] })),
      {
        op: 'ReduceMean',
        inputs: [`m${repeat}`],
        outputs: ['last'],
        attributes: { keepdims: { int: 0 } },
      },
      { op: 'Reshape', inputs: ['last', 'flat'], outputs: ['done'] },
    ],
  });
}

/** The bits of the half-precision number nearest to `value` (ties to even). */
export function halfBits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (size >= 65_520) return sign | 0x7c00;
  const exponent = size < 2 ** -14 ? -14 : Math.floor(Math.log2(size));
  const step = 2 ** (exponent - 10);
  const quotient = size / step;
  const floor = Math.floor(quotient);
  const rest = quotient - floor;
  const units = rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
  return sign | (size < 2 ** -14 ? units : ((exponent + 15) << 10) + units - 1024);
}

/** Fields 1, 2, 5, 11 and 12 of a GraphProto. */
function graphProto({ nodes, inputs, outputs, initializers = [] }: OnnxGraph): Buffer {
  return message(
    ...nodes.map((node) => bytesField(1, nodeProto(node))),
    textField(2, 'graph'),
    ...initializers.map((constant) => bytesField(5, tensorProto(constant))),
    ...inputs.map((value) => bytesField(11, valueInfoProto(value))),
    ...outputs.map((value) => bytesField(12, valueInfoProto(value))),
  );
}

function nodeProto(node: OnnxNode): Buffer {
  return message(
    ...node.inputs.map((name) => textField(1, name)),
    ...node.outputs.map((name) => textField(2, name)),
    textField(4, node.op),
    ...Object.entries(node.attributes ?? {}).map(([name, value]) =>
      bytesField(5, attributeProto(name, value)),
    ),
    ...(node.domain === undefined ? [] : [textField(7, node.domain)]),
  );
}

function attributeProto(name: string, value: Attribute): Buffer {
  const named = textField(1, name);
  if ('float' in value) return message(named, floatField(2, value.float), intField(20, 1));
  if ('int' in value) return message(named, intField(3, value.int), intField(20, 2));
  if ('string' in value) return message(named, textField(4, value.string), intField(20, 3));
  if ('graph' in value) return message(named, bytesField(6, graphProto(value.graph)), intField(20, 5));
  if ('tensor' in value) return message(named, bytesField(5, tensorProto(value.tensor)), intField(20, 4));
  if ('floats' in value)
    return message(named, ...value.floats.map((item) => floatField(7, item)), intField(20, 6));
  return message(named, ...value.ints.map((item) => intField(8, item)), intField(20, 7));
}

function tensorProto(constant: Constant): Buffer {
  const datatype = constant.datatype ?? 'FP32';
  return message(
    ...constant.shape.map((size) => intField(1, size)),
    intField(2, ELEMENT_TYPES[datatype]),
    textField(8, constant.name),
    bytesField(9, rawData(datatype, constant.data)),
  );
}

function rawData(datatype: Datatype, data: Iterable<number | bigint>): Buffer {
  if (datatype === 'INT64' || datatype === 'UINT64') {
    return view(BigInt64Array.from(Array.from(data, (value) => BigInt.asIntN(64, BigInt(value)))));
  }
  const numbers = Array.from(data, Number);
  if (datatype === 'FP32') return view(Float32Array.from(numbers));
  if (datatype === 'FP64') return view(Float64Array.from(numbers));
  if (datatype === 'INT32' || datatype === 'UINT32') return view(Int32Array.from(numbers));
  if (datatype === 'INT16' || datatype === 'UINT16' || datatype === 'FP16')
    return view(Int16Array.from(numbers));
  return view(Uint8Array.from(numbers));
}

function view(data: ArrayBufferView): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

function valueInfoProto(value: ValueInfo): Buffer {
  const shape = message(
    ...value.shape.map((size) =>
      bytesField(1, typeof size === 'number' ? message(intField(1, size)) : message(textField(2, size))),
    ),
  );
  const tensor = message(intField(1, ELEMENT_TYPES[value.datatype ?? 'FP32']), bytesField(2, shape));
  return message(textField(1, value.name), bytesField(2, message(bytesField(1, tensor))));
}

function message(...fields: readonly Uint8Array[]): Buffer {
  return Buffer.concat(fields);
}

function intField(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function textField(field: number, value: string): Buffer {
  return bytesField(field, Buffer.from(value));
}

function bytesField(field: number, value: Uint8Array): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(value.length), value]);
}

function floatField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([varint((field << 3) | 5), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
