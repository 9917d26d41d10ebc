import { bytesField, joined, numberField, numbersOf, partsOf, textField, decodeText } from './wire.ts';
import type { Part, Pieces } from './wire.ts';

export interface GraphNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The attributes' bytes as the file has them. */
  readonly attributes: readonly Uint8Array[];
  /** Empty for ONNX's own operators. */
  readonly domain: string;
}

/** A constant tensor of float32. */
export interface Floats {
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

/** The parts of a model's graph that can be changed; everything else is kept as it is. */
export interface OnnxGraph {
  readonly nodes: readonly GraphNode[];
  /** The float32 initializers and the values of Constant nodes, by name. */
  readonly constants: ReadonlyMap<string, Floats>;
  readonly outputs: ReadonlySet<string>;
}

/**
 * Answers the graph of a model file; undefined where it has parts that are not supported here, such as graphs in
 * nodes.
 */
export function readGraph(model: Uint8Array): OnnxGraph | undefined {
  const graph = partsOf(model).find(({ number }) => number === 7);
  if (graph === undefined) return undefined;
  const parts = partsOf(graph.body);
  const constants = new Map<string, Floats>();
  const inputs = new Set(parts.filter(({ number }) => number === 11).map(nameOf));
  for (const { body } of parts.filter(({ number }) => number === 5)) {
    const { name, floats } = tensorOf(body);
    if (floats !== undefined && !inputs.has(name)) constants.set(name, floats);
  }
  const nodes = parts.filter(({ number }) => number === 1).map(({ body }) => nodeOf(body));
  for (const { op, outputs, attributes } of nodes) {
    for (const attribute of attributes) {
      const fields = partsOf(attribute);
      // An attribute that is a graph may use any value of this one.
      if (fields.some(({ number }) => number === 6 || number === 11)) return undefined;
      const value = fields.find(({ number }) => number === 5);
      if (op !== 'Constant' || value === undefined || outputs[0] === undefined) continue;
      const { floats } = tensorOf(value.body);
      if (floats !== undefined) constants.set(outputs[0], floats);
    }
  }
  return { nodes, constants, outputs: new Set(parts.filter(({ number }) => number === 12).map(nameOf)) };
}

/** Makes the model with other nodes and further constants. Constants that no node uses any more are left out. */
export function writeGraph(
  model: Uint8Array,
  nodes: readonly GraphNode[],
  added: ReadonlyMap<string, Floats>,
): Uint8Array {
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  return joined(
    partsOf(model).flatMap((part) => {
      if (part.number !== 7) return [part.raw];
      const graph = partsOf(part.body);
      // The nodes' outputs may have changed, so the stored shapes of inner values (13) are left out.
      const kept = graph.filter(
        ({ number, body }) => number !== 1 && number !== 13 && (number !== 5 || used.has(tensorName(body))),
      );
      const tensors = [...added].filter(([name]) => used.has(name));
      return bytesField(7, [
        ...nodes.flatMap((node) => bytesField(1, nodePieces(node))),
        ...tensors.flatMap(([name, floats]) => bytesField(5, tensorPieces(name, floats))),
        ...kept.map(({ raw }) => raw),
      ]);
    }),
  );
}

/** Answers a float attribute, or `fallback` where the node has none of this name. */
export function floatAttribute({ attributes }: GraphNode, name: string, fallback: number): number {
  const found = attributeOf(attributes, name)?.find(({ number }) => number === 2);
  if (found === undefined) return fallback;
  const { buffer, byteOffset } = found.body;
  return new DataView(buffer, byteOffset, 4).getFloat32(0, true);
}

/** Whether a convolution adds zeros around its input. */
export function pads({ attributes }: GraphNode): boolean {
  const auto = attributeOf(attributes, 'auto_pad')?.find(({ number }) => number === 4);
  if (auto !== undefined && !['NOTSET', 'VALID'].includes(decodeText(auto.body))) return true;
  return numbersOf(attributeOf(attributes, 'pads') ?? [], 8).some((pad) => pad !== 0);
}

function attributeOf(attributes: readonly Uint8Array[], name: string): Part[] | undefined {
  return attributes
    .map(partsOf)
    .find((parts) => parts.some(({ number, body }) => number === 1 && decodeText(body) === name));
}

function nodeOf(body: Uint8Array): GraphNode {
  const parts = partsOf(body);
  const texts = (wanted: number): string[] =>
    parts.filter(({ number }) => number === wanted).map((part) => decodeText(part.body));
  return {
    op: texts(4)[0] ?? '',
    inputs: texts(1),
    outputs: texts(2),
    attributes: parts.filter(({ number }) => number === 5).map((part) => part.body),
    domain: texts(7)[0] ?? '',
  };
}

function nodePieces({ op, inputs, outputs, attributes, domain }: GraphNode): Pieces {
  return [
    ...inputs.flatMap((name) => textField(1, name)),
    ...outputs.flatMap((name) => textField(2, name)),
    ...textField(4, op),
    ...attributes.flatMap((attribute) => bytesField(5, [attribute])),
    ...(domain === '' ? [] : textField(7, domain)),
  ];
}

function tensorOf(body: Uint8Array): { name: string; floats: Floats | undefined } {
  const parts = partsOf(body);
  const name = tensorName(body);
  const type = parts.find(({ number }) => number === 2)?.value;
  const raw = parts.find(({ number }) => number === 9)?.body;
  const dims = numbersOf(parts, 1);
  const count = dims.reduce((product, dim) => product * dim, 1);
  const packed = raw ?? joined(parts.filter(({ number }) => number === 4).map((part) => part.body));
  if (type !== 1 || packed.length !== count * 4) return { name, floats: undefined };
  // They are copied, since the bytes may begin at any offset.
  return { name, floats: { dims, values: new Float32Array(Uint8Array.from(packed).buffer) } };
}

function tensorPieces(name: string, { dims, values }: Floats): Pieces {
  return [
    ...dims.flatMap((dim) => numberField(1, dim)),
    ...numberField(2, 1),
    ...textField(8, name),
    ...bytesField(9, [new Uint8Array(values.buffer, values.byteOffset, values.byteLength)]),
  ];
}

function tensorName(body: Uint8Array): string {
  const name = partsOf(body).find(({ number }) => number === 8);
  return name === undefined ? '' : decodeText(name.body);
}

function nameOf({ body }: Part): string {
  const name = partsOf(body).find(({ number }) => number === 1);
  return name === undefined ? '' : decodeText(name.body);
}
