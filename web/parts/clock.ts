import { createStore, useStore } from '../client/store.ts';

/** The time by which relative times are counted. One timer serves the whole page. */
const now = createStore(Date.now());

const STEP_MS = 5000;
let readers = 0;
let timer: number | undefined;

const ticking = {
  ...now,
  subscribe: (changed: () => void) => {
    const unsubscribe = now.subscribe(changed);
    readers += 1;
    timer ??= window.setInterval(() => {
      if (!document.hidden) now.set(Date.now());
    }, STEP_MS);
    return () => {
      unsubscribe();
      readers -= 1;
      if (readers > 0) return;
      window.clearInterval(timer);
      timer = undefined;
    };
  },
};

/** The time now, every few seconds anew while the page is looked at. */
export function useNow(): number {
  return useStore(ticking);
}
