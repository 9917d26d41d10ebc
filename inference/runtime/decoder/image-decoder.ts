import { Worker } from 'node:worker_threads';
import { InferenceError } from '../../common/errors.ts';
import type { DecodedImage, DecodeOptions } from '../../images/decode-image.ts';
import { deserializeError } from '../worker/serialized-error.ts';
import type { SerializedError, PackedImage } from '../worker/messages.ts';

/** The thread ends after all messages before `end` are done with. */
export type ToDecoder =
  | {
      readonly type: 'decode';
      readonly id: number;
      readonly bytes: Uint8Array;
      readonly options: Omit<DecodeOptions, 'signal'>;
    }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'end' };

/** An image, and its size before `shrinkTo` reduced it. */
export interface Decoded extends Pick<DecodedImage, 'original'> {
  readonly image: PackedImage;
}

export type FromDecoder =
  | { readonly type: 'done'; readonly id: number; readonly decoded: Decoded }
  | { readonly type: 'failed'; readonly id: number; readonly error: SerializedError };

interface Waiting {
  resolve(decoded: Decoded): void;
  reject(error: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  readonly exited: Promise<void>;
}

/**
 * Runs `decodeImage` in a thread beside the serving one. Decoding itself is on libuv's threads either way, but every
 * image leaves megabytes for the garbage collector, which is quick in a thread that holds nothing else, and would hold
 * up every request in the serving thread.
 */
export class ImageDecoder {
  readonly #workerFile: string;
  #thread: Thread | undefined;
  #nextId = 0;
  #closed = false;

  constructor(workerFile: string) {
    this.#workerFile = workerFile;
  }

  /** Starts the thread, so that the first image does not wait for it. */
  prepare(): void {
    if (!this.#closed) this.#thread ??= this.#start();
  }

  /** Decodes as `decodeImage` does. The bytes are copied before it returns, and the pixels of the result are packed. */
  async decode(bytes: Uint8Array, { signal, ...options }: DecodeOptions): Promise<Decoded> {
    signal?.throwIfAborted();
    if (this.#closed) throw threadEnded();
    const { worker, waiting } = (this.#thread ??= this.#start());
    const id = this.#nextId++;
    const cancel = (): void => {
      worker.postMessage({ type: 'cancel', id } satisfies ToDecoder);
      waiting.get(id)?.reject(signal?.reason);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise<Decoded>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.ref();
        const copy = new Uint8Array(Buffer.allocUnsafeSlow(bytes.length).buffer as ArrayBuffer);
        copy.set(bytes);
        const message: ToDecoder = { type: 'decode', id, bytes: copy, options };
        worker.postMessage(message, [copy.buffer]);
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
      waiting.delete(id);
      if (waiting.size === 0) worker.unref();
    }
  }

  /** Resolves when the images under way are done and the thread has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    // The process has to stay alive until the thread has ended.
    this.#thread?.worker.ref();
    this.#thread?.worker.postMessage({ type: 'end' } satisfies ToDecoder);
    await this.#thread?.exited;
  }

  #start(): Thread {
    const worker = new Worker(this.#workerFile, { name: 'image decoder', execArgv: [] });
    const waiting = new Map<number, Waiting>();
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        // The next image starts another thread.
        if (this.#thread?.worker === worker) this.#thread = undefined;
        for (const each of waiting.values()) each.reject(threadEnded());
        resolve();
      });
    });
    // Its exit is handled above; an error without a listener would end the process.
    worker.on('error', () => undefined);
    worker.on('message', (message: FromDecoder) => {
      if (message.type === 'done') {
        const caller = waiting.get(message.id);
        // The request may have ended.
        if (caller === undefined) message.decoded.image.pixels.close();
        else caller.resolve(message.decoded);
      } else waiting.get(message.id)?.reject(deserializeError(message.error));
    });
    worker.unref();
    return { worker, waiting, exited };
  }
}

function threadEnded(): InferenceError {
  return new InferenceError('model_unavailable', 'the thread that decodes images ended');
}
