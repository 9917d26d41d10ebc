import { condition } from '@temporalio/workflow';

/**
 * Lets the loop of a run sleep until there is something to do. Temporal looks at conditions once all promises of a workflow task
 * have settled.
 */
export class News {
  #hasCome = false;
  #resume = (): void => undefined;
  #reject: (error: unknown) => void = () => undefined;

  /** Something came since {@link News.clear}, or an actor within the workflow has done something. */
  tell(): void {
    this.#hasCome = true;
  }

  clear(): void {
    this.#hasCome = false;
  }

  next(): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#resume = resolve;
      this.#reject = reject;
      void this.#park();
    });
  }

  /** Ends the sleep by an error, which the sleeper then throws. */
  fail(error: unknown): void {
    this.#reject(error);
  }

  async #park(): Promise<void> {
    await condition(() => this.#hasCome);
    this.#resume();
  }
}
