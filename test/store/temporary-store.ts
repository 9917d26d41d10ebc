import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../store/index.ts';
import type { StoreOptions } from '../../store/open.ts';
import { describeWithPostgres, openPostgres, type TestPostgres } from '../support/postgres.ts';

type StoreKind = 'sqlite' | 'postgres';

export interface TemporaryStores {
  readonly kind: StoreKind;
  dir(): string;
  /** Opens the store of a folder, which may be open already; by default that of a new one. */
  open(options?: Partial<StoreOptions>): Promise<Store>;
  /** The URL of the folder's database, on PostgreSQL. */
  url(dir: string): Promise<string>;
}

/** Folders that are removed after the test file, and stores that are opened in them, each with a database of its own. */
export function temporaryStores(kind: StoreKind = 'sqlite'): TemporaryStores {
  const dirs: string[] = [];
  const stores: Store[] = [];
  const databases = new Map<string, Promise<string>>();
  let server: TestPostgres | undefined;

  const dir = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'steadyhand-store-'));
    dirs.push(made);
    return made;
  };
  const url = async (home: string): Promise<string> => {
    const made = databases.get(home) ?? server?.database();
    if (made === undefined) throw new Error('there is no PostgreSQL server');
    databases.set(home, made);
    return made;
  };

  if (kind === 'postgres') {
    beforeAll(async () => {
      server = await openPostgres();
    });
  }
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await server?.close();
    for (const made of dirs) rmSync(made, { recursive: true, force: true });
  });
  return {
    kind,
    dir,
    url,
    async open(options = {}) {
      const home = options.dir ?? dir();
      const place = kind === 'postgres' ? { postgres: await url(home) } : {};
      const store = await openStore({ dir: home, ...place, ...options });
      stores.push(store);
      return store;
    },
  };
}

/** The same tests on every kind of store; those for which there is no server are skipped. */
export function describeStores(body: (stores: TemporaryStores) => void): void {
  describe('on SQLite', () => body(temporaryStores('sqlite')));
  describeWithPostgres('on PostgreSQL', () => body(temporaryStores('postgres')));
}

/** A session to append to, with a minimal record. */
export async function newSession(store: Store, id = 'sesn_1'): Promise<string> {
  await store.sessions.insert({ id, agent_id: 'agent_1', agent_version: 1, status: 'idle', data: {} });
  return id;
}
