import type { Classification, Detection, Filters, TensorStats, TextLine, Timings } from './common/results.ts';
import type { ModelStatus } from './registry/model-entry.ts';
import type { Tensor } from './common/tensor.ts';

export interface AnalyzeRequest {
  /** An image file's bytes, which must not change until the request has ended. */
  readonly bytes: Uint8Array;
  /** Default: the service's default model. */
  readonly model?: string;
  /** `result`: what the model's task gives; `raw`: the output tensors; `stats`: their figures. Default `result`. */
  readonly output?: 'result' | 'raw' | 'stats';
  readonly filters?: Filters;
  /** `shrink` lets the decoder reduce large JPEGs while it reads, which is faster and not exact. Default `exact`. */
  readonly decode?: 'exact' | 'shrink';
  /** Ends the request. The result of a run under way is dropped. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole request. Default and upper bound: the service's `timeoutMs`. */
  readonly timeoutMs?: number;
}

/**
 * The answer to an image. It has `detections` for tasks that find boxes (text has the label `text`), `lines` for models
 * of text, `classes` for `classify`, `outputs` for `tensor` and for `output: raw`, and `stats` for `output: stats`.
 */
export interface Analysis {
  readonly model: string;
  readonly version: string;
  /** The size after the EXIF rotation. */
  readonly image: { readonly width: number; readonly height: number };
  readonly detections?: readonly Detection[];
  readonly lines?: readonly TextLine[];
  readonly classes?: readonly Classification[];
  readonly outputs?: readonly Tensor[];
  readonly stats?: readonly TensorStats[];
  readonly timings: Timings;
}

export interface InferRequest {
  readonly model: string;
  /** The version to use; any other than the one that serves is not found. */
  readonly version?: string;
  readonly inputs: readonly Tensor[];
  /** Names of the wanted outputs. Default: all. */
  readonly outputs?: readonly string[];
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface InferResult {
  readonly model: string;
  readonly version: string;
  readonly outputs: readonly Tensor[];
  readonly timings: Timings;
}

/** Receives events for metrics and logs. */
export interface InferenceObserver {
  /** A request has ended. `outcome` is `ok`, an InferenceErrorCode or `aborted`. */
  request?(event: {
    readonly model: string;
    readonly operation: 'analyze' | 'infer';
    readonly outcome: string;
    readonly timings: Partial<Timings>;
  }): void;
  /** The numbers of waiting and running requests have changed. */
  queue?(event: { readonly model: string; readonly waiting: number; readonly running: number }): void;
  /** A model was loaded, refused or unloaded, or lost a worker. */
  model?(event: {
    readonly model: string;
    readonly event: 'ready' | 'refused' | 'unloaded' | 'crashed';
    readonly reason?: string;
    readonly ms?: number;
  }): void;
}

/**
 * Image models behind one interface, which takes image files or tensors. Nothing in it blocks the calling thread.
 * Requests reject with an `InferenceError`, or with the signal's reason where that is aborted.
 */
export interface Inference {
  readonly defaultModel: string;
  /** Whether every model of the folder has been loaded or refused, and the default model serves. */
  ready(): boolean;
  /** Answers all models, sorted by name. */
  models(): readonly ModelStatus[];
  /** @throws {InferenceError} model_not_found */
  model(name: string): ModelStatus;
  analyze(request: AnalyzeRequest): Promise<Analysis>;
  infer(request: InferRequest): Promise<InferResult>;
  /** Loads the model's files again. Resolves when the model is ready, rejects with `ModelRefusedError`. */
  load(name: string): Promise<ModelStatus>;
  /** Ends the model's workers, which frees their memory. The model stays in the list and can be loaded again. */
  unload(name: string): Promise<void>;
  /** Resolves when every model of the folder, and the default model, has been loaded or refused. */
  settled(): Promise<void>;
  /** Returns the function that ends the observation. */
  observe(observer: InferenceObserver): () => void;
  /** Ends all requests and threads. */
  close(): Promise<void>;
}
