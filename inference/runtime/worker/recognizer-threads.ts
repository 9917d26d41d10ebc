import { Worker } from 'node:worker_threads';
import { InferenceError, ModelRefusedError } from '../../common/errors.ts';
import type { Recognition } from '../../ocr/text-models.ts';
import { deserializeError } from './serialized-error.ts';
import type { FromRecognizer, RecognizerSetup, ToRecognizer } from './recognizer-thread.ts';

interface Waiting {
  resolve(recognition: Recognition): void;
  reject(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  readonly exited: Promise<void>;
}

/**
 * Recognisers of one thread each, side by side. Lines of text are small: two threads make one run little faster, while
 * two runs on one thread each take little more than half the time.
 */
export class RecognizerThreads {
  readonly #threads: Thread[] = [];
  #nextId = 0;
  #ending = false;

  /** @throws {ModelRefusedError} */
  static async open(count: number, workerFile: string, setup: RecognizerSetup): Promise<RecognizerThreads> {
    const recognizers = new RecognizerThreads();
    const started = await Promise.allSettled(
      Array.from({ length: count }, () => recognizers.#start(workerFile, setup)),
    );
    const failed = started.find((each) => each.status === 'rejected');
    if (failed === undefined) return recognizers;
    await recognizers.end();
    throw failed.reason;
  }

  /** Answers how many lines it should be given at once, so that each thread has its next one ready. */
  get parallel(): number {
    return 2 * this.#threads.length;
  }

  /**
   * @param data its buffer is transferred
   * @param wide whether all threads may be used, and not the first one alone
   */
  async run(data: Float32Array, shape: readonly number[], wide: boolean): Promise<Recognition> {
    const [thread] = (wide ? this.#threads : this.#threads.slice(0, 1)).toSorted(
      (one, other) => one.waiting.size - other.waiting.size,
    );
    if (thread === undefined) throw threadEnded();
    const id = this.#nextId++;
    return await new Promise((resolve, reject) => {
      thread.waiting.set(id, { resolve, reject });
      thread.worker.ref();
      const message: ToRecognizer = { type: 'run', id, data, shape };
      thread.worker.postMessage(message, [data.buffer as ArrayBuffer]);
    });
  }

  /** Resolves when all threads have finished what they were given, and ended. */
  async end(): Promise<void> {
    this.#ending = true;
    const threads = [...this.#threads];
    for (const { worker } of threads) {
      // The owner has to stay alive until the thread has ended.
      worker.ref();
      worker.postMessage({ type: 'end' } satisfies ToRecognizer);
    }
    await Promise.all(threads.map(({ exited }) => exited));
  }

  async #start(workerFile: string, setup: RecognizerSetup): Promise<void> {
    const worker = new Worker(workerFile, { workerData: setup, name: 'recognizer', execArgv: [] });
    const waiting = new Map<number, Waiting>();
    await new Promise<void>((resolve, reject) => {
      const exited = new Promise<void>((ended) => {
        worker.once('exit', () => {
          reject(new ModelRefusedError('a thread for it ended while it started'));
          this.#lose(worker);
          ended();
        });
      });
      worker.on('error', (error: Error) => reject(error));
      worker.on('message', (message: FromRecognizer) => {
        switch (message.type) {
          case 'ready':
            this.#threads.push({ worker, waiting, exited });
            // Only a run keeps the owner alive.
            worker.unref();
            resolve();
            break;
          case 'refused':
            // The thread ends by itself.
            reject(new ModelRefusedError(message.reason));
            break;
          case 'done':
            waiting.get(message.id)?.resolve(message.recognition);
            break;
          case 'failed':
            waiting.get(message.id)?.reject(deserializeError(message.error));
            break;
        }
        if ('id' in message && waiting.delete(message.id) && waiting.size === 0) worker.unref();
      });
    });
  }

  #lose(worker: Worker): void {
    const index = this.#threads.findIndex((thread) => thread.worker === worker);
    const [thread] = index < 0 ? [] : this.#threads.splice(index, 1);
    for (const waiting of thread?.waiting.values() ?? []) waiting.reject(threadEnded());
    // Without recognisers the worker cannot serve: it ends, and is replaced.
    if (thread !== undefined && this.#threads.length === 0 && !this.#ending) process.exit(1);
  }
}

function threadEnded(): InferenceError {
  return new InferenceError('model_unavailable', 'a thread that recognises text ended');
}
