import { Worker } from 'node:worker_threads';
import type { Datatype, Tensor, TensorData, TensorInfo } from '../../inference/common/tensor.ts';

/** A session of the real runtime in a thread of its own. */
export interface OnnxSession {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  run(feeds: readonly Tensor[]): Promise<readonly Tensor[]>;
  close(): Promise<void>;
}

/** A run blocks its thread, so it is not that of the tests. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { InferenceSession, Tensor } = require(workerData.runtime);
const TYPES = { FP32: 'float32', UINT8: 'uint8', INT8: 'int8', UINT16: 'uint16', INT16: 'int16', INT32: 'int32',
  INT64: 'int64', BYTES: 'string', BOOL: 'bool', FP16: 'float16', FP64: 'float64', UINT32: 'uint32', UINT64: 'uint64' };
const DATATYPES = Object.fromEntries(Object.entries(TYPES).map(([ours, theirs]) => [theirs, ours]));
const info = ({ name, type, shape }) =>
  ({ name, datatype: DATATYPES[type], shape: shape.map((size) => (typeof size === 'number' ? size : -1)) });
// Where JavaScript has a Float16Array (Node 24), the runtime wraps the bits in one: its native side takes the bits alone,
// and what it gives is seen as bits again.
const tensorOf = ({ datatype, shape, data }) => {
  const tensor = new Tensor(TYPES[datatype], data, shape);
  if (datatype === 'FP16') Object.defineProperty(tensor, 'cpuData', { value: data });
  return tensor;
};
const dataOf = ({ type, data }) =>
  type === 'float16' ? new Uint16Array(data.buffer, data.byteOffset, data.length) : data;
(async () => {
  const session = await InferenceSession.create(workerData.model, { intraOpNumThreads: 1, logSeverityLevel: 4 });
  parentPort.on('message', async (feeds) => {
    // Between two runs a thread may end; inside one it would take the process with it.
    if (feeds === 'end') process.exit(0);
    try {
      const tensors = feeds.map((feed) => [feed.name, tensorOf(feed)]);
      const results = await session.run(Object.fromEntries(tensors));
      parentPort.postMessage({ outputs: session.outputNames.map((name) =>
        ({ name, datatype: DATATYPES[results[name].type], shape: [...results[name].dims], data: dataOf(results[name]) })) });
    } catch (error) {
      parentPort.postMessage({ error: String(error.message) });
    }
  });
  parentPort.postMessage({ inputs: session.inputMetadata.map(info), outputs: session.outputMetadata.map(info) });
})();
`;

type Answer =
  | { readonly inputs: readonly TensorInfo[]; readonly outputs: readonly TensorInfo[] }
  | { readonly outputs: readonly Tensor[] }
  | { readonly error: string };

/** Loads a model; rejects when the runtime refuses it. Close it, or the test run does not end. */
export async function openOnnx(model: Uint8Array): Promise<OnnxSession> {
  const worker = new Worker(THREAD, {
    eval: true,
    workerData: { model, runtime: require.resolve('onnxruntime-node') },
  });
  const next = async (): Promise<Answer> =>
    new Promise((resolve, reject) => {
      worker.once('message', (answer: Answer) => {
        worker.off('error', reject);
        resolve(answer);
      });
      worker.once('error', reject);
    });
  const ready = await next();
  if (!('inputs' in ready)) throw new Error('the session said nothing of its inputs');
  return {
    inputs: ready.inputs,
    outputs: ready.outputs,
    run: async (feeds) => {
      const answer = next();
      worker.postMessage(feeds);
      const settled = await answer;
      if ('error' in settled) throw new Error(settled.error);
      return settled.outputs as readonly Tensor[];
    },
    close: async () => {
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.postMessage('end');
      await ended;
    },
  };
}

/** Zeros for an input, with 1 where a size may vary. */
export function zeros(input: TensorInfo): Tensor {
  const shape = input.shape.map((size) => (size < 0 ? 1 : size));
  const count = shape.reduce((product, size) => product * size, 1);
  return { ...input, shape, data: typedArray(input.datatype, count) };
}

function typedArray(datatype: Datatype, count: number): TensorData {
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
    case 'BYTES':
      return Array.from({ length: count }, () => '');
    default:
      return new Uint8Array(count);
  }
}
