import type { InferResult, Tensor } from '@steadyhand/inference';
import { RequestRefusedError } from '../../body/request-refused.ts';
import type { Pace } from '../../http/pacing.ts';
import { toBytes } from '../tensor-bytes.ts';
import { valuesJson } from '../tensor-json.ts';
import { classify } from './classification.ts';
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
      wanted === undefined || wanted.classes === 0 ? output : best(output, wanted.classes, labels);
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

function best(output: Tensor, count: number, labels: readonly string[] | null): Tensor {
  if (output.datatype === 'BYTES' || output.data.length > MAX_CLASSES) {
    throw new RequestRefusedError(
      400,
      `outputs: ${output.name} is no tensor of at most ${MAX_CLASSES} scores, so classification does not apply`,
    );
  }
  return classify(output, count, labels);
}
