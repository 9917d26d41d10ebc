import { randomUUID } from 'node:crypto';
import type { Relay } from '../contract/relay.ts';
import type { Database } from './database.ts';
import type { Listening } from './listening.ts';

const CHANNEL = 'steadyhand_relay';
/** Texts that wait while the database is slow; further ones are lost. */
const MOST_WAITING = 1000;

/** Tells by NOTIFY, one text after the other, and hears once somebody listens. */
export function createRelay(db: Database, listening: Listening): Relay & { close(): Promise<void> } {
  const self = randomUUID();
  const listeners = new Map<string, Set<(text: string) => void>>();
  const waiting: string[] = [];
  let sending: Promise<void> | undefined;
  let isHearing = false;
  let isClosed = false;

  const sendAll = async (): Promise<void> => {
    for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
      await db.run('SELECT pg_notify(?, ?)', CHANNEL, text).catch(() => undefined);
    }
    sending = undefined;
  };

  const receive = (message: string): void => {
    const [sender = '', topic = ''] = message.split(' ', 2);
    if (sender === self) return;
    const text = message.slice(sender.length + topic.length + 2);
    for (const listener of listeners.get(topic) ?? []) listener(text);
  };

  return {
    send(topic, text) {
      if (isClosed || waiting.length >= MOST_WAITING) return;
      waiting.push(`${self} ${topic} ${text}`);
      sending ??= sendAll();
    },
    hear(topic, listener) {
      const own = (text: string): void => listener(text);
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(own));
      if (!isHearing) {
        isHearing = true;
        listening.on(CHANNEL, { heard: receive, gap: () => undefined });
      }
      return () => void set.delete(own);
    },
    async close() {
      isClosed = true;
      await sending;
    },
  };
}
