/** How long work may hold the event loop before other work runs, in ms. */
const SLICE_MS = 5;

/**
 * Runs long work in small pieces. The piece that has waited longest is next, and the event loop is given back after
 * each slice, however many pieces wait. A piece is synchronous and short; asynchronous work that it starts is not
 * counted.
 */
export interface TimeSlices {
  run<T>(piece: () => T): Promise<T>;
}

/** @param now a clock in ms, by default that of the process */
export function createTimeSlices(now: () => number = () => performance.now()): TimeSlices {
  const waiting: (() => void)[] = [];
  const work = (): void => {
    const ends = now() + SLICE_MS;
    let done = 0;
    do {
      waiting[done]?.();
      done += 1;
    } while (done < waiting.length && now() < ends);
    waiting.splice(0, done);
    if (waiting.length > 0) setImmediate(work);
  };
  return {
    run: (piece) =>
      new Promise((resolve, reject) => {
        waiting.push(() => {
          try {
            resolve(piece());
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
        if (waiting.length === 1) setImmediate(work);
      }),
  };
}

/** The slices of this process, which has one event loop. */
export const timeSlices = createTimeSlices();
