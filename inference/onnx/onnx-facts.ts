import { open, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { ModelRefusedError } from '../common/errors.ts';
import { ProtobufFile } from './protobuf-file.ts';
import { BYTES, notModel, partsOf, decodeText, type Field, type Part } from './wire.ts';
import type { Datatype, TensorInfo } from '../common/tensor.ts';

/** What an ONNX file says about its model. */
export interface OnnxFacts {
  /** The inputs without those that have a value in the file. */
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  /** `metadata_props`, e.g. Ultralytics' `names`, `imgsz` and `task`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The version of ONNX's own operators; 0 where the file names none. */
  readonly opset: number;
  readonly producer: string;
  /** The operator that makes each output, such as `Softmax`. */
  readonly operators: Readonly<Record<string, string>>;
  /** The first NonMaxSuppression in the graph. */
  readonly nonMaxSuppression: NonMaxSuppression | null;
  /** Files beside the model that hold weights, relative to its folder. */
  readonly externalFiles: readonly string[];
}

/** The tensors that a NonMaxSuppression takes, and how its boxes are written. */
export interface NonMaxSuppression {
  readonly boxes: string;
  readonly scores: string;
  /** `yxyx`: `[y1, x1, y2, x2]`, as ONNX writes them; `cxcywh`: centre and size. */
  readonly format: 'yxyx' | 'cxcywh';
}

/** Values of `TensorProto.DataType`. */
const DATATYPES: Readonly<Record<number, Datatype>> = {
  1: 'FP32',
  2: 'UINT8',
  3: 'INT8',
  4: 'UINT16',
  5: 'INT16',
  6: 'INT32',
  7: 'INT64',
  8: 'BYTES',
  9: 'BOOL',
  10: 'FP16',
  11: 'FP64',
  12: 'UINT32',
  13: 'UINT64',
};

/** Larger texts, such as an exporter's notes, are skipped. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
/** The limit for a name, a shape or a node, which are far smaller. */
const MAX_PART_BYTES = 1024 * 1024;
const MAX_VALUES = 10_000;
const GIT_LFS_POINTER = 'version https://git-lfs.';

/**
 * Reads what a model file says about its model, and none of its weights.
 *
 * @throws {ModelRefusedError} where it is no ONNX model, is cut short, or names a file that is missing
 */
export async function readOnnxFacts(file: string): Promise<OnnxFacts> {
  const unreadable = (error: unknown): never => {
    throw new ModelRefusedError(`the file cannot be read: ${(error as Error).message}`, { cause: error });
  };
  const found = await stat(file).catch(unreadable);
  const { size } = found;
  if (!found.isFile()) throw new ModelRefusedError('not a file');
  if (size === 0) throw new ModelRefusedError('the file is empty');
  const handle = await open(file, 'r').catch(unreadable);
  try {
    if ((await handle.read(Buffer.alloc(24), 0, 24, 0)).buffer.toString('latin1') === GIT_LFS_POINTER)
      throw new ModelRefusedError('the file is a Git LFS pointer, not the model itself: run "git lfs pull"');
    const reader = new FactsReader(new ProtobufFile(handle, size));
    await reader.model();
    await checkExternalFiles(dirname(file), reader.external);
    return reader.facts();
  } finally {
    await handle.close();
  }
}

interface ExternalPart {
  readonly tensor: string;
  readonly location: string;
  readonly end: number;
}

interface NodeFacts {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly op: string;
  readonly centred: boolean;
}

class FactsReader {
  readonly external: ExternalPart[] = [];
  readonly #file: ProtobufFile;
  readonly #inputs: TensorInfo[] = [];
  readonly #outputs: TensorInfo[] = [];
  readonly #initializers = new Set<string>();
  readonly #metadata = new Map<string, string>();
  readonly #producers = new Map<string, string>();
  #nonMaxSuppression: NonMaxSuppression | null = null;
  #opset = 0;
  #producer = '';
  #graphs = 0;

  constructor(file: ProtobufFile) {
    this.#file = file;
  }

  facts(): OnnxFacts {
    const operators: [string, string][] = this.#outputs.flatMap(({ name }) => {
      const op = this.#producers.get(name);
      return op === undefined ? [] : [[name, op]];
    });
    return {
      inputs: this.#inputs.filter(({ name }) => !this.#initializers.has(name)),
      outputs: this.#outputs,
      metadata: Object.fromEntries(this.#metadata),
      opset: this.#opset,
      producer: this.#producer,
      operators: Object.fromEntries(operators),
      nonMaxSuppression: this.#nonMaxSuppression,
      externalFiles: [...new Set(this.external.map(({ location }) => location))],
    };
  }

  async model(): Promise<void> {
    for await (const field of this.#file.fields(0, this.#file.size)) {
      if (field.number === 2) this.#producer = await this.#text(field);
      if (field.number === 7) await this.#graph(field);
      if (field.number === 8) this.#operatorSet(await this.#part(field));
      if (field.number === 14 && field.end - field.start <= MAX_TEXT_BYTES) {
        const bytes = await this.#part(field, MAX_TEXT_BYTES);
        this.#metadata.set(textIn(bytes, 1), textIn(bytes, 2));
        if (this.#metadata.size > MAX_VALUES)
          throw new ModelRefusedError('the file has too many metadata entries');
      }
    }
    if (this.#graphs === 0) throw notModel('it has no graph');
    if (this.#outputs.length === 0) throw notModel('its graph has no outputs');
  }

  async #graph(graph: Field): Promise<void> {
    if (graph.wire !== BYTES) throw notModel('its graph is no message');
    this.#graphs += 1;
    for await (const field of this.#file.fields(graph.start, graph.end)) {
      if (field.number === 1) await this.#node(field);
      if (field.number === 5) await this.#initializer(field);
      if (field.number === 11) this.#inputs.push(valueInfo('input', await this.#part(field)));
      if (field.number === 12) this.#outputs.push(valueInfo('output', await this.#part(field)));
      if (this.#inputs.length > MAX_VALUES || this.#outputs.length > MAX_VALUES)
        throw new ModelRefusedError(`the graph has more than ${MAX_VALUES} inputs or outputs`);
    }
  }

  async #node(node: Field): Promise<void> {
    // A node with a large tensor or another graph in it must not be loaded, and nothing in it is needed.
    if (node.end - node.start > MAX_PART_BYTES) return;
    const { op, inputs, outputs, centred } = nodeFacts(await this.#part(node));
    for (const output of outputs) this.#producers.set(output, op);
    if (op !== 'NonMaxSuppression' || this.#nonMaxSuppression !== null) return;
    const [boxes = '', scores = ''] = inputs;
    this.#nonMaxSuppression = { boxes, scores, format: centred ? 'cxcywh' : 'yxyx' };
  }

  async #initializer(tensor: Field): Promise<void> {
    if (tensor.wire !== BYTES) throw notModel('a tensor is no message');
    let name = '';
    let elsewhere = false;
    const entries = new Map<string, string>();
    for await (const field of this.#file.fields(tensor.start, tensor.end)) {
      if (field.number === 8) name = await this.#text(field);
      if (field.number === 14) elsewhere = field.value === 1;
      if (field.number === 13 && entries.size < 16) {
        const bytes = await this.#part(field);
        entries.set(textIn(bytes, 1), textIn(bytes, 2));
      }
    }
    this.#initializers.add(name);
    if (!elsewhere) return;
    const bytes = [entries.get('offset'), entries.get('length')].map((text) => Number(text ?? 0));
    const end = bytes.reduce((sum, value) => sum + value, 0);
    if (!bytes.every((value) => Number.isSafeInteger(value) && value >= 0))
      throw new ModelRefusedError(`external data of "${name}": offset and length are no numbers of bytes`);
    this.external.push({ tensor: name, location: entries.get('location') ?? '', end });
  }

  #operatorSet(bytes: Uint8Array): void {
    const domain = textIn(bytes, 1);
    if (domain !== '' && domain !== 'ai.onnx') return;
    this.#opset = partsOf(bytes).find(({ number }) => number === 2)?.value ?? 0;
  }

  async #text(field: Field): Promise<string> {
    return decodeText(await this.#part(field));
  }

  async #part(field: Field, limit = MAX_PART_BYTES): Promise<Uint8Array> {
    if (field.wire !== BYTES) throw wrongKind();
    const length = field.end - field.start;
    if (length > limit)
      throw new ModelRefusedError(`a name or shape of ${length} bytes is more than a model may have`);
    return this.#file.bytes(field.start, length);
  }
}

function nodeFacts(bytes: Uint8Array): NodeFacts {
  const parts = partsOf(bytes);
  const texts = (wanted: number): string[] =>
    parts.filter(({ number }) => number === wanted).map((part) => decodeText(contentOf(part)));
  const op = texts(4)[0] ?? '';
  const centred =
    op === 'NonMaxSuppression' &&
    parts.some((part) => {
      if (part.number !== 5) return false;
      const attribute = contentOf(part);
      const value = partsOf(attribute).find(({ number }) => number === 3)?.value;
      return textIn(attribute, 1) === 'center_point_box' && value === 1;
    });
  return { op, inputs: texts(1), outputs: texts(2), centred };
}

/** Reads a ValueInfoProto: a name and, up to four messages deep, an element type and sizes. */
function valueInfo(kind: 'input' | 'output', bytes: Uint8Array): TensorInfo {
  const name = textIn(bytes, 1);
  const type = inside(inside(bytes, 2), 1);
  if (type === undefined) throw new ModelRefusedError(`${kind} "${name}" is no tensor`);
  const element = partsOf(type).find(({ number }) => number === 1)?.value ?? 0;
  const datatype = DATATYPES[element];
  if (datatype === undefined)
    throw new ModelRefusedError(
      `${kind} "${name}" has an element type that is not served (ONNX type ${element})`,
    );
  const sizes = inside(type, 2);
  const shape =
    sizes === undefined
      ? []
      : partsOf(sizes)
          .filter(({ number }) => number === 1)
          .map((part) => {
            const size = partsOf(contentOf(part)).find(({ number }) => number === 1);
            return size === undefined || size.wire === BYTES ? -1 : size.value;
          });
  return { name, datatype, shape };
}

function inside(bytes: Uint8Array | undefined, wanted: number): Uint8Array | undefined {
  if (bytes === undefined) return undefined;
  const part = partsOf(bytes).find(({ number }) => number === wanted);
  return part === undefined ? undefined : contentOf(part);
}

function textIn(bytes: Uint8Array, wanted: number): string {
  return decodeText(inside(bytes, wanted) ?? new Uint8Array());
}

function contentOf({ wire, body }: Part): Uint8Array {
  if (wire !== BYTES) throw wrongKind();
  return body;
}

function wrongKind(): ModelRefusedError {
  return notModel('a field is of the wrong kind');
}

/** Weights in other files have to lie in the model's folder and be complete. The runtime's own errors name neither. */
async function checkExternalFiles(folder: string, parts: readonly ExternalPart[]): Promise<void> {
  const ends = new Map<string, { end: number; tensor: string }>();
  for (const { location, tensor, end } of parts) {
    if (end >= (ends.get(location)?.end ?? 0)) ends.set(location, { end, tensor });
  }
  for (const [location, { end, tensor }] of ends) {
    const path = normalize(location);
    if (location === '' || isAbsolute(path) || path === '..' || path.startsWith(`..${sep}`))
      throw new ModelRefusedError(
        `external data of "${tensor}" lies outside the model's folder: "${location}"`,
      );
    const found = await stat(join(folder, path)).catch(() => null);
    if (found === null || !found.isFile())
      throw new ModelRefusedError(
        `external data of "${tensor}" is missing: no file "${location}" beside the model`,
      );
    if (found.size < end)
      throw new ModelRefusedError(
        `external data "${location}" is cut short: ${end} bytes are needed, it has ${found.size}`,
      );
  }
}
