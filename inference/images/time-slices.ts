import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Work of this many milliseconds at a time leaves room for everything else on the thread. */
const SLICE_MS = 8;

/**
 * Does the items from 0 to before `count` in slices of a few milliseconds, so that the event loop keeps turning
 * whatever the image's size.
 * @param work does the items from `begin` to before `end`
 * @param itemsAtATime items between two looks at the clock
 */
export async function inTimeSlices(
  count: number,
  work: (begin: number, end: number) => void,
  itemsAtATime: number,
): Promise<void> {
  let started = performance.now();
  for (let begin = 0; begin < count; begin += itemsAtATime) {
    work(begin, Math.min(count, begin + itemsAtATime));
    if (performance.now() - started > SLICE_MS) {
      await yieldToEventLoop();
      started = performance.now();
    }
  }
}
