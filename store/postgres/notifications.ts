import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';
import type { Listening } from './listening.ts';

const CHANNEL = 'steadyhand_sessions';
/** PostgreSQL takes less than 8,000 bytes at a time. */
const SESSIONS_PER_MESSAGE = 100;

/** What is told of a session: where its log ends now; -1 for one that is gone. */
export type Growth = readonly [session: string, cursor: number];

interface Notifications {
  /** Tells the other processes, soon. It may get lost; they look for themselves now and then. */
  send(growth: Growth): void;
  /** Begins to hear the others. */
  listen(): void;
  close(): Promise<void>;
}

/**
 * What processes tell each other by NOTIFY. It is sent after the commit and not in the transaction, because PostgreSQL
 * lets only one transaction with a notification commit at a time, its flush to the disk included. What was appended
 * meanwhile goes into one message.
 */
export function createNotifications(
  db: Database,
  listening: Listening,
  heard: {
    readonly growth: (growth: Growth) => void;
    /** Something may have been missed. */
    readonly gap: () => void;
  },
): Notifications {
  const self = randomUUID();
  const waiting = new Map<string, number>();
  let sending: Promise<void> | undefined;
  let isListening = false;
  let isClosed = false;

  const sendAll = async (): Promise<void> => {
    while (waiting.size > 0) {
      const lot = [...waiting].slice(0, SESSIONS_PER_MESSAGE);
      lot.forEach(([session]) => waiting.delete(session));
      const message = [self, ...lot.map(([session, cursor]) => `${session}:${cursor}`)].join(' ');
      await db.run('SELECT pg_notify(?, ?)', CHANNEL, message).catch(() => undefined);
    }
    sending = undefined;
  };

  const receive = (message: string): void => {
    const [sender, ...lot] = message.split(' ');
    if (sender === self) return;
    for (const each of lot) {
      const colon = each.lastIndexOf(':');
      heard.growth([each.slice(0, colon), Number(each.slice(colon + 1))]);
    }
  };

  return {
    send([session, cursor]) {
      if (isClosed) return;
      waiting.set(session, cursor);
      sending ??= sendAll();
    },
    listen() {
      if (isListening) return;
      isListening = true;
      listening.on(CHANNEL, { heard: receive, gap: heard.gap });
    },
    async close() {
      isClosed = true;
      await sending;
    },
  };
}
