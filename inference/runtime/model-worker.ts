import { Worker, type MessagePort } from 'node:worker_threads';
import { InferenceError, ModelRefusedError } from '../common/errors.ts';
import { buffersOf } from '../common/tensor.ts';
import type { Ticket } from './ticket.ts';
import { deserializeError } from './worker/serialized-error.ts';
import {
  JOB_SLOTS,
  JOB_STATES,
  type FromWorker,
  type Job,
  type JobOutcome,
  type LoadedModel,
  type ToWorker,
  type Work,
  type WorkerSetup,
} from './worker/messages.ts';

/**
 * The limit of a worker's JavaScript heap, in MB; tensors and images are outside of it. A worker that needs more ends
 * alone, where without a limit the process would end.
 */
const HEAP_MB = 512;

/**
 * The limit of the heap's young generation. What survives a collection of it has to fit into what V8 grants a heap at
 * its limit, about 16 MB; with more, the whole process ends under Node 24.
 */
const YOUNG_MB = 16;

/** How long a worker that is asked to end is waited for: one that loads or runs ends afterwards, which may be never. */
const END_MS = { loading: 5000, running: 2000 };

const underWay = new Set<Worker>();

/**
 * Answers the number of models' threads that have not ended. Threads that are left after the service was closed are
 * inside a run, and an orderly end of the process would wait for them.
 */
export function modelThreads(): number {
  return underWay.size;
}

/** A worker ended although it was not asked to. */
export class WorkerLostError extends Error {
  override readonly name = 'WorkerLostError';
}

export interface ModelWorkerOptions {
  readonly workerFile: string;
  readonly setup: Omit<WorkerSetup, 'states'>;
  readonly runLimitMs: number;
  /** Milliseconds that loading may take. */
  readonly loadLimitMs: number;
  /** A batch has ended, so that the worker can take another one. */
  readonly onCapacity: (runMs: number | undefined) => void;
  /** The worker ended by itself or exceeded a limit; `notBegun` are the tickets that it had not begun. */
  readonly onLost: (error: WorkerLostError, notBegun: readonly Ticket[]) => void;
}

interface Sent {
  readonly tickets: ReadonlyMap<number, Ticket>;
  readonly slots: ReadonlyMap<number, number>;
}

/**
 * One worker thread with the sessions of one model. It runs what it is sent in the order of sending.
 *
 * The thread is never terminated from outside: inside the runtime's native code that ends the whole process, because
 * the binding throws where nothing catches. It is asked to end, and does so when the run under way is over.
 */
export class ModelWorker {
  /** Rejects with ModelRefusedError or WorkerLostError. */
  readonly loaded: Promise<LoadedModel>;
  /** Resolves when the thread has ended and its memory is free. */
  readonly exited: Promise<void>;
  readonly wide: boolean;
  #ready = false;
  #ended = false;
  readonly #worker: Worker;
  readonly #options: ModelWorkerOptions;
  readonly #states: Int32Array;
  readonly #sent: Sent[] = [];
  #nextSlot = 0;
  #nextId = 0;
  /** The timer of loading, and afterwards of each run. */
  #watchdog: NodeJS.Timeout | undefined;
  #settle!: { resolve: (model: LoadedModel) => void; reject: (error: Error) => void };

