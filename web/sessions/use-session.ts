import { useCallback, useEffect, useRef, useState } from 'react';
import { call, eventPages, type Session, type SessionEvent } from '../client/api.ts';
import { followEvents } from '../client/event-stream.ts';
import { messageOf, RequestFailedError } from '../client/request.ts';
import { EventLog } from './event-log.ts';
import { onceAtATime } from './once-at-a-time.ts';
import { isPreviewPart, type Preview, type PreviewPart, Previews } from './previews.ts';

interface SessionView {
  readonly session: Session | undefined;
  /** The state of the session's state machine. */
  readonly state: string | null;
  readonly events: readonly SessionEvent[];
  /** What the model is writing, by the id that the event will have. */
  readonly previews: ReadonlyMap<string, Preview>;
  /** All events that there were have come. */
  readonly complete: boolean;
  readonly connected: boolean;
  /** Why there is nothing to show, or why it is not current. */
  readonly problem: string | undefined;
  /** There is no such session (any more). */
  readonly gone: boolean;
}

const EMPTY: SessionView = {
  session: undefined,
  state: null,
  events: [],
  previews: new Map(),
  complete: false,
  connected: false,
  problem: undefined,
  gone: false,
};

/** Events that come within this time are shown together. */
const GATHER_MS = 25;

/** Follows one session: its record, its events as they happen, and the state of the connection. */
export function useSession(id: string): SessionView & { readonly refresh: () => void } {
  const [view, setView] = useState(EMPTY);
  const asking = useRef<() => void>(undefined);

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const log = new EventLog();
    const previews = new Previews();
    let timer: number | undefined;
    const change = (news: Partial<SessionView>): void => {
      if (!signal.aborted) setView((before) => ({ ...before, ...news }));
    };
    const show = (): void => {
      timer ??= window.setTimeout(() => {
        timer = undefined;
        change({ events: log.all(), previews: previews.all() });
      }, GATHER_MS);
    };
    const failed = (error: unknown): void => {
      const missing = error instanceof RequestFailedError && error.status === 404;
      change({ connected: false, problem: messageOf(error), ...(missing ? { gone: true } : {}) });
    };
    const guarded = (work: () => Promise<void>): void => void work().catch(failed);
    const refresh = onceAtATime(async () => {
      const params = { id };
      const [session, { state }] = await Promise.all([
        call('GET /v1/sessions/{id}', { params, signal }),
        call('GET /v1/sessions/{id}/state', { params, signal }),
      ]);
      change({ session, state });
    });
    asking.current = () => guarded(refresh);
    const list = onceAtATime(async () => {
      log.beginList();
      for await (const { events, last } of eventPages(id, signal)) {
        log.addPage(events, last);
        show();
      }
      change({ complete: true, events: log.all() });
    });
    const listener = {
      opened: () => {
        previews.dropUnfinished((known) => log.has(known));
        change({ connected: true, problem: undefined });
        guarded(list);
        guarded(refresh);
      },
      event: (event: SessionEvent | PreviewPart) => {
        if (isPreviewPart(event)) {
          previews.take(event);
          return show();
        }
        if (event.type === 'session.deleted') {
          change({ gone: true });
          return leaving.abort();
        }
        log.add(event);
        previews.replaced(event.id);
        if (event.type === 'session.status_idle') previews.dropUnfinished((known) => log.has(known));
        show();
        guarded(refresh);
      },
      lost: (error: unknown) => {
        failed(error);
        if (error instanceof RequestFailedError && error.status === 404) leaving.abort();
      },
    };
    void followEvents(id, listener, signal);
    return () => {
      leaving.abort();
      window.clearTimeout(timer);
    };
  }, [id]);

  const refresh = useCallback(() => asking.current?.(), []);
  return { ...view, refresh };
}
