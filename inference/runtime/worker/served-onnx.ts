import { now, Stopwatch } from '../../common/clock.ts';
import { InferenceError, ModelRefusedError } from '../../common/errors.ts';
import { decodeOutputs } from '../../models/decoders/decode-outputs.ts';
import { extraInputs, type RunContext } from '../../models/extra-inputs.ts';
import type { ImageInput } from '../../preprocess/image-input.ts';
import type { Placement } from '../../preprocess/placement.ts';
import type { Preprocessor } from '../../preprocess/preprocessor.ts';
import { copyOf, type Tensor } from '../../common/tensor.ts';
import type {
  UnpackedJob,
  JobOutcome,
  LoadedModel,
  OnnxFiles,
  UnpackedWork,
  WorkAnswer,
  WorkerSetup,
} from './messages.ts';
import { zerosFor } from './ort-tensors.ts';
import { serializeError } from './serialized-error.ts';
import { openModel, type OpenedModel } from './open-model.ts';
import type { ServedModel, StageTimings } from './served-model.ts';
import { isClose, noiseImage, statsOf } from './compare-tensors.ts';
import { Session } from './session.ts';

type AnalyzeWork = Extract<UnpackedWork, { type: 'analyze' }>;
type InferWork = Extract<UnpackedWork, { type: 'infer' }>;

/** One ONNX file in its session. */
export class ServedOnnx implements ServedModel {
  readonly model: LoadedModel;
  readonly #session: Session;
  readonly #preprocessor: Preprocessor;

  /** Opens the file and runs it once. @throws {ModelRefusedError} */
  static async load(files: OnnxFiles, setup: WorkerSetup, preprocessor: Preprocessor): Promise<ServedOnnx> {
    const watch = new Stopwatch();
    const { wideThreads, spinning } = setup;
    const open = async (fold: boolean): Promise<{ served: ServedOnnx; folded: boolean }> => {
      const opened = await openModel(files, { wideThreads, spinning, varies: false }, fold);
      return { served: new ServedOnnx(opened, preprocessor), folded: opened.folded };
    };
    const mayFold = files.sidecar.fold ?? true;
    let { served, folded } = await open(mayFold).catch((error: unknown) => {
      // The runtime may take the file without folding.
      if (mayFold) return open(false);
      throw error;
    });
    if (folded && files.foldsWell !== true && !(await served.#answersAs(files.model.path))) {
      await served.#session.release();
      ({ served } = await open(false));
    }
    await served.#warmUp();
    (served.model as { ms: number }).ms = watch.lap();
    return served;
  }

  constructor({ session, model }: OpenedModel, preprocessor: Preprocessor) {
    this.model = model;
    this.#session = session;
    this.#preprocessor = preprocessor;
  }

  end(): Promise<void> {
    return Promise.resolve();
  }

  run(work: UnpackedWork, wide: boolean): Promise<{ answer: WorkAnswer; timings: StageTimings }> {
    return work.type === 'analyze' ? this.#analyze(work, wide) : this.#infer(work, wide);
  }

  async #analyze(work: AnalyzeWork, wide: boolean): Promise<{ answer: WorkAnswer; timings: StageTimings }> {
    const watch = new Stopwatch();
    const image = this.#image();
    const prepared = this.#preprocessor.prepare(work.image, image);
    const context = this.#context(work, prepared.placement);
    const inputs = [this.#imageTensor(image, prepared), ...extraInputs(this.model.spec, context)];
    const preprocess_ms = watch.lap();
    const outputs = await this.#session.run(inputs, { wide });
    const inference_ms = watch.lap();
    const answer = this.#answer(work, outputs, context);
    return { answer, timings: { preprocess_ms, inference_ms, postprocess_ms: watch.lap() } };
  }

  async #infer(work: InferWork, wide: boolean): Promise<{ answer: WorkAnswer; timings: StageTimings }> {
    const watch = new Stopwatch();
    const { inputs } = this.model;
    const varies = inputs.some(({ shape }) => shape.includes(-1));
    const outputs = await this.#session.run(work.inputs, { wide, outputs: work.outputs, varies });
    const inference_ms = watch.lap();
    const answer = { outputs: outputs.map(copyOf) };
    return { answer, timings: { preprocess_ms: 0, inference_ms, postprocess_ms: watch.lap() } };
  }

