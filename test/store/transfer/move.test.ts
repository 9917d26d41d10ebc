import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { moveStore, openS3Objects, parseS3Address, type Store } from '../../../store/index.ts';
import { entriesBelow } from '../../support/entries-below.ts';
import { describeWithPostgres, openPostgres, type TestPostgres } from '../../support/postgres.ts';
import { type S3TestServer, startS3Server } from '../../support/s3-server.ts';
import { newSession, temporaryStores } from '../temporary-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const INPUT = { type: 'blob', media_type: 'image/png' };

describeWithPostgres('a store that is moved from SQLite to PostgreSQL', () => {
  const stores = temporaryStores('sqlite');
  let postgres: TestPostgres;
  let server: S3TestServer;

  beforeAll(async () => {
    [postgres, server] = await Promise.all([openPostgres(), startS3Server()]);
  });
  afterAll(() => Promise.all([postgres.close(), server.close()]));

  const objects = (): ReturnType<typeof openS3Objects> =>
    openS3Objects({ address: parseS3Address(server.address), credentials: server.credentials });

  /** Moves what is in a folder; it is closed. */
  async function moved(
    dir: string,
    to: string,
    progress: (line: string) => void = () => undefined,
  ): ReturnType<typeof moveStore> {
    const place = objects();
    try {
      const lostComputer = (id: string): { config: { id: string }; reason: string } => ({
        config: { id },
        reason: 'left',
      });
      return await moveStore({ dir, to, objects: place, lostComputer, progress });
    } finally {
      place.close();
    }
  }

  const opened = (to: string): Promise<Store> => stores.open({ postgres: to, objects: objects() });

  /** A store with some of everything; answers its folder and the hashes of its bytes. */
  async function filled(pictures = 3): Promise<{ dir: string; blobs: string[] }> {
    const dir = stores.dir();
    const store = await stores.open({ dir });
    const blobs: string[] = [];
    for (const id of ['sesn_1', 'sesn_2']) {
      await newSession(store, id);
      await store.sessions.update(id, () => ({ data: { environment_id: 'env_1', sandbox_id: `sbx_${id}` } }));
    }
    for (let n = 0; n < pictures; n += 1) {
      const sha256 = await store.blobs.put(Buffer.from(`picture ${n}`));
      blobs.push(sha256);
      const payload = { text: `käse \0 ${n}`, source: { ...INPUT, sha256 } };
      const events = [
        { type: 'seen', payload, ref: `ref_${n}`, internal: { a: null } },
        { type: 'said', payload: { n }, deliver: true },
      ];
      await store.events.append({
        session: 'sesn_1',
        key: `step/${n}`,
        epoch: n + 1,
        events,
        outcome: { n },
      });
    }
    await store.events.append({ session: 'sesn_1', key: 'empty', events: [] });
    await store.effects.begin('sesn_1', 'begun', { sandbox: 'sbx_sesn_1' });
    await store.effects.begin('sesn_1', 'done');
    await store.effects.finish('sesn_1', 'done', { source: { ...INPUT, sha256: blobs[0] ?? '' } });
    const session = { id: 'sesn_3', agent_id: 'agent_1', agent_version: 1, status: 'idle', data: {} };
    await store.sessions.insert(session, undefined, Buffer.from([0, 1, 255]));
    await store.agents.put('agent_1', 1, { name: 'First ÄGENT' });
    await store.agents.put('agent_1', 2, { name: 'Second ÄGENT' });
    await store.environments.insert('env_1', { name: 'Blue' });
    const staged = await store.files.stage(Readable.from([Buffer.from('a file')]), 100);
    await staged.keep({
      id: 'file_1',
      filename: 'a\0b',
      mime_type: 'text/plain',
      scope: 'sesn_1',
      origin: '/a',
    });
    await store.batches.begin('msgbatch_1');
    const params = Buffer.from('{"n":"ä"}');
    await store.batches.add('msgbatch_1', [{ position: 0, custom_id: 'r', params }]);
    await store.batches.accept('msgbatch_1', { lifetimeMs: DAY_MS, data: { betas: [] } });
    await store.batches.record('msgbatch_1', 0, { type: 'succeeded', json: '{"ok":1}' });
    await store.batches.begin('msgbatch_2');
    await store.settings.getOrMake('ticket-key', () => 'the-key');
    await store.close();
    return { dir, blobs };
  }

  /** All that can be read of a store. */
  async function contentOf(store: Store, blobs: readonly string[]): Promise<unknown> {
    const sessions = await store.sessions.list({ limit: 9, order: 'asc' });
    return {
      installation: store.installation,
      key: await store.settings.getOrMake('ticket-key', () => 'another'),
      sessions,
      inEnvironment: await store.sessions.list({ limit: 9, order: 'asc', environmentId: 'env_1' }),
      events: await Promise.all(sessions.map(({ id }) => store.events.read({ session: id }))),
      chains: await Promise.all(sessions.map(({ id }) => store.events.verify(id))),
      steps: await Promise.all(
        ['step/0', 'step/2', 'empty', 'none'].map((key) => store.events.recorded('sesn_1', key)),
      ),
      outbox: await store.events.undelivered(),
      effects: await Promise.all(['begun', 'done', 'none'].map((key) => store.effects.get('sesn_1', key))),
      sealed: Buffer.from((await store.sessions.sealed('sesn_3')) ?? []).toString('hex'),
      agents: [
        await store.agents.list({ limit: 9, search: 'second' }),
        await store.agents.versions('agent_1', 9),
      ],
      environments: await store.environments.list({ limit: 9, search: 'blue' }),
      files: [
        await store.files.list({ limit: 9, scope: 'sesn_1' }),
        String(await store.files.read('file_1')),
      ],
      origin: await store.files.newestFrom('sesn_1', '/a'),
      batches: [await store.batches.list({ limit: 9 }), await store.batches.unfinished()],
      request: { ...(await store.batches.request('msgbatch_1', 0)), params: undefined },
      params: String((await store.batches.request('msgbatch_1', 0))?.params),
      blobs: await Promise.all(blobs.map(async (hash) => String(await store.blobs.get(hash)))),
    };
  }

  const digestOf = (dir: string): Record<string, string> =>
    Object.fromEntries(
      entriesBelow(dir)
        .filter((name) => /\.db$|[0-9a-f]{64}$/.test(name))
        .map((name) => [
          name,
          createHash('sha256')
            .update(readFileSync(join(dir, name)))
            .digest('hex'),
        ]),
    );

  it('has the same content, and its computers count as lost; the source is as it was', async () => {
    const { dir, blobs } = await filled();
    const source = await stores.open({ dir });
    const before = await contentOf(source, blobs);
    await source.close();
    const files = digestOf(dir);
    const to = await postgres.database();
    const lines: string[] = [];
    const answer = await moved(dir, to, (line) => lines.push(line));
    expect(answer.rows).toMatchObject({ sessions: 3, events: 6, appends: 7, batches: 1, batch_requests: 1 });
    expect(answer).toMatchObject({ lostComputers: 2, hasSecrets: true, damagedSessions: [] });
    expect(answer.bytes).toMatchObject({ objects: 4, present: 0, damaged: [] });
    expect(lines.at(-1)).toBe('hash chains: 3 of 3 sessions');
    const store = await opened(to);
    // The sign for NUL stands in names: PostgreSQL cannot hold the character itself.
    const expected = JSON.stringify(before).replaceAll(String.raw`a\u0000b`, 'a\u2400b');
    expect(JSON.parse(JSON.stringify(await contentOf(store, blobs)))).toEqual(JSON.parse(expected));
    expect(await store.sandboxes?.find('sbx_sesn_1')).toMatchObject({ lost: 'left', placement: null });
    expect(digestOf(dir)).toEqual(files);
    // It goes on as any store does.
    const next = { session: 'sesn_1', key: 'next', events: [{ type: 'said', payload: {}, deliver: true }] };
    expect((await store.events.append(next)).cursor).toBe(7);
    expect((await store.events.undelivered()).map(({ seq }) => seq)).toEqual([2, 4, 6, 7]);
    await store.sweep();
    expect(String(await store.blobs.get(blobs[0] ?? ''))).toBe('picture 0');
  });

  it('that was cut short while bytes were copied is refused to a start, and goes on with what is there', async () => {
    const { dir, blobs } = await filled(20);
    const to = await postgres.database();
    let puts = 0;
    server.fault = ({ method }) => (method === 'PUT' && ++puts > 9 ? { code: 'AccessDenied' } : undefined);
    await expect(moved(dir, to)).rejects.toThrow('AccessDenied');
    server.fault = () => undefined;
    await expect(opened(to)).rejects.toThrow('a move into it has not ended; run the same move again');
    const answer = await moved(dir, to);
    expect(answer.bytes.objects).toBe(21);
    expect(answer.bytes.present).toBeGreaterThanOrEqual(2);
    const store = await opened(to);
    expect(await store.events.verify('sesn_1')).toMatchObject({ ok: true, length: 40 });
    for (const [n, hash] of blobs.entries()) expect(String(await store.blobs.get(hash))).toBe(`picture ${n}`);
    // Nothing is left of what was cut short.
    const prefix = parseS3Address(server.address).prefix;
    const mine = [...server.objects.keys()].filter((key) =>
      key.startsWith(`${prefix}${store.installation}/`),
    );
    expect(mine).toHaveLength(21);
  });

  it('that was cut short while rows were copied has none of them, and is copied whole by the next attempt', async () => {
    const { dir } = await filled();
    const to = await postgres.database();
    const stop = (line: string): void => {
      if (line.startsWith('hash chains: 2')) throw new Error('cut short');
    };
    await expect(moved(dir, to, stop)).rejects.toThrow('cut short');
    await expect(opened(to)).rejects.toThrow('a move into it has not ended');
    expect((await moved(dir, to)).bytes).toMatchObject({ objects: 4, present: 4 });
    expect(await (await opened(to)).events.verify('sesn_1')).toMatchObject({ ok: true, length: 6 });
  });

  it('does not go where something is, or where somebody works, or where another installation goes', async () => {
    const [one, other] = [await filled(), await filled()];
    const to = await postgres.database();
    const running = await opened(to);
    await running.environments.insert('env_9', {});
    await expect(moved(one.dir, to)).rejects.toThrow(
      /^postgres:\/\/[^ ]* is in use: a Steadyhand works with it; stop that one first$/,
    );
    await running.close();
    await expect(moved(one.dir, to)).rejects.toThrow(/is not empty, it has environments/);
    const half = await postgres.database();
    const stop = (): void => {
      throw new Error('cut short');
    };
    await expect(moved(one.dir, half, stop)).rejects.toThrow('cut short');
    await expect(moved(other.dir, half)).rejects.toThrow('holds an unfinished move of another installation');
    await moved(one.dir, half);
    await expect(moved(one.dir, half)).rejects.toThrow(/is not empty, it has sessions/);
  }, 30_000);

  it('says which bytes and which logs were damaged before, and copies the rest', async () => {
    const { dir, blobs } = await filled();
    const [gone = '', changed = ''] = blobs;
    rmSync(join(dir, 'blobs', gone.slice(0, 2), gone));
    writeFileSync(join(dir, 'blobs', changed.slice(0, 2), changed), 'another');
    const { default: Database } = await import('libsql');
    const db = new Database(join(dir, 'store.db'));
    db.exec(`DROP TRIGGER events_never_change; UPDATE events SET payload = '{"n":9}' WHERE seq = 4`);
    db.close();
    const to = await postgres.database();
    const answer = await moved(dir, to);
    expect(answer.bytes).toMatchObject({ objects: 2, damaged: [gone, changed].toSorted() });
    expect(answer.damagedSessions).toEqual(['sesn_1']);
    const store = await opened(to);
    expect(await store.events.verify('sesn_1')).toMatchObject({ ok: false, broken_at: 4 });
    await expect(store.blobs.get(gone)).rejects.toThrow(`no blob ${gone}`);
    expect(String(await store.blobs.get(blobs[2] ?? ''))).toBe('picture 2');
  });
});
