import { NotStoredError, type Store } from '@steadyhand/store';
import type { PreviewReader } from './preview-reader.ts';
import { createChangeNotifier } from './change-notifier.ts';
import type { EventPages } from './event-pages.ts';
import type { BlobLink } from './event-view.ts';
import type { SerializedEvent } from './serialize.ts';

export interface TailOptions {
  readonly link?: BlobLink | undefined;
  readonly previews?: PreviewReader | undefined;
}

/**
 * A session's events after a seq, first those there are, then each as it is appended, by this process or another: in
 * order, without a gap, none twice, and none of the pages empty. Between them come previews where they are asked for. Ends when the signal aborts, and when the session is deleted.
 * @throws {NotStoredError} when there is no such session at the start
 */
export async function* tail(
  store: Store,
  pages: EventPages,
  session: string,
  afterSeq: number,
  signal: AbortSignal,
  { link, previews }: TailOptions = {},
): AsyncGenerator<{ readonly events: readonly SerializedEvent[] }, void, void> {
  if ((await store.sessions.get(session)) === undefined) throw new NotStoredError('session', session);
  const changes = createChangeNotifier(signal);
  // Subscribed before the first read: every append after that read has notified.
  const unsubscribe = store.events.subscribe(session, changes.notify);
  const unsubscribeLive = previews?.subscribe(changes.notify);
  let seq = afterSeq;
  try {
    while (!signal.aborted) {
      changes.reset();
      const page = await pages.read(session, seq, link);
      if (signal.aborted) return;
      // Taken after the page was read: whatever the page holds of a reply, the whole preview of it is here by now.
      const shown = (await previews?.take(seq)) ?? [];
      if (shown.length > 0) yield { events: shown };
      seq = page.last;
      previews?.passed(page.events);
      if (page.events.length > 0) yield page;
      else if (shown.length === 0) await changes.changed();
    }
  } catch (error) {
    if (!(error instanceof NotStoredError && error.kind === 'session')) throw error;
  } finally {
    unsubscribe();
    unsubscribeLive?.();
    changes.close();
  }
}
