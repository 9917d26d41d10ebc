import { append, timeSlices } from '../../sessions/index.ts';
import { EventPages } from '../../sessions/stream/event-pages.ts';
import { tail as tailOf } from '../../sessions/stream/tail.ts';
import { NotStoredError, type Store } from '../../store/index.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { sampleSession, text } from './sample-session.ts';

const stores = temporaryStores();

/** Readers of one store share its pages, as those of a server do. */
const pages = new WeakMap<Store, EventPages>();
function tail(store: Store, session: string, after: number, signal: AbortSignal): ReturnType<typeof tailOf> {
  const own = pages.get(store) ?? new EventPages(store, timeSlices);
  pages.set(store, own);
  return tailOf(store, own, session, after, signal);
}

/** Reads until a seq, and then disconnects. */
async function readTo(store: Store, session: string, after: number, last: number): Promise<number[]> {
  const hangUp = new AbortController();
  const seqs: number[] = [];
  for await (const { events } of tail(store, session, after, hangUp.signal)) {
    for (const { seq } of events) seqs.push(seq ?? 0);
    if ((seqs.at(-1) ?? 0) >= last) hangUp.abort();
  }
  return seqs;
}

const upTo = (after: number, last: number): number[] =>
  Array.from({ length: last - after }, (_, n) => after + n + 1);

describe('a tail', () => {
  it('gives history and what comes, without a gap or a repetition, to all who listen, from wherever', async () => {
    const dir = stores.dir();
    const [here, there] = [await stores.open({ dir, pollMs: 2 }), await stores.open({ dir, pollMs: 2 })];
    const { session } = await sampleSession(here);
    const LAST = 900;
    const add = (store: Store, key: string, count: number): Promise<unknown> =>
      append(store, { session, key, events: Array.from({ length: count }, (_, n) => text(`${key}/${n}`)) });
    await add(here, 'history', 450);
    const readers: Promise<number[]>[] = [];
    for (let n = 0; n < 150; n += 1) {
      if (n % 15 === 0) readers.push(readTo(n % 2 === 0 ? here : there, session, n * 3, LAST));
      await add(n % 3 === 0 ? there : here, `live/${n}`, 3);
      // Readers run between appends, at random moments.
      if (n % 4 === 0) await new Promise(setImmediate);
    }
    readers.push(readTo(there, session, 0, LAST));
    const read = await Promise.all(readers);
    read.forEach((seqs, n) => expect(seqs).toEqual(upTo(n < 10 ? n * 45 : 0, LAST)));
  });

  it('ends when it is told to, while it waits and while it reads', async () => {
    const store = await stores.open();
    const { session } = await sampleSession(store);
    await append(store, { session, key: 'k', events: [text('1'), text('2')] });
    const hangUp = new AbortController();
    const waiting = tail(store, session, 2, hangUp.signal).next();
    hangUp.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await tail(store, session, 0, hangUp.signal).next()).toEqual({ done: true, value: undefined });
  });

  it.each(['here', 'there'])('ends when the session is deleted %s', async (where) => {
    const dir = stores.dir();
    const [here, there] = [await stores.open({ dir, pollMs: 2 }), await stores.open({ dir })];
    const { session } = await sampleSession(here);
    const next = tail(here, session, 0, new AbortController().signal).next();
    await new Promise(setImmediate);
    await (where === 'here' ? here : there).sessions.delete(session);
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('of a session that is not there fails', async () => {
    const store = await stores.open();
    await expect(tail(store, 'sesn_x', 0, new AbortController().signal).next()).rejects.toThrow(
      NotStoredError,
    );
  });
});
