import { Stopwatch } from '../../common/clock.ts';
import { InferenceError } from '../../common/errors.ts';
import { LINE_HEIGHT } from '../../ocr/line-tensor.ts';
import { createTextReader, type TextReader } from '../../ocr/text-reader.ts';
import type { Preprocessor } from '../../preprocess/preprocessor.ts';
import type { Tensor } from '../../common/tensor.ts';
import type {
  JobOutcome,
  LoadedModel,
  ModelFiles,
  UnpackedWork,
  WorkAnswer,
  WorkerSetup,
} from './messages.ts';
import { openModel } from './open-model.ts';
import { RecognizerThreads } from './recognizer-threads.ts';
import type { ServedModel, StageTimings } from './served-model.ts';
import type { Session } from './session.ts';

type OcrFiles = Extract<ModelFiles, { kind: 'ocr' }>;

/** The size of the blank picture that warms the detector up. */
const BLANK = { width: 640, height: 480 };

/** One model of two: text is detected in this thread, and recognised in threads beside it. */
export class ServedOcr implements ServedModel {
  readonly model: LoadedModel;
  readonly #reader: TextReader;
  readonly #recognizers: RecognizerThreads;
  #wide = false;

  /** @throws {ModelRefusedError} */
  static async load(files: OcrFiles, setup: WorkerSetup, preprocessor: Preprocessor): Promise<ServedOcr> {
    const watch = new Stopwatch();
    const { wideThreads, spinning, workerFile } = setup;
    const detect = await openModel(files.detect, { wideThreads, spinning, varies: true }, true);
    for (const wide of wideThreads === null ? [false] : [false, true]) {
      await runDetector(detect.session, new Float32Array(3 * BLANK.height * BLANK.width), BLANK, wide);
    }
    const recognizers = await RecognizerThreads.open(wideThreads ?? 1, workerFile, {
      recognizer: files.recognize,
      spinning,
    });
    const model = { ...detect.model, batches: false, ms: watch.lap() };
    return new ServedOcr(model, detect.session, recognizers, files.keys, preprocessor);
  }

  constructor(
    model: LoadedModel,
    detect: Session,
    recognizers: RecognizerThreads,
    keys: readonly string[],
    preprocessor: Preprocessor,
  ) {
    this.model = model;
    this.#recognizers = recognizers;
    this.#reader = createTextReader({
      preprocessor,
      keys,
      parallel: recognizers.parallel,
      detect: (data, width, height) => runDetector(detect, data, { width, height }, this.#wide),
      recognize: (data, width) => recognizers.run(data, [1, 3, LINE_HEIGHT, width], this.#wide),
    });
  }

  end(): Promise<void> {
    return this.#recognizers.end();
  }

  async run(work: UnpackedWork, wide: boolean): Promise<{ answer: WorkAnswer; timings: StageTimings }> {
    if (work.type !== 'analyze' || work.output !== 'result') {
      throw new InferenceError(
        'image_unsuitable',
        'it reads text with two models and has no tensors of its own',
      );
    }
    this.#wide = wide;
    const { score, max } = work.filters;
    const { detections, lines, timings } = await this.#reader.read(work.image, {
      ...(score !== undefined && { score }),
      ...(max !== undefined && { max }),
    });
    return { answer: { detections, lines }, timings };
  }

  runBatch(): Promise<readonly JobOutcome[]> {
    throw new Error('text is read one image at a time');
  }
}

async function runDetector(
  session: Session,
  data: Float32Array,
  { width, height }: { readonly width: number; readonly height: number },
  wide: boolean,
): Promise<Float32Array> {
  const name = session.inputs[0]?.name ?? '';
  const tensor: Tensor = { name, datatype: 'FP32', shape: [1, 3, height, width], data };
  const [output] = await session.run([tensor], { wide, varies: true });
  if (output === undefined) throw new InferenceError('inference_failed', 'the model has no output');
  return output.data as Float32Array;
}
