import type { Run } from '../shapes/service.ts';
import type { TemporalCalls } from '../wire/service.ts';
import { eventIdOf, type WireEvent } from './event-json.ts';
import { readPage } from './read-history.ts';

/** How long the end of a history may be waited for that the description tells of. */
const WAIT_MS = 2000;
const PAGE = 500;

/** A run's history, of which each event is read once, however often somebody looks whether there are more. */
export class GrowingHistory {
  readonly #calls: TemporalCalls;
  readonly #run: Run;
  #token: Uint8Array | undefined;
  #lastEventId = 0;

  constructor(calls: TemporalCalls, run: Run) {
    this.#calls = calls;
    this.#run = run;
  }

  get lastEventId(): number {
    return this.#lastEventId;
  }

  /**
   * The events that were not read yet, in pages. It must not be called again before the pages before were taken.
   *
   * @param historyLength how many events the run has, by its description
   */
  async *readOn(historyLength: number): AsyncGenerator<readonly WireEvent[], void, undefined> {
    while (this.#lastEventId < historyLength) {
      // With `wait` an open run has a token at its end, from which it is read on the next time.
      const request = { limit: PAGE, token: this.#token, wait: true };
      const { events, token } = await readPage(this.#calls, this.#run, request, { deadlineMs: WAIT_MS });
      const fresh = events.filter((event) => eventIdOf(event) > this.#lastEventId);
      this.#lastEventId = Math.max(this.#lastEventId, ...fresh.map((event) => eventIdOf(event)));
      if (token.length > 0) this.#token = token;
      if (fresh.length > 0) yield fresh;
      if (events.length === 0 || token.length === 0) return;
    }
  }
}
