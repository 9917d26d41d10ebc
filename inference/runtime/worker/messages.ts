import type { MessagePort } from 'node:worker_threads';
import type { RawImage } from '../../images/raw-image.ts';
import type { InferenceErrorCode } from '../../common/errors.ts';
import type { ModelSpec } from '../../models/model-spec.ts';
import type { Sidecar } from '../../models/sidecar.ts';
import type { Classification, Detection, Filters, TensorStats, TextLine } from '../../common/results.ts';
import type { Tensor, TensorInfo } from '../../common/tensor.ts';

/** A file as it was looked at; a worker that finds another one refuses to load it. */
export interface FileStamp {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface OnnxFiles {
  readonly model: FileStamp;
  readonly sidecar: Sidecar;
  /** Whether its folded graph is known to answer the same; else that is tried when it is loaded. Default no. */
  readonly foldsWell?: boolean;
}

export type ModelFiles =
  | { readonly kind: 'onnx'; readonly onnx: OnnxFiles }
  | {
      readonly kind: 'ocr';
      readonly detect: OnnxFiles;
      readonly recognize: OnnxFiles;
      /** The recogniser's characters. */
      readonly keys: readonly string[];
    };

/** What a worker is started with, as its `workerData`. */
export interface WorkerSetup {
  readonly name: string;
  readonly files: ModelFiles;
  readonly wasmFile: string;
  /** The worker's own entry, for threads beside it. */
  readonly workerFile: string;
  /** The threads of the session that runs when nothing else does; null: the worker has none, and runs on one thread. */
  readonly wideThreads: number | null;
  /** Whether threads wait actively inside a run. */
  readonly spinning: boolean;
  /** `JOB_STATES` by slot. */
  readonly states: SharedArrayBuffer;
}

/** What becomes of a job, by its slot in `states`; both threads look and write. */
export const JOB_STATES = { sent: 0, started: 1, cancelled: 2 } as const;
export const JOB_SLOTS = 256;

export type AnalyzeOutput = 'result' | 'raw' | 'stats';

/**
 * A decoded image on its way from the thread that decoded it to the one that runs the model. Its pixels are the one message
 * in the port's queue: there they are in no thread's heap, and weigh on no garbage collector. Whoever drops it closes the
 * port.
 */
export interface PackedImage extends Omit<RawImage, 'data'> {
  readonly byteLength: number;
  readonly pixels: MessagePort;
}

interface Analyze<Image> {
  readonly type: 'analyze';
  readonly image: Image;
  /** The image's size before a shrinking decode: boxes are told in its pixels. */
  readonly source: { readonly width: number; readonly height: number };
  readonly output: AnalyzeOutput;
  readonly filters: Filters;
}

interface Infer {
  readonly type: 'infer';
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly string[] | null;
}

/** What is to be done. */
export type Work = Analyze<PackedImage> | Infer;

/** The same with the pixels at hand. */
export type UnpackedWork = Analyze<RawImage> | Infer;

export interface Job {
  readonly id: number;
  readonly slot: number;
  /** Milliseconds since the epoch; not started after it. */
  readonly deadline: number;
  readonly work: Work;
}

export type UnpackedJob = Omit<Job, 'work'> & { readonly work: UnpackedWork };

/** Jobs of one message run as one batch. `end` comes after what was sent before it. */
export type ToWorker =
  { readonly type: 'run'; readonly wide: boolean; readonly jobs: readonly Job[] } | { readonly type: 'end' };

export interface WorkAnswer {
  readonly detections?: readonly Detection[];
  readonly lines?: readonly TextLine[];
  readonly classes?: readonly Classification[];
  readonly outputs?: readonly Tensor[];
  readonly stats?: readonly TensorStats[];
}

/** Milliseconds; `startedAt` since the epoch. */
export interface WorkTimings {
  readonly startedAt: number;
  readonly preprocess_ms: number;
  readonly inference_ms: number;
  readonly postprocess_ms: number;
}

export interface SerializedError {
  /** Null: a mistake of this product's own. */
  readonly code: InferenceErrorCode | null;
  readonly message: string;
  readonly field: string | undefined;
}

export type JobOutcome =
  | { readonly type: 'done'; readonly id: number; readonly answer: WorkAnswer; readonly timings: WorkTimings }
  | { readonly type: 'failed'; readonly id: number; readonly error: SerializedError }
  /** Cancelled or too late when its turn came. */
  | { readonly type: 'skipped'; readonly id: number };

/** What a model turned out to be. */
export interface LoadedModel {
  readonly spec: ModelSpec;
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  /** Whether several images may go through it in one run. */
  readonly batches: boolean;
  /** Paths of further files that hold its weights. */
  readonly externalFiles: readonly string[];
  /** Milliseconds from the worker's start to the end of the warm-up run. */
  readonly ms: number;
}

export type FromWorker =
  | { readonly type: 'ready'; readonly model: LoadedModel }
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'outcomes'; readonly outcomes: readonly JobOutcome[] };
