import { CursorMovedError, eventId, NotStoredError, StaleEpochError } from '../../../store/index.ts';
import { runBehind, tamper } from '../behind-the-store.ts';
import { describeStores, newSession } from '../temporary-store.ts';

const text = (value: string): { type: string; payload: { text: string } } => ({
  type: 'user.message',
  payload: { text: value },
});

describeStores((stores) => {
  describe('appending', () => {
    it('numbers events from 1 and gives each an id that can be known beforehand', async () => {
      const store = await stores.open();
      const session = await newSession(store);
      const first = await store.events.append({ session, key: 'a', events: [text('1'), text('2')] });
      const second = await store.events.append({ session, key: 'b', events: [text('3')] });
      expect(first.cursor).toBe(2);
      expect(second.events.map(({ seq, index, id }) => [seq, index, id])).toEqual([
        [3, 0, eventId(session, 'b', 0)],
      ]);
      expect(eventId(session, 'b', 0)).toMatch(/^sevt_[1-9A-HJ-NP-Za-km-z]{24}$/);
      expect((await store.sessions.get(session))?.cursor).toBe(3);
    });

    it('does nothing for a key that is recorded, whatever comes with it', async () => {
      const store = await stores.open();
      const session = await newSession(store);
      const update = (): { status: string } => ({ status: 'running' });
      const first = await store.events.append({ session, key: 'a', events: [text('1')], update, epoch: 2 });
      await store.events.append({
        session,
        key: 'b',
        events: [text('2')],
        update: () => ({ status: 'idle' }),
      });
      const again = await store.events.append({
        session,
        key: 'a',
        events: [text('x'), text('y')],
        update,
        epoch: 1,
      });
      expect(again).toMatchObject({ duplicate: true, cursor: 1, events: first.events });
      expect(again.record).toMatchObject({ status: 'idle', cursor: 2 });
    });

    it('remembers a step without events', async () => {
      const store = await stores.open();
      const session = await newSession(store);
      let runs = 0;
      const update = (): { status: string } => ({ status: `run ${(runs += 1)}` });
      expect((await store.events.append({ session, key: 'a', events: [], update })).duplicate).toBe(false);
      expect((await store.events.append({ session, key: 'a', events: [], update })).duplicate).toBe(true);
      expect((await store.sessions.get(session))?.status).toBe('run 1');
    });

    it('refuses an old epoch, takes a new one over, and changes nothing when it refuses', async () => {
      const store = await stores.open();
      const session = await newSession(store);
      await store.events.append({ session, key: 'a', events: [text('1')], epoch: 3 });
      const stale = store.events.append({ session, key: 'b', events: [text('2')], epoch: 2 });
      await expect(stale).rejects.toThrow(StaleEpochError);
      await expect(stale).rejects.toThrow('session sesn_1 is at epoch 3; an append with epoch 2 is refused');
      await store.events.append({ session, key: 'c', events: [text('3')], epoch: 3 });
      expect((await store.events.read({ session })).map(({ key }) => key)).toEqual(['a', 'c']);
    });

    it('refuses when the log has grown since the caller looked', async () => {
      const store = await stores.open();
      const session = await newSession(store);
      await store.events.append({ session, key: 'a', events: [text('1')], expectCursor: 0 });
      await expect(
        store.events.append({ session, key: 'b', events: [text('2')], expectCursor: 0 }),
      ).rejects.toThrow(CursorMovedError);
    });

    it('undoes the whole append when the update throws', async () => {
      const store = await stores.open();
      const session = await newSession(store);
      const update = (): never => {
        throw new Error('no');
      };
      await expect(
        store.events.append({ session, key: 'a', events: [{ ...text('1'), deliver: true }], update }),
      ).rejects.toThrow('no');
      expect(await store.events.read({ session })).toEqual([]);
      expect(await store.events.undelivered()).toEqual([]);
      expect((await store.events.append({ session, key: 'a', events: [text('1')] })).duplicate).toBe(false);
    });

    it('knows no log without a session', async () => {
      const store = await stores.open();
      await expect(store.events.append({ session: 'sesn_x', key: 'a', events: [] })).rejects.toThrow(
        NotStoredError,
      );
      await expect(store.events.verify('sesn_x')).rejects.toThrow('no session sesn_x');
    });

    it('keeps every string as it was', async () => {
      const store = await stores.open();
      const session = await newSession(store);
      const payload = {
        text: 'a\u0000b \ud800 \u{1f600} "\\',
        __proto__x: { ['__proto__']: 1 },
        n: [0.1, -5, 1e21, null],
      };
      await store.events.append({ session, key: 'k', events: [{ type: 't', payload }] });
      const read = await store.events.read({ session });
      expect(read.at(-1)?.payload).toEqual(payload);
      expect(await store.events.verify(session)).toMatchObject({ ok: true });
    });
  });

  describe('reading', () => {
    it('filters by place, type, reference and time, both ways', async () => {
      let now = Date.parse('2026-01-01T00:00:00Z');
      const store = await stores.open({ now: () => (now += 1000) });
      const session = await newSession(store);
      const key = (n: number): string => `k${n}`;
      for (let n = 1; n <= 6; n += 1) {
        const ref = n % 3 === 0 ? 'sevt_a' : null;
        const event = { type: n % 2 === 0 ? 'even' : 'odd', payload: { n }, ref };
        await store.events.append({ session, key: key(n), events: [event] });
      }
      const seqs = async (request: object): Promise<number[]> =>
        (await store.events.read({ session, ...request })).map(({ seq }) => seq);
      expect(await seqs({})).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await seqs({ order: 'desc', limit: 2 })).toEqual([6, 5]);
      expect(await seqs({ after: 2, before: 5 })).toEqual([3, 4]);
      expect(await seqs({ types: ['even'] })).toEqual([2, 4, 6]);
      expect(await seqs({ types: [] })).toEqual([]);
      expect(await seqs({ refs: ['sevt_a'] })).toEqual([3, 6]);
      const [first, second] = await store.events.read({ session });
      expect(await seqs({ createdAt: { gt: first?.created_at, lte: second?.created_at } })).toEqual([2]);
      expect((await store.events.find(session, eventId(session, 'k4', 0)))?.seq).toBe(4);
      expect(await store.events.find(session, 'sevt_nowhere')).toBeUndefined();
    });
  });

  describe('the chain', () => {
    /** Ten events, then a change behind the store's back; the triggers are what stops an honest mistake. */
    async function tampered(sql: string): Promise<unknown> {
      const dir = stores.dir();
      const store = await stores.open({ dir });
      const session = await newSession(store);
      for (let n = 1; n <= 10; n += 1) {
        await store.events.append({ session, key: `k${n}`, events: [{ type: 't', payload: { n } }] });
      }
      expect(await store.events.verify(session)).toMatchObject({ ok: true, length: 10 });
      await expect(runBehind(stores, dir, sql)).rejects.toThrow(
        /events (are never changed|go only with their session)/,
      );
      await tamper(stores, dir, sql);
      return store.events.verify(session);
    }

    it.each([
      [
        `UPDATE events SET payload = '{"n":0}' WHERE seq = 4`,
        4,
        'the hash does not match the content and the hash before it',
      ],
      [
        `UPDATE events SET created_at = '2020-01-01T00:00:00.000Z' WHERE seq = 9`,
        9,
        'the hash does not match the content and the hash before it',
      ],
      [
        `UPDATE events SET internal = '{}' WHERE seq = 2`,
        2,
        'the hash does not match the content and the hash before it',
      ],
      [`UPDATE events SET id = 'sevt_other' WHERE seq = 5`, 5, 'the id is not its own'],
      ['DELETE FROM events WHERE seq = 7', 7, 'the event is missing'],
      ['DELETE FROM events WHERE seq = 10', 10, 'the session says that its log ends at 10'],
    ])('finds %s', async (sql, broken_at, reason) => {
      expect(await tampered(sql)).toEqual({ ok: false, broken_at, reason });
    });

    it('is the same for the same appends at the same times', async () => {
      const heads = await Promise.all(
        [1, 2].map(async () => {
          const store = await stores.open({ now: () => 0 });
          const session = await newSession(store);
          await store.events.append({ session, key: 'a', events: [{ type: 't', payload: { b: 1, a: 2 } }] });
          return (await store.sessions.get(session))?.head;
        }),
      );
      expect(heads[0]).toBe(heads[1]);
    });
  });

  describe('deleting a session', () => {
    it('takes its log, outbox and effects with it and leaves the others', async () => {
      const store = await stores.open();
      for (const id of ['sesn_1', 'sesn_2']) {
        const session = await newSession(store, id);
        await store.events.append({ session, key: 'a', events: [{ ...text(id), deliver: true }] });
        await store.effects.begin(session, 'click');
      }
      expect(await store.sessions.delete('sesn_1')).toBe(true);
      expect(await store.sessions.delete('sesn_1')).toBe(false);
      expect(await store.events.read({ session: 'sesn_1' })).toEqual([]);
      expect((await store.events.undelivered()).map(({ session }) => session)).toEqual(['sesn_2']);
      expect(await store.effects.get('sesn_1', 'click')).toBeUndefined();
      expect(await store.effects.get('sesn_2', 'click')).toMatchObject({ state: 'unknown' });
    });
  });

  it('refuses an event that is larger than any may be, and appends nothing of its step', async () => {
    const store = await stores.open();
    const session = await newSession(store);
    const large = { type: 'large', payload: { text: 'x'.repeat(32 * 1024 * 1024) } };
    const append = store.events.append({ session, key: 'a', events: [{ type: 't', payload: {} }, large] });
    await expect(append).rejects.toThrow(
      /^an event of type large has \d+ characters; at most 33554432 are stored$/,
    );
    expect(await store.events.read({ session })).toEqual([]);
  });
});
