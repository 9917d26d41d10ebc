/** How long work may hold the event loop before everybody else has a turn, in ms. */
const SLICE_MS = 5;

/**
 * Long work in small pieces, shared by all who have some: whoever has waited longest is next, and however many wait, the event
 * loop is given back after each slice. A piece is synchronous and short; what it does while it awaits is not counted.
 */
export interface TimeSlices {
  run<T>(piece: () => T): Promise<T>;
}

/** @param now a clock in ms; default: the process's own */
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

/** Of the process: it has one event loop. */
export const timeSlices = createTimeSlices();
