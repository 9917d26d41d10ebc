import type { ApiError } from '@steadyhand/contracts';
import { timedOut } from './upstream-faults.ts';

/** Ends the work upstream when the caller has gone, or when nothing has come for too long. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #ms: number;
  #timer: NodeJS.Timeout;
  #isLate = false;

  constructor(caller: AbortSignal, ms: number) {
    this.#caller = caller;
    this.#ms = ms;
    this.#timer = this.#start();
    caller.addEventListener('abort', this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The bytes as they come; each chunk, a comment's too, starts the time anew. */
  async *watched(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of bytes) {
      clearTimeout(this.#timer);
      yield chunk;
      this.#timer = this.#start();
    }
  }

  /** What ended the work, if this did. */
  fault(): ApiError | undefined {
    return this.#isLate ? timedOut() : undefined;
  }

  /** Nothing is waited for any more; a connection that is still open is closed. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#stop);
    this.#controller.abort();
  }

  readonly #stop = (): void => this.#controller.abort();

  #start(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#isLate = true;
      this.#controller.abort();
    }, this.#ms);
  }
}
