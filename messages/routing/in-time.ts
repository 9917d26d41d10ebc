/** What `work` resolves with, or a rejection after `ms` milliseconds, however `work` takes the signal that it is given. */
export async function inTime<T>(work: (signal: AbortSignal) => Promise<T>, ms: number): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  const timer = setTimeout(() => controller.abort(new Error(`nothing within ${ms} ms`)), ms);
  try {
    return await Promise.race([work(signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
