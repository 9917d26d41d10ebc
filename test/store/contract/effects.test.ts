import { NotStoredError } from '../../../store/index.ts';
import { describeStores } from '../temporary-store.ts';

describeStores((stores) => {
  describe('an effect', () => {
    it('is begun once, unknown until it is finished, done from then on', async () => {
      const { effects } = await stores.open({ now: () => 0 });
      const begun_at = '1970-01-01T00:00:00.000Z';
      const intent = { action: 'left_click' };
      expect(await effects.get('sesn_1', 'k')).toBeUndefined();
      expect(await effects.begin('sesn_1', 'k', intent)).toEqual({ state: 'begun' });
      expect(await effects.begin('sesn_1', 'k', { action: 'other' })).toEqual({
        state: 'unknown',
        intent,
        begun_at,
      });
      expect(await effects.finish('sesn_1', 'k', { ok: true })).toEqual({ ok: true });
      const done = { state: 'done', intent, outcome: { ok: true }, begun_at };
      expect(await effects.begin('sesn_1', 'k')).toEqual(done);
      expect(await effects.get('sesn_1', 'k')).toEqual(done);
      expect(await effects.begin('sesn_2', 'k')).toEqual({ state: 'begun' });
    });

    it('keeps its first outcome', async () => {
      const { effects } = await stores.open();
      await effects.begin('s', 'k');
      expect(await effects.finish('s', 'k', null)).toBeNull();
      expect(await effects.finish('s', 'k', 'second')).toBeNull();
      expect(await effects.get('s', 'k')).toMatchObject({ state: 'done', outcome: null });
    });

    it('cannot end before it began', async () => {
      const { effects } = await stores.open();
      await expect(effects.finish('s', 'k', 1)).rejects.toThrow(NotStoredError);
      expect(await effects.get('s', 'k')).toBeUndefined();
    });

    it('is begun by one of many who try at once, whichever process they are in', async () => {
      const dir = stores.dir();
      const both = await Promise.all([stores.open({ dir }), stores.open({ dir })]);
      const tries = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (both[n % 2] ?? both[0]).effects.begin('s', 'k')),
      );
      expect(tries.filter(({ state }) => state === 'begun')).toHaveLength(1);
    });
  });
});
