import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { now } from './common/clock.ts';
import { InferenceError } from './common/errors.ts';
import { ConcurrencyLimit } from './common/concurrency-limit.ts';
import { DEFAULT_IMAGE_LIMITS } from './images/probe-image.ts';
import type {
  Analysis,
  AnalyzeRequest,
  InferRequest,
  InferResult,
  Inference,
  InferenceObserver,
} from './inference.ts';
import type { Timings } from './common/results.ts';
import { builtinModels } from './registry/builtin-models.ts';
import type { ModelEntry } from './registry/model-entry.ts';
import { ModelRegistry } from './registry/registry.ts';
import { availableCores } from './runtime/cores.ts';
import { ImageDecoder } from './runtime/decoder/image-decoder.ts';
import { ModelPool } from './runtime/model-pool.ts';
import { Scheduler } from './runtime/scheduler.ts';
import { checkInferRequest } from './check-request.ts';
import { copyOf, byteSizeOf } from './common/tensor.ts';
import type { Answered, Ticket } from './runtime/ticket.ts';
import { tryModel, type TrialOrder } from './runtime/trial/try-model.ts';
import type { Work } from './runtime/worker/messages.ts';

export interface InferenceOptions {
  /**
   * A folder whose dist/ has the built files (`inference-worker.mjs`, `inference-trial.mjs`, `image-decoder.mjs`,
   * `preprocess.wasm`) and whose node_modules/ has the packaged models. Default: the files are looked for beside this
   * module, and the models where Node finds packages from there.
   */
  readonly root?: string;
  /** The folder of models that are not packaged; it need not exist. */
  readonly modelsDir: string;
  /** The model of requests that name none. Default `ocr`. */
  readonly defaultModel?: string;
  /** Runs at a time. Default: the cores that the process may use. */
  readonly concurrency?: number | undefined;
  /** The most workers of a model, each with a copy of it. Default: `concurrency`. */
  readonly instances?: number | undefined;
  /** Requests that may wait. Default 64. */
  readonly queue?: number;
  /** Milliseconds that a request may take. Default 30 s. */
  readonly timeoutMs?: number;
  /** Milliseconds after which a run loses its worker. Default 2 minutes. */
  readonly runLimitMs?: number;
  /** Milliseconds after which a model that has not loaded and run once is refused. Default 2 minutes. */
  readonly loadLimitMs?: number;
  /** MiB that a model of the folder may take until it has run once; null for no limit. Default 4096. */
  readonly loadMemoryMib?: number | null;
  /** Whether threads wait actively inside a run. Default false. */
  readonly spinning?: boolean;
  /** The most images in one run, where a model takes several. Default 1. */
  readonly batch?: number;
  /** The most pixels of an image. Default: `DEFAULT_IMAGE_LIMITS.maxPixels`. */
  readonly pixelLimit?: number;
  /** Milliseconds between two scans of the models folder. Default 1000. */
  readonly pollMs?: number;
  /** The entry of the threads that run models. Default: the built one. */
  readonly workerFile?: string;
  readonly log?: InferenceLog;
}

/** The methods of a pino logger that are used. */
interface InferenceLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Starts the inference service. It returns at once, and loads the models meanwhile.
 * @example
 * const inference = createInference({ modelsDir: 'models' });
 * await inference.settled();
 * const { lines } = await inference.analyze({ bytes: await readFile('screen.png') });
 * await inference.close();
 */
export function createInference(options: InferenceOptions): Inference {
  return new InferenceService(options);
}

/** How long runs under way may go on when the service is closed. */
const CLOSE_GRACE_MS = 2000;

/** Trials of new models at a time. Each one is a process with a model in it. */
const TRIALS = 2;

class InferenceService implements Inference {
  readonly defaultModel: string;
  readonly #timeoutMs: number;
  readonly #limits: typeof DEFAULT_IMAGE_LIMITS;
  readonly #decoder: ImageDecoder;
  readonly #scheduler: Scheduler;
  readonly #registry: ModelRegistry;
  readonly #trials = new ConcurrencyLimit(TRIALS);
  readonly #observers = new Set<InferenceObserver>();
  readonly #log: InferenceLog | undefined;
  #closed = false;

