import { ApiError } from '@steadyhand/contracts';
import type { HistoryEvent, HistoryPage, PayloadForm } from '../shapes/history.ts';
import type { Payload } from '../shapes/payload.ts';
import type { HistoryEnd, HistoryRequest, Run } from '../shapes/service.ts';
import type { PayloadReader } from '../payloads/decode-payloads.ts';
import { attributesOf } from '../views/chain.ts';
import { maybeText } from '../wire/fields.ts';
import { bytesText, decodePlace, encodePlace, textBytes } from '../wire/page-token.ts';
import { protoJson } from '../wire/proto-json.ts';
import type { TemporalCalls } from '../wire/service.ts';
import { eventIdOf, eventsJson, type WireEvent } from './event-json.ts';
import { allPages, type ReadPage, readPage, readPageBackwards } from './read-history.ts';

/** The histories of runs as JSON. */
export class Histories {
  readonly #calls: TemporalCalls;
  readonly #reader: PayloadReader;

  constructor(calls: TemporalCalls, reader: PayloadReader) {
    this.#calls = calls;
    this.#reader = reader;
  }

  /** @param resolve the run that is meant and its length, where the page does not say */
  async page(
    resolve: () => Promise<Run & { readonly historyLength: number }>,
    workflowId: string,
    request: HistoryRequest,
    signal: AbortSignal,
  ): Promise<HistoryPage> {
    const { run, token, order, known } = await this.#placeOf(resolve, workflowId, request);
    const read = await this.#lots(run, { ...request, order, token, known }, signal);
    const next = { run: run.runId, token: bytesText(read.token), order, known };
    return {
      run_id: run.runId,
      data: await eventsJson(read.events, run, this.#reader, request.payloads),
      next_page: read.token.length === 0 ? null : encodePlace(next),
    };
  }

  async #placeOf(
    resolve: () => Promise<Run & { readonly historyLength: number }>,
    workflowId: string,
    { page, order }: HistoryRequest,
  ): Promise<{
    readonly run: Run;
    readonly token?: Uint8Array;
    readonly order: HistoryRequest['order'];
    readonly known: number;
  }> {
    if (page === null) {
      const { historyLength, ...run } = await resolve();
      return { run, order, known: historyLength };
    }
    const place = decodePlace(page, ['run', 'token', 'order', 'known']);
    return {
      run: { workflowId, runId: String(place.run) },
      token: textBytes(place.token),
      order: place.order === 'desc' ? 'desc' : 'asc',
      known: Number(place.known),
    };
  }

  /** Servers answer few events at a time: they are asked until there is a page, but not for what would have to be waited for. */
  async #lots(
    run: Run,
    request: Pick<HistoryRequest, 'limit' | 'wait' | 'order'> & {
      readonly token: Uint8Array | undefined;
      readonly known: number;
    },
    signal: AbortSignal,
  ): Promise<ReadPage> {
    const { limit, wait, order, known } = request;
    const events: WireEvent[] = [];
    let { token } = request;
    for (;;) {
      const asked = { limit: limit - events.length, token, wait };
      const lot = await (
        order === 'desc'
          ? readPageBackwards(this.#calls, run, asked, { signal })
          : readPage(this.#calls, run, asked, { signal })
      ).catch((error: unknown) => {
        // Whoever waits is answered when the server stops, and goes on by the same token.
        if (wait && token !== undefined && signal.aborted) return { events: [], token };
        throw error;
      });
      events.push(...lot.events);
      token = lot.token;
      const last = lot.events.at(-1);
      const isAtEnd = last === undefined || (wait && eventIdOf(last) >= known);
      if (token.length === 0 || isAtEnd || events.length >= limit) return { events, token };
    }
  }

  /** Events from the one after `after` on, as they come; returns when the run has closed, or `signal` was aborted. */
  async *follow(
    run: Run,
    { after, payloads }: { readonly after: number; readonly payloads: PayloadForm },
    signal: AbortSignal,
  ): AsyncGenerator<HistoryEvent, HistoryEnd | undefined, undefined> {
    let token: Uint8Array | undefined;
    let last: WireEvent | undefined;
    for (;;) {
      const page = await readPage(this.#calls, run, { limit: 200, token, wait: true }, { signal }).catch(
        (error: unknown) => {
          if (signal.aborted) return undefined;
          throw error;
        },
      );
      if (page === undefined) return undefined;
      last = page.events.at(-1) ?? last;
      const fresh = page.events.filter((event) => eventIdOf(event) > after);
      yield* await eventsJson(fresh, run, this.#reader, payloads);
      if (page.token.length === 0) return endOf(last);
      token = page.token;
    }
  }

  /** `{ events: [...] }` in pieces. */
  async *file(run: Run, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    let separator = '{"events":[';
    for await (const events of allPages(this.#calls, run, { signal })) {
      for (const event of await eventsJson(events, run, this.#reader, 'raw')) {
        yield `${separator}\n${JSON.stringify(event)}`;
        separator = ',';
      }
    }
    yield separator === ',' ? '\n]}\n' : `${separator}]}\n`;
  }

  /** A payload of an event, whole. */
  async payload(run: Run, eventId: number, path: string): Promise<Payload> {
    for await (const events of allPages(this.#calls, run)) {
      const event = events.find((each) => eventIdOf(each) === eventId);
      if (event === undefined) continue;
      const found = await this.#reader.whole(protoJson('history.v1.HistoryEvent', event), path);
      if (found !== undefined) return found;
      break;
    }
    throw new ApiError('not_found_error', `No payload at ${path} of event ${eventId}`);
  }
}

function endOf(last: WireEvent | undefined): HistoryEnd | undefined {
  if (last === undefined) return undefined;
  const event = protoJson('history.v1.HistoryEvent', last);
  return {
    lastEventId: eventIdOf(last),
    closedBy: String(event['eventType']),
    nextRunId: maybeText(attributesOf(event), 'newExecutionRunId'),
  };
}
