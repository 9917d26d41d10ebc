import { type ContainerRelay, openRelay } from './container-relay.ts';
import type { ContainerRuntime } from './container-runtime.ts';

/** One relay for each container that is reached through one. */
export class ContainerRelays {
  readonly #relays = new Map<string, Promise<ContainerRelay>>();
  readonly #open: typeof openRelay;

  constructor(open = openRelay) {
    this.#open = open;
  }

  /** Opens the container's relay the first time. One that could not be opened is tried again by the next call. */
  of(runtime: ContainerRuntime, container: string): Promise<ContainerRelay> {
    const known = this.#relays.get(container);
    if (known !== undefined) return known;
    const relay = this.#open(runtime, container);
    this.#relays.set(container, relay);
    relay.catch(() => {
      if (this.#relays.get(container) === relay) this.#relays.delete(container);
    });
    return relay;
  }

  end(container: string): void {
    const relay = this.#relays.get(container);
    this.#relays.delete(container);
    // Whoever asked for one that could not be opened was told.
    relay?.then((opened) => opened.close()).catch(() => undefined);
  }

  close(): void {
    for (const container of this.#relays.keys()) this.end(container);
  }
}
