import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns a function that waits between one look at something and the next: 10 ms, then longer, up to `longestMs`. Each look takes
 * time of the processor from what is waited for.
 */
export function pacing(longestMs = 200): () => Promise<void> {
  let ms = 10;
  return async () => {
    await sleep(ms);
    ms = Math.min(longestMs, ms * 1.5);
  };
}
