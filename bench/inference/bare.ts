import { readFileSync } from 'node:fs';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp, { type OutputInfo } from 'sharp';
import { foldGraph } from '../../inference/onnx/fold-graph.ts';
import { loadPreprocessor } from '../../inference/preprocess/load-preprocessor.ts';
import type { ImageInput } from '../../inference/preprocess/image-input.ts';
import { quantile } from '../lib/figures.ts';

/** Milliseconds of the steps alone, one at a time: what no server of this work can do without. */
export interface Bare {
  readonly decode: number;
  readonly resize: number;
  /** With one thread, and with two. */
  readonly run1: number;
  readonly run2: number;
  /** The same with the folded graph, as the product runs it. */
  readonly folded1: number;
  readonly folded2: number;
}

interface BareOptions {
  readonly model: string;
  readonly wasm: string;
  readonly picture: Uint8Array;
  readonly rounds: number;
}

const INPUT: ImageInput = {
  width: 640,
  height: 640,
  channels: 3,
  datatype: 'FP32',
  read: 'color',
  color: 'bgr',
  scale: [1, 1, 1],
  mean: [0, 0, 0],
  std: [1, 1, 1],
  fit: 'stretch',
  align: 'center',
  pad: 114,
};

/** Times the steps in a worker thread, where the product does them too; each figure is a median. */
export async function bareSteps(options: BareOptions): Promise<Bare> {
  const worker = new Worker(process.argv[1] ?? '', { workerData: options });
  return await new Promise<Bare>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** The worker thread's side. */
export async function runBareSteps(): Promise<void> {
  const { model, wasm, picture, rounds } = workerData as BareOptions;
  const preprocessor = loadPreprocessor(wasm);
  const decode = async (): Promise<{ data: Buffer; info: OutputInfo }> =>
    await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  const { data, info } = await decode();
  const image = {
    width: info.width,
    height: info.height,
    channels: 3,
    data: new Uint8Array(data),
  } as const;
  const folded = foldGraph(new Uint8Array(readFileSync(model)));
  const one = await open(model, 1);
  const two = await open(model, 2);
  const prepared = preprocessor.prepare(image, INPUT);
  const tensor = new Tensor('float32', (prepared.data as Float32Array).slice(), [...prepared.shape]);
  const run = (session: InferenceSession) => async (): Promise<unknown> =>
    await session.run({ [session.inputNames[0] ?? '']: tensor });
  const bare: Bare = {
    decode: await median(rounds, decode),
    resize: await median(rounds, () => preprocessor.prepare(image, INPUT)),
    run1: await median(rounds, run(one)),
    run2: await median(rounds, run(two)),
    folded1: await median(rounds, run(await open(folded, 1))),
    folded2: await median(rounds, run(await open(folded, 2))),
  };
  parentPort?.postMessage(bare);
}

async function open(model: string | Uint8Array, threads: number): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  };
  // Two ways in, by the type of what is given.
  return typeof model === 'string'
    ? await InferenceSession.create(model, options)
    : await InferenceSession.create(model, options);
}

async function median(rounds: number, work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = -2; round < rounds; round += 1) {
    const from = performance.now();
    await work();
    if (round >= 0) times.push(performance.now() - from);
  }
  return quantile(times, 0.5);
}
