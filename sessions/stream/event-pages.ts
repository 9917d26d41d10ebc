import { NotStoredError, type Store } from '@steadyhand/store';
import { fromStored } from '../events/log-event.ts';
import type { TimeSlices } from './time-slices.ts';
import type { BlobLink } from './event-view.ts';
import { lengthOf, type SerializedEvent, serializeEvents } from './serialize.ts';

/** A run of a session's events, in order and without a gap. */
export interface EventPage {
  readonly events: readonly SerializedEvent[];
  /** The seq of its last event; where it is empty, that of the place it was asked for. */
  readonly last: number;
  /** Counts reads at the store: of two pages, the one with the higher number saw the later state. */
  readonly readNumber: number;
}

/** The bounds of a page: enough to be quick, few enough to hold one for each of many readers. */
const PAGE_EVENTS = 100;
const PAGE_CHARACTERS = 64 * 1024;
/** Characters of pages that are kept for whoever comes to the same place next. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;

/**
 * Pages of sessions' logs for those who read along. What is in a log never changes, so a page is read and serialized once for
 * all who come to its place, at once or soon after.
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

  /** Characters of the pages that are kept. */
  get kept(): number {
    return this.#characters;
  }

  /**
   * The events after a place; empty where there are none. A page that is empty is never older than this call.
   * @throws {NotStoredError} when there is no event after it and no such session either
   */
  async read(session: string, after: number, link?: BlobLink): Promise<EventPage> {
    const key = `${session}/${after}/${this.#formOf(link)}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      // Moved to the end: the page that was not asked for the longest stands first.
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
    // Pages end at round places, so that readers who began at different ones come to the same.
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

  /** Pages with links of one kind are no pages for those who asked for another. */
  #formOf(link: BlobLink | undefined): number {
    const form = this.#forms.get(link) ?? this.#forms.size;
    this.#forms.set(link, form);
    return form;
  }
}

function charactersOf({ events }: Pick<EventPage, 'events'>): number {
  // What an event costs beside its text.
  return events.reduce((sum, event) => sum + lengthOf(event) + 100, 0);
}
