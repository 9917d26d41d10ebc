import { NotStoredError, type BatchRecord, type Store } from '../../../store/index.ts';
import { describeStores } from '../temporary-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.parse('2026-11-22T10:00:00.000Z');

const params = (n: number): Uint8Array => Buffer.from(JSON.stringify({ n }));

async function accepted(store: Store, id: string, count: number): Promise<BatchRecord> {
  await store.batches.begin(id);
  const requests = Array.from({ length: count }, (_, n) => ({
    position: n,
    custom_id: `r-${n}`,
    params: params(n),
  }));
  await store.batches.add(id, requests);
  return await store.batches.accept(id, { lifetimeMs: DAY_MS, data: { betas: ['x'] } });
}

describeStores((stores) => {
  async function clockedStore(): Promise<{ store: Store; readonly pass: (ms: number) => void }> {
    let now = START;
    const store = await stores.open({ now: () => now });
    return { store, pass: (ms) => void (now += ms) };
  }

  describe('a batch in the store', () => {
    it('is seen by nobody before it is whole', async () => {
      const { store } = await clockedStore();
      await store.batches.begin('msgbatch_1');
      await store.batches.add('msgbatch_1', [{ position: 0, custom_id: 'a', params: params(0) }]);
      expect(await store.batches.get('msgbatch_1')).toBeUndefined();
      expect(await store.batches.request('msgbatch_1', 0)).toBeUndefined();
      expect((await store.batches.list({ limit: 10 })).batches).toEqual([]);
      expect(await store.batches.unfinished()).toEqual([]);
      await expect(store.batches.cancel('msgbatch_1')).rejects.toThrow(NotStoredError);
      await expect(store.batches.end('msgbatch_1', 'expired')).rejects.toThrow(NotStoredError);

      await store.batches.accept('msgbatch_1', { lifetimeMs: DAY_MS, data: {} });
      expect(await store.batches.get('msgbatch_1')).toEqual({
        id: 'msgbatch_1',
        status: 'in_progress',
        requests: 1,
        created_at: '2026-11-22T10:00:00.000Z',
        expires_at: '2026-11-23T10:00:00.000Z',
        cancel_initiated_at: null,
        ended_at: null,
        counts: { succeeded: 0, errored: 0, canceled: 0, expired: 0 },
        data: {},
      });
    });

    it('tells how far it is, and lists its requests by status, before it has ended and after', async () => {
      const { store } = await clockedStore();
      await accepted(store, 'msgbatch_1', 5);
      const { batches } = store;
      await batches.record('msgbatch_1', 1, { type: 'succeeded', json: '{}' });
      await batches.record('msgbatch_1', 3, { type: 'errored', json: '[]' });
      const listed = async (
        status?: 'processing' | 'errored' | 'canceled',
        after = -1,
      ): Promise<unknown[]> => {
        const asked = { after, limit: 2, ...(status === undefined ? {} : { status }) };
        const found = await batches.requests('msgbatch_1', asked);
        return found.map((each) => [each.position, each.custom_id, each.status, each.result?.json ?? null]);
      };
      const none = { succeeded: 1, errored: 1, canceled: 0, expired: 0 };
      expect(await batches.progress('msgbatch_1')).toEqual({ ...none, processing: 3 });
      expect(await listed()).toEqual([
        [0, 'r-0', 'processing', null],
        [1, 'r-1', 'succeeded', '{}'],
      ]);
      expect(await listed('processing', 0)).toEqual([
        [2, 'r-2', 'processing', null],
        [4, 'r-4', 'processing', null],
      ]);
      expect(await listed('canceled')).toEqual([]);
      await batches.end('msgbatch_1', 'canceled');
      expect(await batches.progress('msgbatch_1')).toEqual({ ...none, processing: 0, canceled: 3 });
      expect(await listed('canceled', 2)).toEqual([[4, 'r-4', 'canceled', null]]);
      expect(await listed('processing')).toEqual([]);
      expect(await listed('errored')).toEqual([[3, 'r-3', 'errored', '[]']]);
      expect(await batches.progress('msgbatch_2')).toBeUndefined();
      expect(await batches.requests('msgbatch_2', { after: -1, limit: 2 })).toEqual([]);
    });

    it('takes no more requests once it was accepted, and none without a beginning', async () => {
      const { store } = await clockedStore();
      await accepted(store, 'msgbatch_1', 1);
      const more = [{ position: 1, custom_id: 'b', params: params(1) }];
      await expect(store.batches.add('msgbatch_1', more)).rejects.toThrow(NotStoredError);
      await expect(store.batches.add('msgbatch_2', more)).rejects.toThrow(NotStoredError);
      expect(await store.batches.request('msgbatch_1', 1)).toBeUndefined();
    });

    it('gives a request back byte for byte, also one that is a piece of a larger buffer', async () => {
      const { store } = await clockedStore();
      const text = '{"text":"\\u00e9 \u{1f600}"}';
      const whole = Buffer.from(`before${text}after`);
      await store.batches.begin('msgbatch_1');
      await store.batches.add('msgbatch_1', [
        { position: 0, custom_id: 'a', params: whole.subarray(6, whole.length - 5) },
      ]);
      const batch = await store.batches.accept('msgbatch_1', { lifetimeMs: DAY_MS, data: {} });
      const found = await store.batches.request('msgbatch_1', 0);
      expect(Buffer.from(found?.params ?? []).toString()).toBe(text);
      expect(found).toMatchObject({ custom_id: 'a', result: null, batch });
    });

    it('keeps the first result of a request', async () => {
      const { store } = await clockedStore();
      await accepted(store, 'msgbatch_1', 2);
      await store.batches.record('msgbatch_1', 1, { type: 'succeeded', json: '"first"' });
      await store.batches.record('msgbatch_1', 1, { type: 'errored', json: '"second"' });
      await store.batches.record('msgbatch_1', 7, { type: 'errored', json: '"of no request"' });
      expect((await store.batches.request('msgbatch_1', 1))?.result).toEqual({
        type: 'succeeded',
        json: '"first"',
      });
      const ended = await store.batches.end('msgbatch_1', 'canceled');
      expect(ended.counts).toEqual({ succeeded: 1, errored: 0, canceled: 1, expired: 0 });
    });

    it('counts at its end what came of each request, and lists the results in order', async () => {
      const { store, pass } = await clockedStore();
      await accepted(store, 'msgbatch_1', 5);
      await store.batches.record('msgbatch_1', 3, { type: 'succeeded', json: '3' });
      await store.batches.record('msgbatch_1', 0, { type: 'errored', json: '0' });
      expect(await store.batches.results('msgbatch_1', -1, 10)).toEqual([]);
      pass(1000);
      const ended = await store.batches.end('msgbatch_1', 'expired');
      expect(ended).toMatchObject({
        status: 'ended',
        ended_at: '2026-11-22T10:00:01.000Z',
        counts: { succeeded: 1, errored: 1, canceled: 0, expired: 3 },
      });
      pass(1000);
      expect(await store.batches.end('msgbatch_1', 'canceled')).toEqual(ended);
      await store.batches.record('msgbatch_1', 4, { type: 'succeeded', json: '"late"' });
      const first = await store.batches.results('msgbatch_1', -1, 3);
      const rest = await store.batches.results('msgbatch_1', first.at(-1)?.position ?? 0, 10);
      expect([...first, ...rest].map(({ custom_id, result }) => [custom_id, result])).toEqual([
        ['r-0', { type: 'errored', json: '0' }],
        ['r-1', { type: 'expired' }],
        ['r-2', { type: 'expired' }],
        ['r-3', { type: 'succeeded', json: '3' }],
        ['r-4', { type: 'expired' }],
      ]);
      expect(await store.batches.unfinished()).toEqual([]);
    });

    it('is canceled once, and not after its end', async () => {
      const { store, pass } = await clockedStore();
      await accepted(store, 'msgbatch_1', 1);
      const canceling = await store.batches.cancel('msgbatch_1');
      expect(canceling).toMatchObject({
        status: 'canceling',
        cancel_initiated_at: '2026-11-22T10:00:00.000Z',
      });
      pass(1000);
      expect(await store.batches.cancel('msgbatch_1')).toEqual(canceling);
      expect(await store.batches.unfinished()).toEqual(['msgbatch_1']);
      const ended = await store.batches.end('msgbatch_1', 'canceled');
      expect(await store.batches.cancel('msgbatch_1')).toEqual(ended);
    });

    it('is listed newest first, from either side of a place that may be gone', async () => {
      const { store } = await clockedStore();
      for (const n of [1, 2, 3, 4, 5]) await accepted(store, `msgbatch_${n}`, 1);
      const ids = async (request: {
        limit: number;
        afterId?: string;
        beforeId?: string;
      }): Promise<unknown> => {
        const { batches, more } = await store.batches.list(request);
        return [batches.map(({ id }) => id.slice(-1)).join(''), more];
      };
      expect(await ids({ limit: 2 })).toEqual(['54', true]);
      expect(await ids({ limit: 5 })).toEqual(['54321', false]);
      expect(await ids({ limit: 2, afterId: 'msgbatch_4' })).toEqual(['32', true]);
      expect(await ids({ limit: 2, beforeId: 'msgbatch_2' })).toEqual(['43', true]);
      expect(await ids({ limit: 3, beforeId: 'msgbatch_2' })).toEqual(['543', false]);
      expect(await store.batches.delete('msgbatch_3')).toBe(true);
      expect(await ids({ limit: 2, afterId: 'msgbatch_3' })).toEqual(['21', false]);
      expect(await ids({ limit: 9, beforeId: 'msgbatch_3' })).toEqual(['54', false]);
    });

    it('leaves nothing behind when it is deleted', async () => {
      const { store } = await clockedStore();
      await accepted(store, 'msgbatch_1', 450);
      await store.batches.record('msgbatch_1', 0, { type: 'succeeded', json: '0' });
      expect(await store.batches.delete('msgbatch_1')).toBe(true);
      expect(await store.batches.delete('msgbatch_1')).toBe(false);
      expect(await store.batches.get('msgbatch_1')).toBeUndefined();
      await store.batches.record('msgbatch_1', 1, { type: 'succeeded', json: '"late"' });
      // If rows were left, the same id would collide with them.
      await accepted(store, 'msgbatch_1', 450);
      expect((await store.batches.request('msgbatch_1', 0))?.result).toBeNull();
    });

    it('is swept away when its writer died before it was whole, and not while it is young', async () => {
      const { store, pass } = await clockedStore();
      await store.batches.begin('msgbatch_old');
      await store.batches.add('msgbatch_old', [{ position: 0, custom_id: 'a', params: params(0) }]);
      pass(DAY_MS);
      await store.batches.begin('msgbatch_young');
      await accepted(store, 'msgbatch_whole', 1);
      pass(1000);
      await store.batches.sweep();
      await expect(store.batches.add('msgbatch_old', [])).rejects.toThrow(NotStoredError);
      await expect(store.batches.add('msgbatch_young', [])).resolves.toBeUndefined();
      expect(await store.batches.get('msgbatch_whole')).toBeDefined();
    });
  });
});
