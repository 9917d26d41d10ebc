/**
 * Prints a short line of progress, on standard error, because standard output is for what programs read.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`· ${line}\n`);
}

/**
 * The seconds since `start` (from `performance.now()`), such as `3.2 s`.
 * @param {number} start
 */
export function since(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** A failure that a person can act on. Its message is printed without a stack trace. */
export class BootstrapError extends Error {
  /** @override */
  name = 'BootstrapError';
}

/**
 * Runs a script's main function; a BootstrapError becomes one line and exit code 1.
 * @param {() => unknown} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof BootstrapError ? error.message : error);
    process.exit(1);
  }
}
