/**
 * Lets concurrent attempts of one step share one run of its work. A worker that was too busy for heartbeats gets its activity
 * again while the first attempt still works; asking the model a second time would cost a second reply.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<
    string,
    { readonly result: Promise<T>; readonly abort: AbortController; waiting: number }
  >();

  /** Joins the work under the key or begins it. The work is aborted when nobody waits for it any more. */
  async run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    let flight = this.#flights.get(key);
    if (!flight) {
      const abort = new AbortController();
      const result = work(abort.signal).finally(() => this.#flights.delete(key));
      flight = { result, abort, waiting: 0 };
      this.#flights.set(key, flight);
    }
    const joined = flight;
    joined.waiting++;
    try {
      return await Promise.race([joined.result, rejection(signal)]);
    } finally {
      joined.waiting--;
      if (joined.waiting === 0) joined.abort.abort(signal.reason);
    }
  }
}

async function rejection(signal: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
