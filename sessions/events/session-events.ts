import { createIds, NotStored, type Store } from '../../store/index.ts';
import type { Page } from '../page.ts';
import { NotFound, parse } from '../validate.ts';
import { acceptUserEvents } from './accept.ts';
import type { FileContents } from '../../messages/index.ts';
import { withFileBytes } from './file-sources.ts';
import { listEvents } from './list.ts';
import { inBase64, present, type SourceForm } from './present.ts';
import { tail } from './tail.ts';
import type { SessionEvent } from './types.ts';
import { sendBody } from './user-events.ts';

/** `/v1/sessions/{id}/events` without HTTP. */
export interface SessionEvents {
  list(session: string, query?: URLSearchParams, form?: SourceForm): Promise<Page<SessionEvent>>;
  /** @param key names the request, so that a client's retry is not a second message; default: a new one */
  send(session: string, body: unknown, key?: string): Promise<{ readonly data: readonly SessionEvent[] }>;
  /** The place to stream from: after the event of this id, or after the newest one when none is given. */
  place(session: string, lastEventId?: string): Promise<number>;
  /**
   * Events after a place, then live until the signal aborts. When the session is deleted, a last `session.deleted`
   * says so. Throws NotFound at the first event when there is no such session.
   */
  stream(
    session: string,
    afterSeq: number,
    signal: AbortSignal,
    form?: SourceForm,
  ): AsyncGenerator<SessionEvent, void, void>;
}

export function createSessionEvents(store: Store, files: FileContents, now: () => number): SessionEvents {
  const newKey = createIds(now);
  const base64 = inBase64(store.blobs);

  const cursorOf = async (session: string): Promise<number> => {
    const record = await store.sessions.get(session);
    if (record === undefined) throw new NotFound('Session', session);
    return record.cursor;
  };

  return {
    async list(session, query = new URLSearchParams(), form = base64) {
      await cursorOf(session);
      return listEvents(store, session, query, form);
    },
    async send(session, body, key = newKey('request')) {
      const given = parse(sendBody, body);
      const events = await withFileBytes(given.events, files, 'events');
      const accepted = await acceptUserEvents(store, session, events, `user/${key}`);
      return { data: await Promise.all(accepted.map((event) => present(event, base64))) };
    },
    async place(session, lastEventId) {
      const cursor = await cursorOf(session);
      if (lastEventId === undefined) return cursor;
      const event = await store.events.find(session, lastEventId);
      if (event === undefined) throw new NotFound('Event', lastEventId);
      return event.seq;
    },
    async *stream(session, afterSeq, signal, form = base64) {
      try {
        for await (const event of tail(store, session, afterSeq, signal)) yield await present(event, form);
      } catch (error) {
        throw error instanceof NotStored && error.kind === 'session'
          ? new NotFound('Session', session)
          : error;
      }
      if (signal.aborted) return;
      const processed_at = new Date(now()).toISOString();
      yield { id: newKey('sevt'), type: 'session.deleted', processed_at };
    },
  };
}
