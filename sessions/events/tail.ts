import { NotStored, type Store } from '../../store/index.ts';
import { createBell } from './bell.ts';
import type { EventPage, EventPages } from './event-pages.ts';
import type { BlobLink } from './present.ts';

/**
 * A session's events after a seq, first those there are, then each as it is appended, by this process or another: in
 * order, without a gap, none twice, and none of the pages empty. Ends when the signal aborts, and when the session is deleted.
 * @throws {NotStored} when there is no such session at the start
 */
export async function* tail(
  store: Store,
  pages: EventPages,
  session: string,
  afterSeq: number,
  signal: AbortSignal,
  link?: BlobLink,
): AsyncGenerator<EventPage, void, void> {
  if ((await store.sessions.get(session)) === undefined) throw new NotStored('session', session);
  const bell = createBell(signal);
  // Subscribed before the first read: what is appended after that read has rung.
  const unsubscribe = store.events.subscribe(session, bell.ring);
  let seq = afterSeq;
  try {
    while (!signal.aborted) {
      bell.silence();
      const page = await pages.read(session, seq, link);
      if (signal.aborted) return;
      if (page.events.length > 0) yield page;
      else await bell.rung();
      seq = page.last;
    }
  } catch (error) {
    if (!(error instanceof NotStored && error.kind === 'session')) throw error;
  } finally {
    unsubscribe();
    bell.close();
  }
}
