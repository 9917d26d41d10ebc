import { InferenceError } from '../common/errors.ts';
import { ModelWorker, type WorkerLostError } from './model-worker.ts';
import type { Ticket } from './ticket.ts';
import type { LoadedModel, ModelFiles } from './worker/messages.ts';

/** A lost worker is replaced after the first delay, which doubles each time until one has answered again. */
const BACK_OFF_MS = { first: 50, most: 30_000 };

interface PoolOptions {
  readonly name: string;
  /** The version of the model's files together with further files that hold its weights. */
  readonly versionWith: (externalFiles: readonly string[]) => Promise<string>;
  readonly files: ModelFiles;
  readonly workerFile: string;
  readonly wasmFile: string;
  /** The most workers. */
  readonly instances: number;
  /** Threads of a run that is alone in the process. */
  readonly wideThreads: number;
  readonly spinning: boolean;
  readonly runLimitMs: number;
  readonly loadLimitMs: number;
  /** Ends the loading. */
  readonly signal: AbortSignal;
  /** A worker can take more, or jobs have come back to be sent again. */
  readonly onCapacity: () => void;
  readonly onCrash: (reason: string) => void;
}

/**
 * The workers of one version of a model, and the requests that wait for it. The first worker loads the model; further
 * ones start when there is work for them.
 */
export class ModelPool {
  readonly name: string;
  readonly version: string;
  readonly model: LoadedModel;
  /** Tickets that are not prepared yet, in the order of their arrival. */
  readonly waiting: Ticket[] = [];
  /** Tickets that are being prepared or prepared, in the order of their arrival. */
  readonly prepared: Ticket[] = [];
  /** The scheduler's count of batches when this pool last got one. */
  lastSent = 0;
  /** Milliseconds of a run in a worker, as a mean in which newer runs weigh more; undefined before the first. */
  meanRunMs: number | undefined;
  readonly #options: PoolOptions;
  readonly #workers: ModelWorker[];
  #starting = false;
  #crashes = 0;
  #retry: NodeJS.Timeout | undefined;
  #draining: (() => void) | undefined;
  #closed = false;

