/** One short line of progress. On standard error, so that standard output carries only what programs read. */
export function say(line) {
  process.stderr.write(`· ${line}\n`);
}

/** Seconds since `start` (from `performance.now()`), e.g. `3.2 s`. */
export function since(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** A failure the person can act on: printed as it is, without a stack. */
export class BootstrapError extends Error {
  name = 'BootstrapError';
}

/** Runs a script's main function; a BootstrapError becomes one line and exit code 1. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof BootstrapError ? error.message : error);
    process.exit(1);
  }
}