  constructor(options: ModelWorkerOptions) {
    const states = new SharedArrayBuffer(JOB_SLOTS * Int32Array.BYTES_PER_ELEMENT);
    this.#states = new Int32Array(states);
    this.#options = options;
    this.wide = options.setup.wideThreads !== null;
    this.loaded = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.loaded.catch(() => undefined);
    this.#worker = new Worker(options.workerFile, {
      workerData: { ...options.setup, states } satisfies WorkerSetup,
      name: `model ${options.setup.name}`,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
      // The parent's flags, such as a test runner's, are not for it.
      execArgv: [],
    });
    underWay.add(this.#worker);
    this.#watchLoading();
    let reason: string | undefined;
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (error: unknown) => {
      reason = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
    });
    this.exited = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        underWay.delete(this.#worker);
        resolve();
        this.#lose(reason ?? `it ended with code ${code}`);
      });
    });
  }

  /** Whether it has loaded its model and not ended. */
  get alive(): boolean {
    return this.#ready && !this.#ended;
  }

  /** Answers the number of batches that were sent and not answered. */
  get inFlight(): number {
    return this.#sent.length;
  }

  /** Sends prepared tickets to run as one batch. */
  send(tickets: readonly Ticket[], wide: boolean): void {
    const byId = new Map<number, Ticket>();
    const slots = new Map<number, number>();
    const transfer: (ArrayBuffer | MessagePort)[] = [];
    const jobs: Job[] = [];
    for (const ticket of tickets) {
      const { work } = ticket;
      if (work === undefined) continue;
      const id = this.#nextId++;
      const slot = this.#nextSlot++ % JOB_SLOTS;
      Atomics.store(this.#states, slot, JOB_STATES.sent);
      byId.set(id, ticket);
      slots.set(id, slot);
      jobs.push({ id, slot, deadline: ticket.deadline, work });
      transfer.push(...transferable(work));
      ticket.stage = 'sent';
      ticket.work = undefined;
      ticket.onGone = () => {
        Atomics.compareExchange(this.#states, slot, JOB_STATES.sent, JOB_STATES.cancelled);
      };
    }
    this.#sent.push({ tickets: byId, slots });
    this.#worker.ref();
    this.#worker.postMessage({ type: 'run', wide, jobs } satisfies ToWorker, transfer);
    if (this.#sent.length === 1) this.#watch();
  }

  /**
   * Drops what was sent and not begun. Resolves when the run under way is over and the thread has ended, or after a few
   * seconds, since a run may never end.
   */
  async end(): Promise<void> {
    if (!this.#ended) {
      this.#ended = true;
      clearTimeout(this.#watchdog);
      this.#settle.reject(new WorkerLostError('it was ended'));
      const { name } = this.#options.setup;
      const error = new InferenceError('model_unavailable', `the model ${name} was unloaded`);
      for (const { tickets } of this.#sent.splice(0))
        for (const ticket of tickets.values()) ticket.fail(error);
      this.#askToEnd();
    }
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      this.exited,
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, this.#ready ? END_MS.running : END_MS.loading);
      }),
    ]);
    clearTimeout(timer);
  }

  #receive(message: FromWorker): void {
    if (this.#ended) return;
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        clearTimeout(this.#watchdog);
        this.#worker.unref();
        this.#settle.resolve(message.model);
        break;
      case 'refused':
        // The thread ends by itself.
        this.#ended = true;
        clearTimeout(this.#watchdog);
        this.#settle.reject(new ModelRefusedError(message.reason));
        break;
      case 'outcomes':
        this.#receiveOutcomes(message.outcomes);
        break;
    }
  }

  #receiveOutcomes(outcomes: readonly JobOutcome[]): void {
    const sent = this.#sent.shift();
    let runMs: number | undefined;
    // The worker gets its next batch before this thread deals with the answers.
    for (const outcome of outcomes) {
      if (outcome.type !== 'done') continue;
      const { preprocess_ms, inference_ms, postprocess_ms } = outcome.timings;
      runMs = preprocess_ms + inference_ms + postprocess_ms;
    }
    for (const ticket of sent?.tickets.values() ?? []) if (!ticket.over) ticket.stage = 'answered';
    clearTimeout(this.#watchdog);
    if (this.#sent.length > 0) this.#watch();
    else this.#worker.unref();
    this.#options.onCapacity(runMs);
    for (const outcome of outcomes) {
      const ticket = sent?.tickets.get(outcome.id);
      if (outcome.type === 'done') ticket?.finish({ answer: outcome.answer, timings: outcome.timings });
      else if (outcome.type === 'failed') ticket?.fail(deserializeError(outcome.error));
      // A job that the worker skipped as too late may be in time by this thread's timer, which then ends it.
    }
  }

  #askToEnd(): void {
    for (let slot = 0; slot < JOB_SLOTS; slot++) {
      Atomics.compareExchange(this.#states, slot, JOB_STATES.sent, JOB_STATES.cancelled);
    }
    this.#worker.ref();
    this.#worker.postMessage({ type: 'end' } satisfies ToWorker);
  }

  #watchLoading(): void {
    const { loadLimitMs } = this.#options;
    this.#watchdog = setTimeout(() => {
      this.#settle.reject(new ModelRefusedError(`it did not load and run once within ${loadLimitMs} ms`));
      this.#lose(`loading took more than ${loadLimitMs} ms`);
      this.#askToEnd();
    }, loadLimitMs);
    this.#watchdog.unref();
  }

  /** Starts the timer of the batch that runs now. */
  #watch(): void {
    for (const ticket of this.#sent[0]?.tickets.values() ?? []) if (!ticket.over) ticket.stage = 'running';
    const { runLimitMs } = this.#options;
    this.#watchdog = setTimeout(() => {
      this.#lose(`a run took more than ${runLimitMs} ms`);
      this.#askToEnd();
    }, runLimitMs);
    this.#watchdog.unref();
  }

  #lose(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#watchdog);
    const lost = new WorkerLostError(reason);
    this.#settle.reject(lost);
    const notBegun: Ticket[] = [];
    for (const { tickets, slots } of this.#sent.splice(0)) {
      for (const [id, ticket] of tickets) {
        if (ticket.over) continue;
        if (Atomics.load(this.#states, slots.get(id) ?? 0) === JOB_STATES.started) {
          ticket.fail(
            new InferenceError(
              'model_unavailable',
              `the worker of the model ${this.#options.setup.name} was lost: ${reason}`,
            ),
          );
        } else notBegun.push(ticket);
      }
    }
    this.#options.onLost(lost, notBegun);
  }
}

function transferable(work: Work): (ArrayBuffer | MessagePort)[] {
  if (work.type === 'analyze') return [work.image.pixels];
  return buffersOf(work.inputs);
}
