import type { FileContents } from '@steadyhand/messages';
import { createIds, NotStoredError, type Store } from '@steadyhand/store';
import { requireSession } from './record/session-data.ts';
import type { DeltaType } from './replies/live-part.ts';
import type { LiveReplies } from './replies/live-replies.ts';
import { PreviewReader } from './stream/preview-reader.ts';
import { timeSlices, type TimeSlices } from './stream/time-slices.ts';
import { NotFoundError, parse } from './api/validate.ts';
import type { Grant } from './policy/grant.ts';
import { acceptUserEvents } from './user-events/accept.ts';
import { grantsFor } from './user-events/check-grants.ts';
import { type EventPage, EventPages } from './stream/event-pages.ts';
import { withFileBytes } from './user-events/file-sources.ts';
import { listEvents } from './stream/list.ts';
import { type BlobLink, viewEventWithBytes } from './stream/event-view.ts';
import { tail } from './stream/tail.ts';
import type { SessionEvent } from './events/types.ts';
import { sendBody } from './user-events/user-events.ts';

/** `/v1/sessions/{id}/events` without HTTP. With a `link`, pictures are links instead of base64. */
export interface SessionEvents {
  /** The JSON of a `Page<SessionEvent>`, in pieces. */
  list(session: string, query?: URLSearchParams, link?: BlobLink): Promise<AsyncIterable<string>>;
  /** @param key names the request, so that a client's retry is not a second message; by default it is a new one */
  send(session: string, body: unknown, key?: string): Promise<{ readonly data: readonly SessionEvent[] }>;
  /** What a person may be offered to allow for the rest of the session beside a tool use, the narrowest first. */
  grantsFor(session: string, toolUse: string): Promise<{ readonly data: readonly Grant[] }>;
  /** The place to stream from: after the event with this id, or after the newest event when no id is given. */
  place(session: string, lastEventId?: string): Promise<number>;
  /**
   * The events after a place, then new ones until the signal aborts. When the session is deleted, a `session.deleted`
   * is the last event. Throws NotFoundError at the first page when there is no such session.
   */
  stream(
    session: string,
    afterSeq: number,
    signal: AbortSignal,
    options?: StreamOptions,
  ): AsyncGenerator<Pick<EventPage, 'events'>, void, void>;
}

interface StreamOptions {
  readonly link?: BlobLink | undefined;
  /**
   * The kinds of events that are previewed while the model gives its reply, as `event_start` and `event_delta`.
   * Previews are never stored, and come only where this process receives the reply.
   */
  readonly deltas?: readonly DeltaType[] | undefined;
}

/** @param live the replies that this process is receiving from models */
export function createSessionEvents(
  store: Store,
  files: FileContents,
  now: () => number,
  live?: LiveReplies,
  slices: TimeSlices = timeSlices,
): SessionEvents {
  const newKey = createIds(now);
  const pages = new EventPages(store, slices);

  return {
    async list(session, query = new URLSearchParams(), link?) {
      await requireSession(store, session);
      return listEvents({ store, slices, pages }, session, query, link);
    },
    async send(session, body, key = newKey('request')) {
      const given = parse(sendBody, body);
      const events = await withFileBytes(given.events, files, 'events');
      const accepted = await acceptUserEvents(store, session, events, `user/${key}`);
      return { data: await Promise.all(accepted.map((event) => viewEventWithBytes(store.blobs, event))) };
    },
    async grantsFor(session, toolUse) {
      return { data: await grantsFor(store, session, toolUse) };
    },
    async place(session, lastEventId) {
      const { cursor } = await requireSession(store, session);
      if (lastEventId === undefined) return cursor;
      const event = await store.events.find(session, lastEventId);
      if (event === undefined) throw new NotFoundError('Event', lastEventId);
      return event.seq;
    },
    async *stream(session, afterSeq, signal, { link, deltas = [] } = {}) {
      const previews =
        live === undefined || deltas.length === 0
          ? undefined
          : new PreviewReader(store, live, session, deltas);
      try {
        yield* tail(store, pages, session, afterSeq, signal, { link, previews });
      } catch (error) {
        throw error instanceof NotStoredError && error.kind === 'session'
          ? new NotFoundError('Session', session)
          : error;
      }
      if (signal.aborted) return;
      const type = 'session.deleted';
      const deleted = { id: newKey('sevt'), type, processed_at: new Date(now()).toISOString() };
      yield { events: [{ id: deleted.id, type, json: [JSON.stringify(deleted)] }] };
    },
  };
}
