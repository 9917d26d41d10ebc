/** Runs the work now, or once more after the run under way: many calls in a row lead to few runs. */
export function onceAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  const run = async (): Promise<void> => {
    try {
      do {
        again = false;
        await work();
      } while (again);
    } finally {
      // This happens in the same tick as the last check of `again`: a call in between would be lost.
      running = undefined;
    }
  };
  return () => {
    again = true;
    running ??= run();
    return running;
  };
}
