import type { Client } from '@temporalio/client';
import type { Requests } from './requests.ts';

/** How long a call may take. */
export interface CallOptions {
  /** Milliseconds. Default: without limit. */
  readonly timeout?: number;
  /** Ends the call; it throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** By what requests are made. */
export interface RequestContext {
  readonly client: Client;
  readonly requests: Requests;
}

/** The time that a call has, over all requests that it consists of. */
export class Deadline {
  readonly timeout: number | undefined;
  /** Aborts when the time is over or the caller gives up. */
  readonly signal: AbortSignal | undefined;
  readonly #caller: AbortSignal | undefined;
  readonly #at: number;

  constructor({ timeout, signal }: CallOptions) {
    this.timeout = timeout;
    this.#at = timeout === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeout;
    this.#caller = signal;
    this.signal = anyOf([signal, timeout === undefined ? undefined : AbortSignal.timeout(timeout)]);
  }

  /** Milliseconds; undefined without limit. */
  get remaining(): number | undefined {
    return this.timeout === undefined ? undefined : Math.max(1, this.#at - Date.now());
  }

  get isOver(): boolean {
    return this.signal?.aborted === true || Date.now() >= this.#at;
  }

  throwIfAborted(): void {
    this.#caller?.throwIfAborted();
  }

  /** Runs requests that end with the time, or with a further signal. */
  async run<T>(
    { client, requests }: RequestContext,
    request: () => Promise<T>,
    further?: AbortSignal,
  ): Promise<T> {
    // Each request listens to a signal of its own, which goes with it.
    const signals = [this.signal, further].filter((one) => one !== undefined);
    const signal = signals.length === 0 ? undefined : AbortSignal.any(signals);
    const timed = async (): Promise<T> =>
      this.timeout === undefined ? await request() : await client.withDeadline(this.#at, request);
    if (signal === undefined) return await timed();
    signal.throwIfAborted();
    // A request that begins after the abort is not told of it.
    let stop = (): void => undefined;
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason as Error);
    });
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([requests.keep(client.withAbortSignal(signal, timed)), aborted]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Waits, at most until the time is over. */
  async pause(ms: number): Promise<void> {
    const { signal } = this;
    if (signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const timer = setTimeout(stop, ms);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }
}

function anyOf(signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}
