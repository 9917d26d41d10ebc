import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Relay } from '../contract/relay.ts';
import type { Database } from './database.ts';
import { clientOptions } from './pool.ts';

const CHANNEL = 'steadyhand_relay';
const RECONNECT_MS = 500;
/** Texts that wait while the database is slow; further ones are lost. */
const MOST_WAITING = 1000;

/** Tells by NOTIFY, one text after the other, and hears on a connection of its own once somebody listens. */
export function createRelay(db: Database, url: string): Relay & { close(): Promise<void> } {
  const self = randomUUID();
  const listeners = new Map<string, Set<(text: string) => void>>();
  const waiting: string[] = [];
  const closing = new AbortController();
  let sending: Promise<void> | undefined;
  let hearing: Promise<void> | undefined;
  let client: pg.Client | undefined;

  const sendAll = async (): Promise<void> => {
    for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
      await db.run('SELECT pg_notify(?, ?)', CHANNEL, text).catch(() => undefined);
    }
    sending = undefined;
  };

  const receive = (message = ''): void => {
    const [sender = '', topic = ''] = message.split(' ', 2);
    if (sender === self) return;
    const text = message.slice(sender.length + topic.length + 2);
    for (const listener of listeners.get(topic) ?? []) listener(text);
  };

  const connect = async (): Promise<void> => {
    const own = new pg.Client(clientOptions(url));
    client = own;
    own.on('error', () => undefined);
    own.on('notification', ({ payload }) => receive(payload));
    const ended = once(own, 'end');
    await own.connect();
    await own.query(`LISTEN ${CHANNEL}`);
    await ended;
  };

  const keepHearing = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await connect().catch(() => undefined);
      await sleep(RECONNECT_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };

  return {
    send(topic, text) {
      if (closing.signal.aborted || waiting.length >= MOST_WAITING) return;
      waiting.push(`${self} ${topic} ${text}`);
      sending ??= sendAll();
    },
    hear(topic, listener) {
      const own = (text: string): void => listener(text);
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(own));
      hearing ??= keepHearing();
      return () => void set.delete(own);
    },
    async close() {
      closing.abort();
      await client?.end().catch(() => undefined);
      await hearing;
      await sending;
    },
  };
}
