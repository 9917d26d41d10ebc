import { log } from '@temporalio/workflow';

/** What is on its way to other workflows. Each gets one message after the other, as signals of one task may arrive in any order. */
export class Outbox {
  readonly #sending = new Map<string, Promise<void>>();

  get isEmpty(): boolean {
    return this.#sending.size === 0;
  }

  send(target: string, send: () => Promise<void>): void {
    const before = this.#sending.get(target) ?? Promise.resolve();
    const sent = before
      .then(send)
      .catch((error: unknown) => log.warn('event not delivered', { target, error }))
      .then(() => {
        if (this.#sending.get(target) === sent) this.#sending.delete(target);
      });
    this.#sending.set(target, sent);
  }

  /** Settles once all of it has arrived, or was lost with its target. */
  async sent(): Promise<void> {
    await Promise.all(this.#sending.values());
  }
}
