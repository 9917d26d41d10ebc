import type { Tensor } from '@steadyhand/inference';
import { isRecord } from '@steadyhand/messages';
import { RequestRefusedError } from '../../body/request-refused.ts';
import type { Pace } from '../../http/pacing.ts';
import { readProtocolJson } from '../json-body.ts';
import { ARRAYS, fromBytes, isDatatype } from '../tensor-bytes.ts';
import { fromJson } from './json-values.ts';

export interface WantedOutput {
  readonly name: string;
  readonly binary: boolean;
  /** How many of the best classes are wanted in place of the tensor; 0 for the tensor itself. */
  readonly classes: number;
}

/** An inference request as the wire has it. */
export interface WireRequest {
  readonly id: string | undefined;
  readonly inputs: readonly Tensor[];
  /** Undefined: all of them. */
  readonly outputs: readonly WantedOutput[] | undefined;
  /** Whether outputs that are not named come in binary. */
  readonly binary: boolean;
  readonly timeoutMs: number | undefined;
}

const MAX_INPUTS = 64;
const MAX_ELEMENTS = 2 ** 31;

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a body of `POST .../infer`: JSON, after whose first `headerLength` bytes the inputs' binary data may follow (the
 * binary tensor data extension).
 * @param headerLength the header `Inference-Header-Content-Length`
 * Throws RequestRefusedError (400) naming the field.
 */
export async function readInferRequest(
  body: Buffer,
  headerLength: string | undefined,
  pace: Pace,
): Promise<WireRequest> {
  const length = headerLength === undefined ? body.length : Number(headerLength);
  if (!/^\d+$/.test(headerLength ?? '0') || length > body.length) {
    throw bad(`Inference-Header-Content-Length: expected a number up to the body's ${body.length} bytes`);
  }
  const request = members(await readProtocolJson(body.subarray(0, length), pace), 'the request');
  const parameters = members(request['parameters'] ?? {}, 'parameters');
  const binary = parameters['binary_data_output'] === true;
  const data = new BinaryData(body, length);

  const listed = list(request['inputs'], 'inputs');
  if (listed.length > MAX_INPUTS) throw bad(`inputs: at most ${MAX_INPUTS} are taken`);
  const inputs: Tensor[] = [];
  for (const [index, input] of listed.entries()) {
    inputs.push(await readInput(members(input, `inputs[${index}]`), `inputs[${index}]`, data, pace));
  }
  data.end();

  const { id } = request;
  if (id !== undefined && typeof id !== 'string') throw bad('id: expected a string');
  return {
    id,
    inputs,
    outputs: readOutputs(request['outputs'], binary),
    binary,
    timeoutMs: readTimeout(parameters['timeout']),
  };
}

/** The bytes after the JSON, given out in the inputs' order. */
class BinaryData {
  readonly #body: Buffer;
  #at: number;

  constructor(body: Buffer, start: number) {
    this.#body = body;
    this.#at = start;
  }

  take(size: number, field: string): Buffer {
    const end = this.#at + size;
    if (end > this.#body.length) {
      const left = this.#body.length - this.#at;
      throw bad(`${field}.parameters.binary_data_size: ${size} bytes announced, ${left} are left`);
    }
    const bytes = this.#body.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  end(): void {
    const left = this.#body.length - this.#at;
    if (left > 0) throw bad(`${left} bytes of binary data belong to no input`);
  }
}

async function readInput(input: Members, field: string, binary: BinaryData, pace: Pace): Promise<Tensor> {
  const name = text(input['name'], `${field}.name`);
  const { datatype } = input;
  if (!isDatatype(datatype)) {
    throw bad(`${field}.datatype: ${show(datatype)} is not supported`);
  }
  const shape = list(input['shape'], `${field}.shape`).map((size, axis) =>
    whole(size, `${field}.shape[${axis}]`),
  );
  const count = shape.reduce((product, size) => product * size, 1);
  if (count > MAX_ELEMENTS) throw bad(`${field}.shape: ${count} elements are too many`);

  const parameters = members(input['parameters'] ?? {}, `${field}.parameters`);
  refuseSharedMemory(parameters, field);
  const size = parameters['binary_data_size'];
  if (size === undefined) {
    const values = list(input['data'], `${field}.data`);
    return { name, datatype, shape, data: await fromJson(datatype, values, count, field, pace) };
  }
  if (input['data'] !== undefined) throw bad(`${field}: has both data and binary_data_size`);
  const bytes = binary.take(whole(size, `${field}.parameters.binary_data_size`), field);
  const expected = datatype === 'BYTES' ? bytes.length : count * ARRAYS[datatype].BYTES_PER_ELEMENT;
  if (bytes.length !== expected) {
    throw bad(`${field}: ${bytes.length} bytes of binary data, its shape and datatype take ${expected}`);
  }
  return { name, datatype, shape, data: fromBytes(datatype, bytes, count, field) };
}

function readOutputs(value: unknown, binaryDefault: boolean): readonly WantedOutput[] | undefined {
  if (value === undefined) return undefined;
  const outputs = list(value, 'outputs').map((output, index) => {
    const field = `outputs[${index}]`;
    const wanted = members(output, field);
    const parameters = members(wanted['parameters'] ?? {}, `${field}.parameters`);
    refuseSharedMemory(parameters, field);
    const binary = parameters['binary_data'];
    return {
      name: text(wanted['name'], `${field}.name`),
      binary: typeof binary === 'boolean' ? binary : binaryDefault,
      classes: whole(parameters['classification'] ?? 0, `${field}.parameters.classification`),
    };
  });
  return outputs.length === 0 ? undefined : outputs;
}

/** Microseconds on the wire. */
function readTimeout(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const microseconds = whole(value, 'parameters.timeout');
  return microseconds === 0 ? undefined : Math.max(1, Math.ceil(microseconds / 1000));
}

function refuseSharedMemory(parameters: Members, field: string): void {
  if (parameters['shared_memory_region'] !== undefined) {
    throw bad(`${field}.parameters.shared_memory_region: shared memory is not supported`);
  }
}

function members(value: unknown, field: string): Members {
  if (isRecord(value)) return value;
  throw bad(`${field}: expected an object`);
}

function list(value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw bad(`${field}: expected a list`);
}

function text(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  throw bad(`${field}: expected a string`);
}

function whole(value: unknown, field: string): number {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value);
  throw bad(`${field}: expected a whole number of at least 0`);
}

function show(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 40) : 'this';
}

function bad(message: string): RequestRefusedError {
  return new RequestRefusedError(400, message);
}
