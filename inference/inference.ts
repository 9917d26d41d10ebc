import type { Classification, Detection, Filters, TensorStats, TextLine, Timings } from './common/results.ts';
import type { ModelStatus } from './registry/model-entry.ts';
import type { Tensor } from './common/tensor.ts';

export interface AnalyzeRequest {
  /** An image file's bytes; to be left alone until the request has ended. */
  readonly bytes: Uint8Array;
  /** Default: the configured one. */
  readonly model?: string;
  /** `result`: what the model's task means; `raw`: its tensors; `stats`: their figures. Default `result`. */
  readonly output?: 'result' | 'raw' | 'stats';
  readonly filters?: Filters;
  /** `shrink` lets the decoder reduce large JPEGs while it reads: faster, not exact. Default `exact`. */
  readonly decode?: 'exact' | 'shrink';
  /** Gives up the request's place; a run under way ends unheard. */
  readonly signal?: AbortSignal;
  /** Milliseconds for everything; default and upper bound: the configured ones. */
  readonly timeoutMs?: number;
}

/**
 * `detections` is there for the tasks that find boxes (text has the label `text`), with `lines` beside it for the models
 * of text; `classes` for `classify`; `outputs` for `tensor` and for `output: raw`; `stats` for `output: stats`.
 */
export interface Analysis {
  readonly model: string;
  readonly version: string;
  /** As decoded, that is after the EXIF rotation. */
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
  /** Any other than the one served is not found. */
  readonly version?: string;
  readonly inputs: readonly Tensor[];
  /** Names of the wanted outputs; default all. */
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

/** What happens inside, for metrics and logs. */
export interface InferenceObserver {
  /** A request ended; `outcome` is `ok`, an InferenceErrorCode or `aborted`. */
  request?(event: {
    readonly model: string;
    readonly operation: 'analyze' | 'infer';
    readonly outcome: string;
    readonly timings: Partial<Timings>;
  }): void;
  /** Requests that wait and that run, after a change. */
  queue?(event: { readonly model: string; readonly waiting: number; readonly running: number }): void;
  /** A model came into a state, e.g. was loaded, refused, or lost its worker. */
  model?(event: {
    readonly model: string;
    readonly event: 'ready' | 'refused' | 'unloaded' | 'crashed';
    readonly reason?: string;
    readonly ms?: number;
  }): void;
}

/**
 * Image models behind one interface: files in, results out. Nothing of it blocks the calling thread.
 * Requests reject with an `InferenceError`, or with the signal's reason when they were given up.
 */
export interface Inference {
  readonly defaultModel: string;
  /** Whether every model of the folder has been loaded or refused, and the default model serves. */
  ready(): boolean;
  /** By name. */
  models(): readonly ModelStatus[];
  /** @throws {InferenceError} model_not_found */
  model(name: string): ModelStatus;
  analyze(request: AnalyzeRequest): Promise<Analysis>;
  infer(request: InferRequest): Promise<InferResult>;
  /** Reads the model's files again and serves them; resolves when it is ready, rejects with `ModelRefusedError`. */
  load(name: string): Promise<ModelStatus>;
  /** Ends its workers, which frees its memory. It stays in the list and can be loaded again. */
  unload(name: string): Promise<void>;
  /** Resolves when the first look at the folder is over: models that will serve do. */
  settled(): Promise<void>;
  observe(observer: InferenceObserver): () => void;
  close(): Promise<void>;
}
