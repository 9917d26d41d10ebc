import { NotStored, type Store } from '../../store/index.ts';
import { fromStored } from '../log/log-event.ts';
import type { LogEvent } from './types.ts';

/** Events read at a time: enough to be quick, few enough to hold. */
const BATCH = 200;

/**
 * A session's events after a seq, first those there are, then each as it is appended, by this process or another: in
 * order, without a gap, none twice. Ends when the signal aborts, and when the session is deleted.
 * Throws NotStored when there is no such session at the start.
 */
export async function* tail(
  store: Store,
  session: string,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<LogEvent, void, void> {
  if ((await store.sessions.get(session)) === undefined) throw new NotStored('session', session);
  const bell = createBell(signal);
  // Subscribed before the first read: what is appended after that read has rung.
  const unsubscribe = store.events.subscribe(session, bell.ring);
  let seq = afterSeq;
  try {
    while (!signal.aborted) {
      bell.silence();
      const events = await store.events.read({ session, after: seq, limit: BATCH });
      for (const event of events) {
        if (signal.aborted) return;
        seq = event.seq;
        yield fromStored(event);
      }
      if (events.length > 0) continue;
      if ((await store.sessions.get(session)) === undefined) return;
      await bell.rung();
    }
  } finally {
    unsubscribe();
    bell.close();
  }
}

interface Bell {
  readonly ring: () => void;
  /** Forgets earlier rings. */
  silence(): void;
  /** Resolves at once when it has rung since it was silenced, else at the next ring or abort. */
  rung(): Promise<void>;
  close(): void;
}

function createBell(signal: AbortSignal): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  const ring = (): void => {
    hasRung = true;
    wake?.();
  };
  signal.addEventListener('abort', ring);
  return {
    ring,
    silence() {
      hasRung = false;
    },
    rung: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (hasRung || signal.aborted) resolve();
      }),
    close() {
      signal.removeEventListener('abort', ring);
    },
  };
}
