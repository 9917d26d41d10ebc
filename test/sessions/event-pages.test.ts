import { toolResult } from '../../sessions/index.ts';
import { createTimeSlices } from '../../sessions/stream/time-slices.ts';
import { EventPages } from '../../sessions/stream/event-pages.ts';
import type { ReadRequest, Store } from '../../store/index.ts';
import { tail } from '../../sessions/stream/tail.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { listed } from './listed.ts';
import { sampleSession, text } from './sample-session.ts';
import { appendTo } from './append-to.ts';

const stores = temporaryStores();

/** A store that counts what is read of its logs. */
function counting(store: Store): { store: Store; reads: ReadRequest[] } {
  const reads: ReadRequest[] = [];
  const events = new Proxy(store.events, {
    get: (target, name) =>
      name === 'read'
        ? (request: ReadRequest) => {
            reads.push(request);
            return target.read(request);
          }
        : (Reflect.get(target, name) as unknown),
  });
  return { store: { ...store, events }, reads };
}

const add = (store: Store, session: string, key: string, count: number, long = ''): Promise<unknown> =>
  appendTo(
    store,
    session,
    key,
    Array.from({ length: count }, (_, n) => text(`${key}/${n}${long}`)),
  );

/** Reads from a place to a seq, and answers the seqs in the order in which they came. */
async function follow(
  pages: EventPages,
  store: Store,
  session: string,
  after: number,
  last: number,
): Promise<number[]> {
  const hangUp = new AbortController();
  const seqs: number[] = [];
  for await (const { events } of tail(store, pages, session, after, hangUp.signal)) {
    for (const { seq } of events) seqs.push(seq ?? 0);
    if ((seqs.at(-1) ?? 0) >= last) hangUp.abort();
  }
  return seqs;
}

const upTo = (after: number, last: number): number[] =>
  Array.from({ length: last - after }, (_, n) => after + n + 1);

describe('pages of a log', () => {
  it('are read once for all who replay it at the same time', async () => {
    const { store, reads } = counting(await stores.open());
    const { session } = await sampleSession(store);
    await add(store, session, 'k', 350);
    const pages = new EventPages(store, createTimeSlices());
    reads.length = 0;
    const all = await Promise.all(Array.from({ length: 200 }, () => follow(pages, store, session, 0, 350)));
    for (const seqs of all) expect(seqs).toEqual(upTo(0, 350));
    expect(reads.map(({ after }) => after)).toEqual([0, 100, 200, 300]);
  });

  it('are come to by readers who began at other places, once they have caught up with a round one', async () => {
    const { store, reads } = counting(await stores.open());
    const { session } = await sampleSession(store);
    await add(store, session, 'k', 300);
    const pages = new EventPages(store, createTimeSlices());
    reads.length = 0;
    const places = [0, 7, 42, 99, 100, 150];
    const all = await Promise.all(places.map((place) => follow(pages, store, session, place, 300)));
    expect(all).toEqual(places.map((place) => upTo(place, 300)));
    expect(reads.map(({ after }) => after).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([
      0, 7, 42, 99, 100, 150, 200,
    ]);
  });

  it('give everybody everything once and in order while others append', async () => {
    const { store } = counting(await stores.open());
    const { session } = await sampleSession(store);
    const pages = new EventPages(store, createTimeSlices());
    const readers = Array.from({ length: 50 }, () => follow(pages, store, session, 0, 240));
    for (let n = 0; n < 120; n += 1) {
      await add(store, session, `live/${n}`, 2);
      if (n % 3 === 0) await new Promise(setImmediate);
    }
    for (const seqs of await Promise.all(readers)) expect(seqs).toEqual(upTo(0, 240));
  });

  it('hold a bounded number of characters, whatever events hold', async () => {
    const store = await stores.open();
    const { session } = await sampleSession(store);
    await add(store, session, 'k', 20, 'x'.repeat(1 << 20));
    const pages = new EventPages(store, createTimeSlices());
    for (let after = 0; after < 20;) {
      const { events, last } = await pages.read(session, after);
      // One event exceeds the size of a page, so it is a page by itself.
      expect(events).toHaveLength(1);
      after = last;
    }
    expect(pages.kept).toBeLessThanOrEqual(16 << 20);
    expect(pages.kept).toBeGreaterThan(10 << 20);
  });

  it('hold of a picture its name alone', async () => {
    const store = await stores.open();
    const { session, sessions } = await sampleSession(store);
    const data = Buffer.alloc(300_001, 7).toString('base64');
    const source = { type: 'base64' as const, media_type: 'image/png', data };
    const content = [
      { type: 'text' as const, text: 'before' },
      { type: 'image' as const, source },
    ];
    await appendTo(store, session, 'k', [toolResult('sevt_use', { content, is_error: false })]);
    const pages = new EventPages(store, createTimeSlices());
    const { events } = await pages.read(session, 0);
    expect(JSON.stringify(events).length).toBeLessThan(1000);
    // A client still reads the whole log.
    const { data: read } = await listed(sessions, session);
    expect(read).toMatchObject([{ type: 'agent.tool_result', content }]);
  });

  it('of a session that was deleted end', async () => {
    const store = await stores.open();
    const { session } = await sampleSession(store);
    const pages = new EventPages(store, createTimeSlices());
    await store.sessions.delete(session);
    await expect(pages.read(session, 0)).rejects.toThrow(`no session ${session}`);
  });
});

describe('a list of events', () => {
  it('gives all pages without a gap, forth and back, also with events that are large', async () => {
    const store = await stores.open();
    const { session, sessions } = await sampleSession(store);
    await add(store, session, 'small', 230);
    await add(store, session, 'large', 5, 'é"\n😀'.repeat(60_000));
    for (const query of [
      'limit=100',
      'limit=234',
      'limit=235',
      'limit=1000',
      'limit=100&order=desc',
      'types=agent.message',
    ]) {
      const texts: string[] = [];
      let page: string | null = null;
      do {
        const found = await listed(sessions, session, page === null ? query : `${query}&page=${page}`);
        for (const event of found.data)
          if (event.type === 'agent.message')
            texts.push(event.content.map((block) => ('text' in block ? block.text : '')).join(''));
        page = found.next_page;
      } while (page !== null);
      const asked = query.includes('desc') ? texts.toReversed() : texts;
      expect(asked.slice(0, 230)).toEqual(Array.from({ length: 230 }, (_, n) => `small/${n}`));
      expect(asked.slice(230)).toEqual(
        Array.from({ length: 5 }, (_, n) => `large/${n}${'é"\n😀'.repeat(60_000)}`),
      );
    }
  });
});
