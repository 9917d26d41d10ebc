import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ActivityDeps } from '../../activities/index.ts';
import { createDefaultProviders } from '../../messages/index.ts';
import { createSessions, acceptUserEvents, type Sessions } from '../../sessions/index.ts';
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
export async function openBench(sandboxes?: ActivityDeps['sandboxes']): Promise<Bench> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-activities-'));
  const store = await openStore({ dir });
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