  async runBatch(jobs: readonly UnpackedJob[], wide: boolean): Promise<readonly JobOutcome[]> {
    const startedAt = now();
    const watch = new Stopwatch();
    const image = this.#image();
    const outcomes: JobOutcome[] = [];
    const placed: { readonly job: UnpackedJob; readonly work: AnalyzeWork; readonly context: RunContext }[] =
      [];
    let batch: Float32Array | Uint16Array | Uint8Array | undefined;
    let shape: readonly number[] = [];
    for (const job of jobs) {
      const { work } = job;
      if (work.type !== 'analyze') throw new Error('only images go in batches');
      try {
        const prepared = this.#preprocessor.prepare(work.image, image);
        batch ??= sameKind(prepared.data, prepared.data.length * jobs.length);
        batch.set(prepared.data, placed.length * prepared.data.length);
        shape = prepared.shape;
        placed.push({ job, work, context: this.#context(work, prepared.placement) });
      } catch (error) {
        outcomes.push({ type: 'failed', id: job.id, error: serializeError(error) });
      }
    }
    if (batch === undefined) return outcomes;
    const count = placed.length;
    const size = batch.length / jobs.length;
    const input: Tensor = {
      name: this.model.inputs[0]?.name ?? '',
      datatype: image.datatype,
      shape: [count, ...shape.slice(1)],
      data: batch.subarray(0, size * count),
    };
    const preprocess_ms = watch.lap() / count;
    const outputs = await this.#session.run([input], { wide, varies: true });
    const inference_ms = watch.lap() / count;
    placed.forEach(({ job, work, context }, index) => {
      try {
        const own = outputs.map((tensor) => sliceOf(tensor, index, count));
        const answer = this.#answer(work, own, context);
        const timings = { startedAt, preprocess_ms, inference_ms, postprocess_ms: watch.lap() };
        outcomes.push({ type: 'done', id: job.id, answer, timings });
      } catch (error) {
        outcomes.push({ type: 'failed', id: job.id, error: serializeError(error) });
      }
    });
    return outcomes;
  }

  #image(): ImageInput {
    const { image } = this.model.spec;
    if (image === null) throw new InferenceError('image_unsuitable', 'the model takes no image');
    return image;
  }

  #imageTensor(image: ImageInput, { data, shape }: Pick<Tensor, 'shape'> & { data: Tensor['data'] }): Tensor {
    return { name: this.model.inputs[0]?.name ?? '', datatype: image.datatype, shape, data };
  }

  #context({ image, source, filters }: AnalyzeWork, placement: Placement): RunContext {
    return {
      inputs: this.model.inputs,
      image: source,
      // The placement of a reduced image is in its own pixels; results are in the source's.
      placement: {
        ...placement,
        scaleX: placement.scaleX * (image.width / source.width),
        scaleY: placement.scaleY * (image.height / source.height),
      },
      filters,
    };
  }

  #answer(work: AnalyzeWork, outputs: readonly Tensor[], context: RunContext): WorkAnswer {
    if (work.output === 'stats') return { stats: outputs.map(statsOf) };
    if (work.output === 'raw' || this.model.spec.task === 'tensor') return { outputs: outputs.map(copyOf) };
    return decodeOutputs(this.model.spec, outputs, context);
  }

  /** Whether it answers a picture of noise as the unfolded file does, but for rounding. */
  async #answersAs(file: string): Promise<boolean> {
    const { image } = this.model.spec;
    if (image === null) return false;
    const plain = await Session.open({ model: file, wideThreads: null, spinning: false, varies: true });
    try {
      const noise = noiseImage(image);
      const inputs = [
        this.#imageTensor(image, this.#preprocessor.prepare(noise, image)),
        ...this.#otherInputs(image),
      ];
      const [wanted, found] = [
        await plain.run(inputs, { wide: false, varies: true }),
        await this.#session.run(inputs, { wide: false }),
      ];
      return wanted.every((tensor, index) => isClose(tensor, found[index]));
    } catch {
      // The unfolded file will show the same error where the model is at fault.
      return false;
    } finally {
      await plain.release();
    }
  }

  /** Runs the model once, because the first run allocates and packs, which no request should wait for. */
  async #warmUp(): Promise<void> {
    const { spec, inputs } = this.model;
    const { image } = spec;
    try {
      for (const wide of this.#session.hasWide ? [false, true] : [false]) {
        const feeds = image === null ? inputs.map(zerosFor) : this.#blank(image);
        await this.#session.run(feeds, { wide, varies: image === null });
      }
    } catch (error) {
      // Made-up sizes may not fit each other where sizes vary, but a model of images has to take an image.
      if (image === null) return;
      throw new ModelRefusedError(`it cannot run on a blank image: ${serializeError(error).message}`, {
        cause: error,
      });
    }
  }

  #blank(image: ImageInput): readonly Tensor[] {
    const { width, height, channels } = image;
    const first = this.model.inputs[0];
    if (first === undefined) throw new ModelRefusedError('it has no input');
    return [zerosFor({ ...first, shape: [1, channels, height, width] }), ...this.#otherInputs(image)];
  }

  /** Answers the inputs beside an image of the model's own size. */
  #otherInputs({ width, height }: ImageInput): readonly Tensor[] {
    return extraInputs(this.model.spec, {
      inputs: this.model.inputs,
      image: { width, height },
      placement: { scaleX: 1, scaleY: 1, offsetX: 0, offsetY: 0 },
    });
  }
}

function sameKind<T extends Float32Array | Uint16Array | Uint8Array>(like: T, length: number): T {
  return new (like.constructor as new (length: number) => T)(length);
}

/** Answers one image's part of an output of a batch. */
function sliceOf(tensor: Tensor, index: number, count: number): Tensor {
  const { name, datatype, shape, data } = tensor;
  if (shape[0] !== count) {
    throw new InferenceError('inference_failed', `the output ${name} is not one row an image: set no batch`);
  }
  const size = data.length / count;
  const own = (data as Uint8Array).subarray(index * size, (index + 1) * size);
  return { name, datatype, shape: [1, ...shape.slice(1)], data: own };
}
