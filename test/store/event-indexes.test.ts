import { openFileBlobs } from '../../store/disk/file-blobs.ts';
import { createBlobUses } from '../../store/sqlite/blob-uses.ts';
import { createEventLog } from '../../store/sqlite/events.ts';
import { openDatabase } from '../../store/sqlite/database.ts';
import { createWatcher } from '../../store/sqlite/watcher.ts';
import { temporaryStores } from './temporary-store.ts';

const stores = temporaryStores();

describe('events by id or by what they answer', () => {
  it.each([
    ['ids', { ids: ['a', 'b'] }],
    ['ids after a seq', { ids: ['a'], after: 3, types: ['t'] }],
    ['refs', { refs: ['a', 'b', 'c'], types: ['t', 'u'] }],
    ['refs between two seqs, newest first', { refs: ['a'], after: 3, before: 9, order: 'desc' as const }],
  ])('are found by their index: %s', async (_what, request) => {
    const dir = stores.dir();
    await (await stores.open({ dir })).close();
    const db = openDatabase(`${dir}/store.db`);
    const asked: string[] = [];
    const watched = new Proxy(db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name === 'prepare') return (sql: string) => (asked.push(sql), target.prepare(sql));
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const watcher = createWatcher(db, 1000);
    const blobs = await openFileBlobs({
      dir: `${dir}/blobs`,
      now: Date.now,
      lock: (body) => body(),
      graceMs: 0,
      part: undefined,
      guard: undefined,
    });
    const log = createEventLog(watched, { watcher, uses: createBlobUses(db, blobs), now: Date.now });
    await log.read({ session: 's', ...request });
    const sql = asked.at(-1) ?? '';
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    const column = 'ids' in request ? 'id' : 'ref';
    expect(plan[0]?.detail).toMatch(
      new RegExp(`^SEARCH events USING INDEX \\S+ \\(session=\\? AND ${column}=\\?\\)`),
    );
    watcher.close();
    db.close();
  });
});
