/** Stops what was started, once each and in the reverse order. A part that fails does not keep the others from stopping. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = [];
  #running: Promise<void> | undefined;

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    this.#running ??= this.#stop();
    await this.#running;
  }

  async #stop(): Promise<void> {
    const errors: unknown[] = [];
    for (const step of this.#steps.toReversed()) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'not everything stopped cleanly');
  }
}
