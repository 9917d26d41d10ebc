/** Gives the event loop back, so that others come in between two pieces of long work. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
