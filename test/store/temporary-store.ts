import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../store/index.ts';
import type { StoreOptions } from '../../store/open.ts';

/** A folder that is removed after the test file, and stores that are opened in it. */
export function temporaryStores(): {
  dir(): string;
  open(options?: Partial<StoreOptions>): Promise<Store>;
} {
  const dirs: string[] = [];
  const stores: Store[] = [];
  const dir = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'steadyhand-store-'));
    dirs.push(made);
    return made;
  };
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    for (const made of dirs) rmSync(made, { recursive: true, force: true });
  });
  return {
    dir,
    async open(options = {}) {
      const store = await openStore({ dir: options.dir ?? dir(), ...options });
      stores.push(store);
      return store;
    },
  };
}

/** A session to append to, with a minimal record. */
export async function newSession(store: Store, id = 'sesn_1'): Promise<string> {
  await store.sessions.insert({ id, agent_id: 'agent_1', agent_version: 1, status: 'idle', data: {} });
  return id;
}