  /** Loads the model in a first worker and runs it once. @throws {ModelRefusedError | WorkerLostError} */
  static async load(options: PoolOptions): Promise<ModelPool> {
    let pool: ModelPool | undefined;
    const { signal } = options;
    signal.throwIfAborted();
    const worker = startWorker(options, true, () => pool);
    const end = (): void => void worker.end();
    signal.addEventListener('abort', end, { once: true });
    try {
      const model = await worker.loaded;
      const version = await options.versionWith(model.externalFiles);
      pool = new ModelPool(options, version, worker, model);
      return pool;
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  constructor(options: PoolOptions, version: string, first: ModelWorker, model: LoadedModel) {
    this.name = options.name;
    this.version = version;
    this.#options = options;
    this.#workers = [first];
    this.model = model;
  }

  get kind(): ModelFiles['kind'] {
    return this.#options.files.kind;
  }

  /** Answers the number of workers with something to do. */
  get busy(): number {
    return this.#workers.reduce((count, worker) => count + (worker.inFlight > 0 ? 1 : 0), 0);
  }

  get closed(): boolean {
    return this.#closed;
  }

  get hasWork(): boolean {
    return this.waiting.length > 0 || this.prepared.length > 0;
  }

  /** Finds a worker that has nothing to do, preferably the one with the session of several threads. */
  idle(): ModelWorker | undefined {
    return this.#workers.find((worker) => worker.alive && worker.inFlight === 0);
  }

  /** Finds a worker that runs one batch and may be sent the next. */
  nearlyIdle(): ModelWorker | undefined {
    return this.#workers.find((worker) => worker.alive && worker.inFlight === 1);
  }

  /** Starts another worker where the model may have one more. */
  grow(): void {
    if (this.#starting || this.#closed || this.#retry !== undefined) return;
    if (this.#workers.length >= this.#options.instances) return;
    this.#starting = true;
    const wide = !this.#workers.some((worker) => worker.wide);
    const worker = startWorker(this.#options, wide, () => this);
    if (wide) this.#workers.unshift(worker);
    else this.#workers.push(worker);
    worker.loaded.then(
      () => {
        this.#starting = false;
        this.#options.onCapacity();
      },
      () => {
        this.#starting = false;
        // A worker that was lost while it loaded has been removed and counted already.
        if (this.#remove(worker)) this.#backOff();
      },
    );
  }

  runEnded(runMs: number | undefined): void {
    if (runMs !== undefined) {
      this.#crashes = 0;
      this.meanRunMs = this.meanRunMs === undefined ? runMs : 0.8 * this.meanRunMs + 0.2 * runMs;
    }
    this.#options.onCapacity();
    this.#endWhenDrained();
  }

  lost(worker: ModelWorker, error: WorkerLostError, notBegun: readonly Ticket[]): void {
    if (!this.#remove(worker)) return;
    for (const ticket of notBegun.toReversed()) {
      // A request that was there at two crashes may be so by chance; at a third it is likely the cause.
      if (++ticket.losses > 2) {
        ticket.fail(
          new InferenceError(
            'model_unavailable',
            `the worker of the model ${this.name} was lost: ${error.message}`,
          ),
        );
        continue;
      }
      ticket.stage = 'waiting';
      ticket.onGone = () => undefined;
      this.waiting.unshift(ticket);
    }
    this.#options.onCrash(error.message);
    this.#backOff();
    this.#endWhenDrained();
  }

  /** Removes a ticket from the queue. */
  forget(ticket: Ticket): void {
    for (const list of [this.waiting, this.prepared]) {
      const index = list.indexOf(ticket);
      if (index >= 0) list.splice(index, 1);
    }
    this.#endWhenDrained();
  }

  /** Resolves when everything that was submitted has been answered and the workers have ended. */
  async drain(): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((resolve) => {
      this.#draining = resolve;
      this.#endWhenDrained();
    });
    await this.close(0);
  }

  /** Refuses what waits, lets runs under way go on for at most `graceMs`, and ends the workers. */
  async close(graceMs: number): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    const message = `the model ${this.name} was unloaded`;
    const refusal = new InferenceError('model_unavailable', message, { field: 'model' });
    for (const ticket of [...this.waiting.splice(0), ...this.prepared.splice(0)]) ticket.fail(refusal);
    if (graceMs > 0 && this.busy > 0) {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#draining = resolve;
        }),
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, graceMs);
        }),
      ]);
      clearTimeout(timer);
    }
    await Promise.all(this.#workers.splice(0).map((worker) => worker.end()));
  }

  #endWhenDrained(): void {
    if (this.#draining === undefined || this.hasWork || this.busy > 0) return;
    this.#draining();
    this.#draining = undefined;
  }

  #remove(worker: ModelWorker): boolean {
    const index = this.#workers.indexOf(worker);
    if (index < 0) return false;
    this.#workers.splice(index, 1);
    return true;
  }

  #backOff(): void {
    if (this.#closed) return;
    const { first, most } = BACK_OFF_MS;
    const delay = Math.min(first * 2 ** this.#crashes++, most);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#options.onCapacity();
      if (this.#workers.length === 0) this.grow();
    }, delay);
    this.#retry.unref();
  }
}

function startWorker(options: PoolOptions, wide: boolean, pool: () => ModelPool | undefined): ModelWorker {
  const { name, files, wasmFile, spinning, wideThreads, workerFile, runLimitMs, loadLimitMs } = options;
  const worker: ModelWorker = new ModelWorker({
    workerFile,
    setup: {
      name,
      files,
      wasmFile,
      workerFile,
      spinning,
      wideThreads: wide && wideThreads > 1 ? wideThreads : null,
    },
    runLimitMs,
    loadLimitMs,
    onCapacity: (runMs) => pool()?.runEnded(runMs),
    onLost: (error, notBegun) => pool()?.lost(worker, error, notBegun),
  });
  return worker;
}
