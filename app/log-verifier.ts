import type { Logger } from 'pino';
import type { Store } from '@steadyhand/store';

/** The pause between the checks of two sessions. */
const PAUSE_MS = 1000;
/** The pause when all sessions have been checked. */
const IDLE_MS = 60 * 1000;
/** How often damage is logged that was found elsewhere, when a session was opened. */
const REPORT_MS = 5000;
/** The age from which a check is repeated. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const LEASE = 'log verifier';

interface LogVerifier {
  /** The number of sessions that are known to be damaged. */
  broken(): number;
  stop(): void;
}

/**
 * Verifies the event logs of all sessions one after the other, without end, the one with the oldest check first. Of several servers one does
 * that, and all report what was found.
 */
export function startLogVerifier(
  store: {
    readonly events: Pick<Store['events'], 'broken' | 'leastChecked' | 'verify'>;
    readonly leases: Store['leases'];
  },
  log: Logger,
  {
    pauseMs = PAUSE_MS,
    idleMs = IDLE_MS,
    now = Date.now,
  }: { readonly pauseMs?: number; readonly idleMs?: number; readonly now?: () => number } = {},
): LogVerifier {
  let reported = new Set<string>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const report = async (): Promise<void> => {
    try {
      const found = await store.events.broken();
      for (const { id, broken_at, reason } of found) {
        if (!reported.has(id)) log.error({ session: id, broken_at, reason }, 'a session is damaged');
      }
      reported = new Set(found.map(({ id }) => id));
    } catch (error) {
      if (!isStopped) log.warn({ err: error }, 'the damaged sessions could not be listed');
    }
  };

  const verifyNext = async (): Promise<void> => {
    let wait = pauseMs;
    try {
      const isMine = (await store.leases?.take(LEASE)) !== false;
      const before = new Date(now() - MAX_AGE_MS).toISOString();
      const next = isMine ? await store.events.leastChecked(before) : undefined;
      if (next === undefined) wait = idleMs;
      else await store.events.verify(next);
    } catch (error) {
      // The session may have been deleted meanwhile; any other failure is logged and does not stop the verifier.
      if (!isStopped) log.warn({ err: error }, 'a session was not checked');
    }
    await report();
    if (!isStopped) timer = setTimeout(() => void verifyNext(), wait).unref();
  };

  const reports = setInterval(() => void report(), REPORT_MS).unref();
  void verifyNext();
  return {
    broken: () => reported.size,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      clearInterval(reports);
    },
  };
}
