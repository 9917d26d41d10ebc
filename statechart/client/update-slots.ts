/** The updates of one workflow that a server takes at a time. */
const MOST = 10;
/** Of these, the ones that may wait for a state, so that events still get through. */
const MOST_WAITING = 6;

interface Slots {
  inFlight: number;
  waiting: number;
  readonly queue: (() => void)[];
}

/** Counts the updates that this client has in flight: the server refuses further ones, and the SDK tries those again only slowly. */
export class UpdateSlots {
  readonly #slots = new Map<string, Slots>();

  /** Runs an update that is answered soon, once there is room for it. */
  async send<T>(workflowId: string, update: () => Promise<T>): Promise<T> {
    const slots = this.#of(workflowId);
    while (slots.inFlight >= MOST) await new Promise<void>((free) => slots.queue.push(free));
    return await this.#take(workflowId, slots, update);
  }

  /** Runs an update that may wait for long; undefined when there is no room for it. */
  wait<T>(workflowId: string, update: () => Promise<T>): Promise<T> | undefined {
    const slots = this.#of(workflowId);
    if (slots.waiting >= MOST_WAITING || slots.inFlight >= MOST) return undefined;
    slots.waiting += 1;
    return this.#take(workflowId, slots, update).finally(() => (slots.waiting -= 1));
  }

  async #take<T>(workflowId: string, slots: Slots, update: () => Promise<T>): Promise<T> {
    slots.inFlight += 1;
    try {
      return await update();
    } finally {
      slots.inFlight -= 1;
      const next = slots.queue.shift();
      next?.();
      if (next === undefined && slots.inFlight === 0) this.#slots.delete(workflowId);
    }
  }

  #of(workflowId: string): Slots {
    const known = this.#slots.get(workflowId) ?? { inFlight: 0, waiting: 0, queue: [] };
    this.#slots.set(workflowId, known);
    return known;
  }
}
