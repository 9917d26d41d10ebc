import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clientOptions } from './pool.ts';

const RECONNECT_MS = 500;

interface Ear {
  readonly heard: (message: string) => void;
  /** Something may have been missed. */
  readonly gap: () => void;
}

/** What a process hears by NOTIFY, on one connection that is opened once somebody listens and again when it was lost. */
export interface Listening {
  /** Hears a channel from now on. A channel has one listener. */
  on(channel: string, ear: Ear): void;
  close(): Promise<void>;
}

export function createListening(url: string): Listening {
  const ears = new Map<string, Ear>();
  const closing = new AbortController();
  let client: pg.Client | undefined;
  let running: Promise<void> | undefined;

  const listen = async (by: pg.Client, channel: string): Promise<void> => {
    await by.query(`LISTEN ${channel}`);
    ears.get(channel)?.gap();
  };

  const connect = async (): Promise<void> => {
    const own = new pg.Client(clientOptions(url));
    own.on('error', () => undefined);
    own.on('notification', ({ channel, payload = '' }) => ears.get(channel)?.heard(payload));
    // `once` of node:events would also reject when the connection is lost, unhandled where LISTEN is under way.
    const ended = new Promise<void>((resolve) => own.once('end', resolve));
    try {
      await own.connect();
      client = own;
      if (closing.signal.aborted) return;
      for (const channel of ears.keys()) await listen(own, channel);
      await ended;
    } finally {
      client = undefined;
      await own.end().catch(() => undefined);
    }
  };

  const keepConnected = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await connect().catch(() => undefined);
      await sleep(RECONNECT_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };

  return {
    on(channel, ear) {
      ears.set(channel, ear);
      // When this fails the connection is lost, and the next one listens to all channels.
      if (client !== undefined) listen(client, channel).catch(() => undefined);
      running ??= keepConnected();
    },
    async close() {
      closing.abort();
      ears.clear();
      await client?.end().catch(() => undefined);
      await running;
    },
  };
}
