import { NotStoredError, type Store } from '@steadyhand/store';
import { fromStored } from '../events/log-event.ts';
import type { TimeSlices } from './time-slices.ts';
import type { BlobLink } from './event-view.ts';
import { lengthOf, type SerializedEvent, serializeEvents } from './serialize.ts';

/** Consecutive events of a session. */
export interface EventPage {
  readonly events: readonly SerializedEvent[];
  /** The seq of the last event; for an empty page, the seq after which it was read. */
  readonly last: number;
  /** Counts the reads of the store: of two pages, the one with the higher number saw the later state. */
  readonly readNumber: number;
}

/** The limits of a page: large enough to be fast, small enough to hold one for each of many readers. */
const PAGE_EVENTS = 100;
const PAGE_CHARACTERS = 64 * 1024;
/** The characters of pages that are kept for later readers. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;

/**
 * A cache of pages of event logs for clients that follow them. A log's events never change, so a page is read and
 * serialized once for all readers at its place.
 */
export class EventPages {
  readonly #store: Store;
  readonly #slices: TimeSlices;
  readonly #kept = new Map<string, EventPage>();
  readonly #underWay = new Map<string, Promise<EventPage>>();
  readonly #forms = new Map<BlobLink | undefined, number>();
  #characters = 0;
  #reads = 0;

  constructor(store: Store, slices: TimeSlices) {
    this.#store = store;
    this.#slices = slices;
  }

  /** The characters of the pages that are kept. */
  get kept(): number {
    return this.#characters;
  }

  /**
   * The page of events after a seq, which is empty when there are none. An empty page was read after this call began.
   * @throws {NotStoredError} when there is no event after it and no such session either
   */
  async read(session: string, after: number, link?: BlobLink): Promise<EventPage> {
    const key = `${session}/${after}/${this.#formOf(link)}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      // The page moves to the end, so that the least recently used one is first.
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept;
    }
    const reads = this.#reads;
    for (;;) {
      const reading = this.#underWay.get(key) ?? this.#begin(key, session, after, link);
      const page = await reading;
      if (page.events.length > 0 || page.readNumber > reads) return page;
    }
  }

  #begin(key: string, session: string, after: number, link?: BlobLink): Promise<EventPage> {
    const reading = this.#make(session, after, link).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, reading);
    return reading.then((page) => this.#keep(key, page));
  }

  async #make(session: string, after: number, link?: BlobLink): Promise<EventPage> {
    // Pages end at multiples of their size, so that readers from different places share the next ones.
    const limit = PAGE_EVENTS - (after % PAGE_EVENTS);
    const { readNumber, found } = await this.#slices.run(() => {
      this.#reads += 1;
      const reading = this.#store.events.read({ session, after, limit, maxCharacters: PAGE_CHARACTERS });
      return { readNumber: this.#reads, found: reading };
    });
    const events = (await found).map(fromStored);
    if (events.length === 0 && (await this.#store.sessions.get(session)) === undefined)
      throw new NotStoredError('session', session);
    const last = events.at(-1)?.seq ?? after;
    return { events: await serializeEvents(events, this.#slices, link), last, readNumber };
  }

  #keep(key: string, page: EventPage): EventPage {
    const length = charactersOf(page);
    if (page.events.length === 0 || length > KEPT_CHARACTERS || this.#kept.has(key)) return page;
    this.#kept.set(key, page);
    this.#characters += length;
    for (const [oldest, { events }] of this.#kept) {
      if (this.#characters <= KEPT_CHARACTERS) break;
      this.#kept.delete(oldest);
      this.#characters -= charactersOf({ events });
    }
    return page;
  }

  /** A number for each kind of links, as their pages differ. */
  #formOf(link: BlobLink | undefined): number {
    const form = this.#forms.get(link) ?? this.#forms.size;
    this.#forms.set(link, form);
    return form;
  }
}

function charactersOf({ events }: Pick<EventPage, 'events'>): number {
  // The constant is for an event's memory beside its text.
  return events.reduce((sum, event) => sum + lengthOf(event) + 100, 0);
}
