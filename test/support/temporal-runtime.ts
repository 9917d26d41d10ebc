import { IllegalStateError } from '@temporalio/common';
import { DefaultLogger, Runtime, type RuntimeOptions } from '@temporalio/worker';

/**
 * Has Temporal's runtime log errors alone. A test file meets the runtime of the file before it where something of that one still
 * uses it.
 */
export function quietRuntime(options: RuntimeOptions = {}): void {
  try {
    Runtime.install({ logger: new DefaultLogger('ERROR'), ...options });
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error;
  }
}

/**
 * Workflows run in the worker's own thread: starting another one, and handing each task over to it, was a quarter of what these
 * tests take. The product's workers have threads, in the tests that start the product.
 */
export const IN_THIS_THREAD = { debugMode: true } as const;
