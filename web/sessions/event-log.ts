import type { SessionEvent } from '../client/api.ts';

/**
 * The events of a session, put together from the list and from the stream. The stream is opened before the list is asked for,
 * so both may bring the same event.
 */
export class EventLog {
  #listed: readonly SessionEvent[] = [];
  #streamed: SessionEvent[] = [];
  readonly #known = new Set<string>();
  /** A list that is asked for again; it counts once it is whole. */
  #listing: SessionEvent[] | undefined;
  #all: readonly SessionEvent[] | undefined;

  /** A list begins. The first one is shown while it comes. */
  beginList(): void {
    this.#listing = [];
  }

  addPage(events: readonly SessionEvent[], last: boolean): void {
    if (this.#listing === undefined) return;
    this.#listing.push(...events);
    for (const { id } of events) this.#known.add(id);
    if (!last && this.#listing.length < this.#listed.length) return;
    const ids = new Set(this.#listing.map(({ id }) => id));
    // What the list before held and this one does not hold yet is on a page to come.
    const rest = last ? [] : this.#listed.filter(({ id }) => !ids.has(id));
    this.#streamed = this.#streamed.filter(({ id }) => !ids.has(id));
    this.#listed = [...this.#listing, ...rest];
    if (last) this.#listing = undefined;
    this.#all = undefined;
  }

  /** An event of the stream; false where it is known already. */
  add(event: SessionEvent): boolean {
    if (this.#known.has(event.id)) return false;
    this.#known.add(event.id);
    this.#streamed.push(event);
    this.#all = undefined;
    return true;
  }

  has(id: string): boolean {
    return this.#known.has(id);
  }

  /** All of them, oldest first; the same array until something comes. */
  all(): readonly SessionEvent[] {
    this.#all ??= [...this.#listed, ...this.#streamed];
    return this.#all;
  }
}
