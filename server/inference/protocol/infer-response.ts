import { halfToNumber, type InferResult, type Tensor } from '@steadyhand/inference';
import { RequestRefusedError } from '../../body/request-refused.ts';
import type { Pace } from '../../http/pacing.ts';
import { toBytes } from '../tensor-bytes.ts';
import { valuesJson } from '../tensor-json.ts';
import type { WireRequest } from './infer-request.ts';

/** A larger tensor is not sorted for its best classes: that would take the HTTP thread too long. */
const MAX_CLASSES = 100_000;

export interface WireResponse {
  /** Of the JSON at the beginning, when binary data follows it. */
  readonly headerLength: number | undefined;
  readonly length: number;
  readonly pieces: readonly (string | Uint8Array)[];
}

/** A result as the wire has it, each output in JSON or after it in binary, as it was asked for. */
export async function writeInferResponse(
  request: WireRequest,
  result: InferResult,
  labels: readonly string[] | null,
  pace: Pace,
): Promise<WireResponse> {
  const { model, version, outputs } = result;
  const head = {
    model_name: model,
    model_version: version,
    ...(request.id === undefined ? {} : { id: request.id }),
  };
  const json: (string | Uint8Array)[] = [`${JSON.stringify(head).slice(0, -1)},"outputs":[`];
  const binary: Uint8Array[] = [];
  for (const [index, output] of outputs.entries()) {
    const wanted = request.outputs?.find(({ name }) => name === output.name);
    const tensor =
      wanted === undefined || wanted.classes === 0 ? output : classified(output, wanted.classes, labels);
    const { name, datatype, shape } = tensor;
    json.push(index === 0 ? '' : ',');
    if (wanted?.binary ?? request.binary) {
      const bytes = toBytes(tensor);
      binary.push(bytes);
      json.push(JSON.stringify({ name, datatype, shape, parameters: { binary_data_size: bytes.length } }));
    } else {
      json.push(`${JSON.stringify({ name, datatype, shape }).slice(0, -1)},"data":`);
      for await (const piece of valuesJson(tensor, pace)) json.push(piece);
      json.push('}');
    }
  }
  json.push(']}');
  const jsonLength = json.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  return {
    headerLength: binary.length === 0 ? undefined : jsonLength,
    length: binary.reduce((sum, bytes) => sum + bytes.length, jsonLength),
    pieces: [...json, ...binary],
  };
}

/**
 * The classification extension: in place of a tensor of scores, for each entry of its first axis the best `count` as
 * texts `score:index` or, where the model has labels, `score:index:label`.
 */
function classified(tensor: Tensor, count: number, labels: readonly string[] | null): Tensor {
  const { name, shape, data, datatype } = tensor;
  if (datatype === 'BYTES' || data.length > MAX_CLASSES) {
    throw new RequestRefusedError(
      400,
      `outputs: ${name} is no tensor of at most ${MAX_CLASSES} scores, so classification does not apply`,
    );
  }
  const rows = shape.length > 1 ? (shape[0] ?? 1) : 1;
  const width = rows === 0 ? 0 : data.length / rows;
  const wanted = Math.min(count, width);
  const score = (index: number): number =>
    datatype === 'FP16' ? halfToNumber(Number(data[index])) : Number(data[index]);
  const texts: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (const index of best(width, wanted, (at) => score(row * width + at))) {
      const label = labels?.[index];
      const value = score(row * width + index);
      texts.push(label === undefined ? `${value}:${index}` : `${value}:${index}:${label}`);
    }
  }
  return { name, datatype: 'BYTES', shape: shape.length > 1 ? [rows, wanted] : [wanted], data: texts };
}

/** The indices of the greatest values, greatest first; of equal ones the first. NaN never is among them before others. */
function best(width: number, count: number, value: (index: number) => number): readonly number[] {
  const order = Array.from({ length: width }, (_, index) => index);
  const rank = (index: number): number => {
    const of = value(index);
    return Number.isNaN(of) ? -Infinity : of;
  };
  return order.sort((a, b) => rank(b) - rank(a) || a - b).slice(0, count);
}