  constructor(options: InferenceOptions) {
    const concurrency = options.concurrency ?? availableCores();
    this.defaultModel = options.defaultModel ?? 'ocr';
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    const maxPixels = options.pixelLimit ?? DEFAULT_IMAGE_LIMITS.maxPixels;
    this.#limits = { ...DEFAULT_IMAGE_LIMITS, maxPixels };
    this.#log = options.log;
    this.#decoder = new ImageDecoder(builtFile(options.root, 'image-decoder.mjs'));
    this.#scheduler = new Scheduler({
      concurrency,
      queue: options.queue ?? 64,
      batch: options.batch ?? 1,
      onChange: (change) => this.#observers.forEach((observer) => observer.queue?.(change)),
    });
    const { loadLimitMs = 120_000, loadMemoryMib = 4096 } = options;
    const workerFile = options.workerFile ?? builtFile(options.root, 'inference-worker.mjs');
    const wasmFile = builtFile(options.root, 'preprocess.wasm');
    const trialFile = builtFile(options.root, 'inference-trial.mjs');
    this.#registry = new ModelRegistry({
      folder: options.modelsDir,
      builtins: builtinModels(
        options.root === undefined ? import.meta.url : path.join(options.root, 'package.json'),
      ),
      defaultModel: this.defaultModel,
      pollMs: options.pollMs ?? 1000,
      start: async ({ name, files, sidecar, shipped, versionWith, signal }) => {
        const threads = { spinning: options.spinning ?? false, wideThreads: null };
        if (!shipped) {
          const setup = { name, files, workerFile, wasmFile, ...threads };
          const order: TrialOrder = { workerFile, setup, limitMs: loadLimitMs, memoryMib: loadMemoryMib };
          // The signal ends the trial itself, so that a load that was ended has left no process.
          await this.#trials.run(() => tryModel(order, trialFile, signal));
        }
        return await ModelPool.load({
          name,
          files,
          versionWith,
          workerFile,
          wasmFile,
          instances: sidecar.instances ?? options.instances ?? concurrency,
          ...threads,
          wideThreads: concurrency,
          runLimitMs: options.runLimitMs ?? 120_000,
          loadLimitMs,
          signal,
          onCapacity: () => this.#scheduler.pump(),
          onCrash: (reason) => this.#report(name, 'crashed', { reason }),
        });
      },
      events: {
        ready: (name, ms) => {
          this.#decoder.prepare();
          this.#report(name, 'ready', { ms });
        },
        refused: (name, reason) => this.#report(name, 'refused', { reason }),
        unloaded: (name) => this.#report(name, 'unloaded', {}),
      },
      onError: (error) => this.#log?.warn({ err: error }, 'the models folder cannot be looked at'),
    });
  }

  ready(): boolean {
    if (this.#closed || !this.#registry.isSettled) return false;
    return this.models().some(({ name, state }) => name === this.defaultModel && state === 'ready');
  }

  models(): ReturnType<Inference['models']> {
    return this.#registry.list();
  }

  model(name: string): ReturnType<Inference['model']> {
    return this.#registry.entry(name).status;
  }

  async analyze(request: AnalyzeRequest): Promise<Analysis> {
    const { output = 'result', filters = {}, bytes } = request;
    const entry = this.#registry.entry(request.model ?? this.defaultModel);
    let decode_ms = 0;
    return this.#observed(entry.name, 'analyze', request.signal, async () => {
      const { ticket, pool } = await this.#enter(entry, request, bytes.byteLength);
      const { image } = pool.model.spec;
      if (image === null) {
        throw this.#ended(
          ticket,
          new InferenceError(
            'image_unsuitable',
            `the model ${entry.name} takes no image${reasonOf(pool)}; it answers to tensors`,
            { field: 'model' },
          ),
        );
      }
      if (pool.kind === 'ocr' && output !== 'result') {
        throw this.#ended(
          ticket,
          new InferenceError(
            'image_unsuitable',
            `the model ${entry.name} reads text with two models and has no tensors of its own: ask one of the two`,
            { field: 'output' },
          ),
        );
      }
      let size = { width: 0, height: 0 };
      const prepare = async (signal: AbortSignal): Promise<Work> => {
        const start = performance.now();
        const shrinkTo = request.decode === 'shrink' && pool.kind === 'onnx' ? image : undefined;
        const decoded = await this.#decoder.decode(bytes, {
          read: image.read,
          limits: this.#limits,
          signal,
          ...(shrinkTo && { shrinkTo: { width: shrinkTo.width, height: shrinkTo.height } }),
        });
        decode_ms = performance.now() - start;
        size = decoded.original;
        return { type: 'analyze', image: decoded.image, source: size, output, filters };
      };
      this.#scheduler.submit(ticket, pool, { prepare });
      const answered = await ticket.answered;
      const timings = timingsOf(ticket, answered, decode_ms);
      return { model: entry.name, version: pool.version, image: size, ...answered.answer, timings };
    });
  }

  async infer(request: InferRequest): Promise<InferResult> {
    const entry = this.#registry.entry(request.model);
    return this.#observed(entry.name, 'infer', request.signal, async () => {
      const { ticket, pool } = await this.#enter(entry, request, byteSizeOf(request.inputs));
      try {
        checkInferRequest(request, pool);
      } catch (error) {
        throw this.#ended(ticket, error);
      }
      this.#scheduler.submit(ticket, pool, {
        // The worker is given a copy for good; the original may be needed again after a crash.
        prepare: async () => ({
          type: 'infer',
          inputs: request.inputs.map(copyOf),
          outputs: request.outputs ?? null,
        }),
      });
      const answered = await ticket.answered;
      const timings = timingsOf(ticket, answered, 0);
      return { model: entry.name, version: pool.version, outputs: answered.answer.outputs ?? [], timings };
    });
  }

  async load(name: string): Promise<ReturnType<Inference['model']>> {
    return this.#registry.load(name);
  }

  async unload(name: string): Promise<void> {
    await this.#registry.unload(name);
  }

  settled(): Promise<void> {
    return this.#registry.settled();
  }

  observe(observer: InferenceObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#registry.close(CLOSE_GRACE_MS);
    await this.#decoder.close();
  }

  /** Admits a request and waits for its model, for as long as the request may take. */
  async #enter(
    entry: ModelEntry,
    { timeoutMs = this.#timeoutMs, signal }: { timeoutMs?: number; signal?: AbortSignal },
    bytes: number,
  ): Promise<{ ticket: Ticket; pool: ModelPool }> {
    const ticket = this.#scheduler.enter({
      model: entry.name,
      timeoutMs: Math.min(timeoutMs, this.#timeoutMs),
      signal,
      bytes,
      loading: () => entry.serving === undefined,
    });
    try {
      return { ticket, pool: entry.serving ?? (await ticket.during(entry.pool())) };
    } catch (error) {
      throw this.#ended(ticket, error);
    }
  }

  #ended(ticket: Ticket, error: unknown): unknown {
    ticket.fail(error);
    return error;
  }

  async #observed<T extends { readonly timings: Timings }>(
    model: string,
    operation: 'analyze' | 'infer',
    signal: AbortSignal | undefined,
    run: () => Promise<T>,
  ): Promise<T> {
    const start = performance.now();
    const report = (outcome: string, timings: Partial<Timings>): void =>
      this.#observers.forEach((observer) => observer.request?.({ model, operation, outcome, timings }));
    try {
      const result = await run();
      report('ok', result.timings);
      return result;
    } catch (error) {
      const fault = signal?.aborted === true ? 'aborted' : 'inference_failed';
      const outcome = error instanceof InferenceError ? error.code : fault;
      report(outcome, { total_ms: performance.now() - start });
      throw error;
    }
  }

  #report(
    model: string,
    event: 'ready' | 'refused' | 'unloaded' | 'crashed',
    facts: { readonly reason?: string; readonly ms?: number },
  ): void {
    const bad = event === 'refused' || event === 'crashed';
    this.#log?.[bad ? 'warn' : 'info']({ model, ...facts }, `model ${event}`);
    this.#observers.forEach((observer) => observer.model?.({ model, event, ...facts }));
  }
}

function builtFile(root: string | undefined, name: string): string {
  if (root !== undefined) return path.join(root, 'dist', name);
  return fileURLToPath(new URL(`./${name}`, import.meta.url));
}

function timingsOf(ticket: Ticket, { timings }: Answered, decode_ms: number): Timings {
  const { startedAt, ...stages } = timings;
  return {
    decode_ms,
    queue_ms: Math.max(0, startedAt - ticket.enteredAt - decode_ms),
    ...stages,
    total_ms: now() - ticket.enteredAt,
  };
}

function reasonOf({ model }: ModelPool): string {
  return model.spec.noImage === undefined ? '' : ` (${model.spec.noImage})`;
}
