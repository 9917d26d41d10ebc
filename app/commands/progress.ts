const EVERY_MS = 1000;

/** Prints lines of progress to standard error, at most one a second, so that a short copy says little and a long one is seen to go on. */
export function progressLines(now: () => number = Date.now): (line: string) => void {
  let last = now();
  return (line) => {
    if (now() - last < EVERY_MS) return;
    last = now();
    console.error(line);
  };
}
