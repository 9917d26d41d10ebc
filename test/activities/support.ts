import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { asyncLocalStorage, Context } from '@temporalio/activity';
import type { ActivityDeps } from '../../activities/index.ts';
import { createDefaultProviders } from '../../messages/index.ts';
import { createSessions, type Sessions } from '../../sessions/index.ts';
import { acceptUserEvents } from '../../sessions/user-events/accept.ts';
import { openStore, type Store } from '../../store/index.ts';

export interface Bench {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly deps: ActivityDeps;
  /** A new session of an agent with the bash tool. */
  session(): Promise<string>;
  /** A user event, accepted as from a client; answers its seq. */
  user(session: string, ...events: Parameters<typeof acceptUserEvents>[2]): Promise<number>;
  close(): Promise<void>;
}

/** A real store and what the activities need of it; sandboxes are only for tests that have one. */
export async function openBench(sandboxes?: ActivityDeps['sandboxes'], opened?: Store): Promise<Bench> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-activities-'));
  const store = opened ?? (await openStore({ dir }));
  const sessions = createSessions({ store });
  let requests = 0;
  const none = new Proxy(
    {},
    {
      get: (_target, name) => {
        throw new Error(`this test has no sandboxes, yet ${String(name)} was asked for`);
      },
    },
  ) as ActivityDeps['sandboxes'];
  return {
    store,
    sessions,
    deps: { store, providers: createDefaultProviders({}), sandboxes: sandboxes ?? none },
    async session() {
      const tools = [{ type: 'bash_20241022', name: 'bash', permission_policy: { type: 'always_ask' } }];
      const agent = await sessions.agents.create({ name: 'a', model: 'script', tools });
      return (await sessions.create({ agent: agent.id })).id;
    },
    async user(session, ...events) {
      const accepted = await acceptUserEvents(store, session, events, `request/${++requests}`);
      return accepted.at(-1)?.seq ?? 0;
    },
    async close() {
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export const message = (text: string): Parameters<typeof acceptUserEvents>[2][number] => ({
  type: 'user.message',
  body: { content: [{ type: 'text', text }] },
});

/** Runs an activity's code as the worker does: with a context that takes heartbeats and log lines and can be cancelled. */
export function inActivity<T>(
  work: () => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
  attempt = 1,
): Promise<T> {
  const context = Object.assign(Object.create(Context.prototype) as Context, {
    cancellationSignal: signal,
    heartbeat: () => undefined,
    info: { attempt },
    log: { warn: () => undefined, error: () => undefined },
  });
  return asyncLocalStorage.run(context, work);
}

/** The process is gone: what it had done by then stands, and nothing after it is done. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

/**
 * A store whose caller crashes right after its call number `at` of any method (from 1; none for Infinity).
 * @param calls gets the names of all calls, in order
 */
export function crashingStore(store: Store, at: number, calls: string[] = []): Store {
  const part = (name: string, records: object): object =>
    new Proxy(records, {
      get: (target, method: string) => {
        const own: unknown = Reflect.get(target, method);
        if (typeof own !== 'function') return own;
        return async (...given: unknown[]): Promise<unknown> => {
          if (calls.length >= at) throw new Crash();
          calls.push(`${name}.${method}`);
          const answer = (await own.apply(target, given)) as unknown;
          if (calls.length >= at) throw new Crash();
          return answer;
        };
      },
    });
  return new Proxy(store, {
    get: (target, name: string) => {
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'object' && own !== null ? part(name, own) : own;
    },
  });
}
