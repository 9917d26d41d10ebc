/** So long, in milliseconds, a history is worked at before everything else that the server does has its turn. */
const SLICE_MS = 8;

/** Answers nothing while it is one's turn still, and then a promise to be awaited, after which another turn begins. */
export function takeTurns(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        began = performance.now();
        resolve();
      });
    });
  };
}
