import { createHash } from 'node:crypto';
import { BlobMissingError, type Json, NotStoredError, openStore, type Store } from '../../../store/index.ts';
import { parseS3Address } from '../../../store/s3/address.ts';
import { openS3Objects } from '../../../store/s3/s3-objects.ts';
import { openedForEach } from '../../support/opened.ts';
import { startS3Server } from '../../support/s3-server.ts';
import { seeded } from '../../support/seeded.ts';
import { readBehind } from '../behind-the-store.ts';
import { describeStores, newSession, type TemporaryStores } from '../temporary-store.ts';
import { mortal, type MortalObjects } from './mortal-objects.ts';

const HOUR_MS = 60 * 60 * 1000;
const SEEDS = Number(process.env['STEADYHAND_SCHEDULES'] ?? 2);
const FIRST = Number(process.env['STEADYHAND_SCHEDULES_SEED'] ?? 1);

const server = openedForEach(() => startS3Server({ pageSize: 5 }));
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const picture = (n: number): Buffer => Buffer.from(`picture ${n}`.repeat(50));
const naming = (hash: string): Json => ({ content: [{ source: { type: 'blob', sha256: hash } }] });

/** Ends the database's connections of those who hold a lock, as their end does when they are killed. */
const END_LOCKERS = `SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const started: Process[] = [];
afterEach(async () => {
  for (const { store, objects, isDead } of started.splice(0)) {
    const closed = store.close();
    objects.close();
    // What a dead process was doing never ends, and its store waits for that.
    if (!isDead) await closed;
  }
});

/** A process on the store: it has a database connection and an object store of its own. */
interface Process extends MortalObjects {
  readonly store: Store;
}

/** Steps the clock of everybody. */
const clock = { aheadMs: 0 };
const now = (): number => Date.now() + clock.aheadMs;
function wait(ms: number): void {
  clock.aheadMs += ms;
  server.clockAheadMs = clock.aheadMs;
}

beforeEach(() => {
  clock.aheadMs = 0;
});

async function startProcess(stores: TemporaryStores, dir: string): Promise<Process> {
  const { address, credentials } = server;
  const mortals = mortal(openS3Objects({ address: parseS3Address(address), credentials, now }));
  // It is not closed with the others, as a process that is killed closes nothing.
  const place = stores.kind === 'postgres' ? { postgres: await stores.url(dir) } : {};
  const store = await openStore({ dir, ...place, now, objects: mortals.objects });
  const process: Process = {
    ...mortals,
    store,
    get isDead() {
      return mortals.isDead;
    },
  };
  started.push(process);
  return process;
}

/** What the database says: rows that refer to nothing, and the names of the objects that something refers to. */
async function referredTo(
  stores: TemporaryStores,
  dir: string,
): Promise<{ readonly dangling: unknown[]; readonly names: string[] }> {
  // PostgreSQL has one kind of objects, as the bytes of blobs and files may be the same ones.
  const [kind, isOfKind] =
    stores.kind === 'sqlite' ? ["'blob' AS kind, ", 'objects.kind = uses.kind AND '] : ['', ''];
  const uses = `SELECT ${kind}hash FROM blob_uses UNION SELECT ${kind.replace('blob', 'file')}blob FROM files WHERE blob IS NOT NULL`;
  const rows = (await readBehind(
    stores,
    dir,
    `SELECT uses.hash, objects.name FROM (${uses}) AS uses LEFT JOIN objects
     ON ${isOfKind}objects.hash = uses.hash AND objects.state = 'present'`,
  )) as { hash: string; name: string | null }[];
  const there = rows.filter(({ name, hash }) => {
    const bytes = name === null ? undefined : server.objects.get(`some/place/${name}`)?.bytes;
    return bytes !== undefined && sha256(bytes) === hash;
  });
  return {
    dangling: rows.filter((row) => !there.includes(row)),
    names: there.map(({ name }) => `some/place/${name}`).toSorted(),
  };
}

/** Either the work ends or its process dies. */
async function unlessDead(process: Process, work: Promise<unknown>): Promise<void> {
  await Promise.race([
    process.dead,
    // A refusal is right, as the writer puts the bytes again. A reference to missing bytes is not.
    work.catch((error: unknown) => {
      if (!(error instanceof BlobMissingError || error instanceof NotStoredError)) throw error;
    }),
  ]);
}

describeStores((stores) => {
  it.each(Array.from({ length: SEEDS }, (_, n) => FIRST + n))(
    'processes that put, refer, delete, collect and are killed between any two steps lose nothing and leave nothing (seed %i)',
    async (seed) => {
      const dir = stores.dir();
      const random = seeded(seed);
      const pick = (count: number): number => Math.floor(random() * count);
      const processes = [await startProcess(stores, dir), await startProcess(stores, dir)];
      let files = 0;

      const put = async ({ store }: Process, n: number, session: string, isNamed: boolean): Promise<void> => {
        const hash = await store.blobs.put(picture(n));
        if (!isNamed) return;
        if ((await store.sessions.get(session)) === undefined) {
          await store.sessions.delete(session);
          // Somebody else may make it at the same time.
          await newSession(store, session).catch((error: unknown) => {
            if (!/unique|constraint/i.test(String(error))) throw error;
          });
        }
        files += 1;
        await store.effects.begin(session, `k${files}`);
        await store.effects.finish(session, `k${files}`, naming(hash));
      };
      const keep = async ({ store }: Process, n: number, session: string | undefined): Promise<void> => {
        async function* pieces(): AsyncGenerator<Buffer> {
          yield picture(n);
        }
        const staged = await store.files.stage(pieces(), 1_000_000);
        files += 1;
        const scope = session === undefined ? {} : { scope: session };
        await staged.keep({ id: `file_${files}`, filename: 'a', mime_type: 'text/plain', ...scope });
      };

      for (let n = 0; n < 40; n += 1) {
        const steps = Array.from({ length: 1 + pick(3) }, async () => {
          const at = pick(2);
          const process = processes[at] as Process;
          const { store } = process;
          const session = `sesn_${pick(3)}`;
          const kind = pick(12);
          const work = (async (): Promise<unknown> => {
            if (kind < 4) return put(process, pick(5), session, pick(3) > 0);
            if (kind < 6) return keep(process, pick(5), pick(2) === 0 ? session : undefined);
            if (kind === 6) return store.files.delete(`file_${pick(files + 1)}`);
            if (kind === 7) return store.files.deleteScope(session);
            if (kind < 10) return store.sessions.delete(session);
            return store.sweep();
          })();
          await unlessDead(process, work);
        });
        const victim = pick(2);
        if (pick(4) === 0) processes[victim]?.killAt(pick(2) === 0 ? 'before' : 'after');
        await Promise.all(steps);
        if (processes[victim]?.isDead === true) {
          if (stores.kind === 'postgres') await readBehind(stores, dir, END_LOCKERS);
          processes[victim] = await startProcess(stores, dir);
        }
        if (pick(4) === 0) wait(pick(2 * HOUR_MS));
        expect((await referredTo(stores, dir)).dangling).toEqual([]);
      }
      const last = await startProcess(stores, dir);
      wait(49 * HOUR_MS);
      await last.store.sweep();
      const { dangling, names } = await referredTo(stores, dir);
      expect(dangling).toEqual([]);
      expect([...server.objects.keys()].toSorted()).toEqual(names);
      expect(server.uploads.size).toBe(0);
    },
    60_000,
  );

  it('what was put and not named yet is left alone for an hour, and bytes that were lost are put again', async () => {
    const dir = stores.dir();
    const { store } = await startProcess(stores, dir);
    const session = await newSession(store);
    const hash = await store.blobs.put(picture(1));
    await store.sweep();
    wait(HOUR_MS - 1000);
    await store.blobs.put(picture(1));
    wait(HOUR_MS - 1000);
    await store.sweep();
    expect(server.objects.size).toBe(1);
    server.objects.clear();
    await store.blobs.put(picture(1));
    await store.effects.begin(session, 'k');
    await store.effects.finish(session, 'k', naming(hash));
    wait(49 * HOUR_MS);
    await store.sweep();
    expect([...server.objects.keys()]).toEqual((await referredTo(stores, dir)).names);
    expect(Buffer.from(await store.blobs.get(hash))).toEqual(picture(1));
  });

  it('a late delete of a process that was stopped does not meet what was put again meanwhile', async () => {
    const dir = stores.dir();
    const [stopped, other] = [await startProcess(stores, dir), await startProcess(stores, dir)];
    await stopped.store.blobs.put(picture(1));
    const [name = ''] = server.objects.keys();
    wait(2 * HOUR_MS);
    stopped.killAt('before', 'delete');
    await Promise.race([stopped.store.sweep(), stopped.dead]);
    expect(server.objects.size).toBe(1);
    const hash = await other.store.blobs.put(picture(1));
    // The stopped process goes on with what it had decided on.
    server.objects.delete(name);
    expect(Buffer.from(await other.store.blobs.get(hash))).toEqual(picture(1));
  });
});
