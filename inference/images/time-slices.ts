import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Work of this many milliseconds at a time leaves room for everything else on the thread. */
const SLICE_MS = 8;

/**
 * Does rows `0..height` in slices of a few milliseconds, so that the event loop keeps turning under any size of image.
 * @param rows does the rows from `begin` to `end`
 */
export async function inTimeSlices(
  height: number,
  rows: (begin: number, end: number) => void,
  rowsAtATime: number,
): Promise<void> {
  let started = performance.now();
  for (let begin = 0; begin < height; begin += rowsAtATime) {
    rows(begin, Math.min(height, begin + rowsAtATime));
    if (performance.now() - started > SLICE_MS) {
      await yieldToEventLoop();
      started = performance.now();
    }
  }
}
