import { InferenceError } from '../common/errors.ts';
import { ModelWorker, type WorkerLostError } from './model-worker.ts';
import type { Ticket } from './ticket.ts';
import type { LoadedModel, ModelFiles } from './worker/messages.ts';

/** A lost worker is replaced after this long, and after twice as long each time until one has answered again. */
const BACK_OFF_MS = { first: 50, most: 30_000 };

export interface PoolOptions {
  readonly name: string;
  /** Of the model's files and of those that it names. */
  readonly versionWith: (externalFiles: readonly string[]) => Promise<string>;
  readonly files: ModelFiles;
  readonly workerFile: string;
  readonly wasmFile: string;
  /** Workers at most. */
  readonly instances: number;
  /** Threads of a run that has the machine to itself. */
  readonly wideThreads: number;
  readonly spinning: boolean;
  readonly runLimitMs: number;
  readonly loadLimitMs: number;
  /** Ends its loading. */
  readonly signal: AbortSignal;
  /** Something can be sent, or came back to be sent again. */
  readonly onCapacity: () => void;
  readonly onCrash: (reason: string) => void;
}

/**
 * The workers of one version of a model, and its part of the queue. The first worker loads the model; further ones start
 * when there is work for them.
 */
export class ModelPool {
  readonly name: string;
  readonly version: string;
  readonly model: LoadedModel;
  /** Not prepared yet, first come first. */
  readonly waiting: Ticket[] = [];
  /** Being prepared or prepared, in the order of their arrival. */
  readonly prepared: Ticket[] = [];
  /** When it was last given a turn, in turns. */
  lastSent = 0;
  /** Mean milliseconds of a run in a worker, newer ones weighing more; undefined before the first. */
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

  private constructor(options: PoolOptions, version: string, first: ModelWorker, model: LoadedModel) {
    this.name = options.name;
    this.version = version;
    this.#options = options;
    this.#workers = [first];
    this.model = model;
  }

  get kind(): ModelFiles['kind'] {
    return this.#options.files.kind;
  }

  /** Workers with something to do. */
  get busy(): number {
    return this.#workers.reduce((count, worker) => count + (worker.inFlight > 0 ? 1 : 0), 0);
  }

  /** Of its workers, for tests and metrics. */
  get size(): number {
    return this.#workers.length;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get hasWork(): boolean {
    return this.waiting.length > 0 || this.prepared.length > 0;
  }

  /** A worker that does nothing; the one with the wide session first. */
  idle(): ModelWorker | undefined {
    return this.#workers.find((worker) => worker.alive && worker.inFlight === 0);
  }

  /** A worker that runs something and may be sent what comes next. */
  nearlyIdle(): ModelWorker | undefined {
    return this.#workers.find((worker) => worker.alive && worker.inFlight === 1);
  }

  /** Starts another worker when the model may have one more. */
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
        // One that was lost while it loaded is gone already, and counted.
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
      // Twice beside a crash may be chance; after that it is likely its cause.
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

  /** Takes a ticket out of the queue. */
  forget(ticket: Ticket): void {
    for (const list of [this.waiting, this.prepared]) {
      const index = list.indexOf(ticket);
      if (index >= 0) list.splice(index, 1);
    }
    this.#endWhenDrained();
  }

  /** Resolves when it has answered all that it was given and its workers have ended. */
  async drain(): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((resolve) => {
      this.#draining = resolve;
      this.#endWhenDrained();
    });
    await this.close(0);
  }

  /** Refuses what waits, gives runs under way some time, ends the workers. */
  async close(graceMs: number, error?: InferenceError): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    const refusal =
      error ??
      new InferenceError('model_unavailable', `the model ${this.name} was unloaded`, { field: 'model' });
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
