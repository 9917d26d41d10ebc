import { NotStoredError, type Store } from '@steadyhand/store';
import type { PreviewReader } from './preview-reader.ts';
import type { EventPages } from './event-pages.ts';
import type { BlobLink } from './event-view.ts';
import type { SerializedEvent } from './serialize.ts';

interface TailOptions {
  readonly link?: BlobLink | undefined;
  readonly previews?: PreviewReader | undefined;
}

/**
 * A session's events after a seq: first the existing ones, then each as it is appended, by this process or another.
 * They come in order, each once, in pages that are never empty, with previews in between where they are asked for. The
 * generator ends when the signal aborts or the session is deleted.
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
  // The subscription begins before the first read, so that no append after that read is missed.
  const unsubscribe = store.events.subscribe(session, changes.notify);
  const unsubscribeLive = previews?.subscribe(changes.notify);
  let seq = afterSeq;
  try {
    while (!signal.aborted) {
      changes.reset();
      const page = await pages.read(session, seq, link);
      if (signal.aborted) return;
      // Previews are taken after the page was read: for a reply in the page, the whole preview has arrived by now.
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

/** Wakes one reader that waits for something to have changed. */
interface ChangeNotifier {
  readonly notify: () => void;
  /** Forgets the notifications so far. */
  reset(): void;
  /**
   * Resolves at once if there was a notification since the last reset, else at the next one or when the signal aborts.
   */
  changed(): Promise<void>;
  close(): void;
}

/** @param signal notifies as well, when it is aborted */
function createChangeNotifier(signal: AbortSignal): ChangeNotifier {
  let hasChanged = false;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    hasChanged = true;
    wake?.();
  };
  signal.addEventListener('abort', notify);
  return {
    notify,
    reset() {
      hasChanged = false;
    },
    changed: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (hasChanged || signal.aborted) resolve();
      }),
    close() {
      signal.removeEventListener('abort', notify);
    },
  };
}
