import type { MessagePort } from 'node:worker_threads';
import type { RawImage } from '../../images/raw-image.ts';
import type { InferenceErrorCode } from '../../common/errors.ts';
import type { ModelSpec } from '../../models/model-spec.ts';
import type { Sidecar } from '../../models/sidecar.ts';
import type { Classification, Detection, Filters, TensorStats, TextLine } from '../../common/results.ts';
import type { Tensor, TensorInfo } from '../../common/tensor.ts';

/** A file as it was found. A worker that finds it changed refuses to load it. */
export interface FileStamp {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface OnnxFiles {
  readonly model: FileStamp;
  readonly sidecar: Sidecar;
  /** Whether its folded graph is known to give the same answers; otherwise that is tried at load. Default false. */
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

/** A worker's `workerData`. */
export interface WorkerSetup {
  readonly name: string;
  readonly files: ModelFiles;
  readonly wasmFile: string;
  /** The worker's own entry, which threads beside it start from too. */
  readonly workerFile: string;
  /** The threads of a second session, for runs that are alone in the process; null for no such session. */
  readonly wideThreads: number | null;
  /** Whether threads wait actively inside a run. */
  readonly spinning: boolean;
  /** The `JOB_STATES` of jobs by their slots. */
  readonly states: SharedArrayBuffer;
}

/** The states of a job in its slot of `states`, which both threads read and write. */
export const JOB_STATES = { sent: 0, started: 1, cancelled: 2 } as const;
export const JOB_SLOTS = 256;

type AnalyzeOutput = 'result' | 'raw' | 'stats';

/**
 * A decoded image on its way from the thread that decoded it to the one that runs the model. Its pixels are the only
 * message in the port's queue, where they are in no thread's heap and no garbage collector has to deal with them. The
 * port has to be closed where the image is not needed any more.
 */
export interface PackedImage extends Omit<RawImage, 'data'> {
  readonly byteLength: number;
  readonly pixels: MessagePort;
}

interface Analyze<Image> {
  readonly type: 'analyze';
  readonly image: Image;
  /** The image's size before `shrinkTo` reduced it. Boxes are in its pixels. */
  readonly source: { readonly width: number; readonly height: number };
  readonly output: AnalyzeOutput;
  readonly filters: Filters;
}

interface Infer {
  readonly type: 'infer';
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly string[] | null;
}

/** The work of a job. */
export type Work = Analyze<PackedImage> | Infer;

/** The same work with the image's pixels. */
export type UnpackedWork = Analyze<RawImage> | Infer;

export interface Job {
  readonly id: number;
  readonly slot: number;
  /** Milliseconds since the epoch. The job is not started after it. */
  readonly deadline: number;
  readonly work: Work;
}

export type UnpackedJob = Omit<Job, 'work'> & { readonly work: UnpackedWork };

/** Jobs of one message run as one batch. The thread ends after all messages before `end` are done with. */
export type ToWorker =
  | { readonly type: 'run'; readonly wide: boolean; readonly jobs: readonly Job[] }
  | { readonly type: 'end' };

export interface WorkAnswer {
  readonly detections?: readonly Detection[];
  readonly lines?: readonly TextLine[];
  readonly classes?: readonly Classification[];
  readonly outputs?: readonly Tensor[];
  readonly stats?: readonly TensorStats[];
}

/** Milliseconds; `startedAt` is since the epoch. */
export interface WorkTimings {
  readonly startedAt: number;
  readonly preprocess_ms: number;
  readonly inference_ms: number;
  readonly postprocess_ms: number;
}

/** An error as it travels between threads. */
export interface SerializedError {
  /** Null for an error that is not an `InferenceError`. */
  readonly code: InferenceErrorCode | null;
  readonly message: string;
  readonly field: string | undefined;
}

export type JobOutcome =
  | { readonly type: 'done'; readonly id: number; readonly answer: WorkAnswer; readonly timings: WorkTimings }
  | { readonly type: 'failed'; readonly id: number; readonly error: SerializedError }
  /** It was cancelled, or too late, when it was about to start. */
  | { readonly type: 'skipped'; readonly id: number };

/** A model that has been loaded. */
export interface LoadedModel {
  readonly spec: ModelSpec;
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  /** Whether it takes several images in one run. */
  readonly batches: boolean;
  /** The paths of further files that hold its weights. */
  readonly externalFiles: readonly string[];
  /** Milliseconds from the worker's start to the end of the warm-up run. */
  readonly ms: number;
}

export type FromWorker =
  | { readonly type: 'ready'; readonly model: LoadedModel }
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'outcomes'; readonly outcomes: readonly JobOutcome[] };
