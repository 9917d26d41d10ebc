import { createActivities } from '../../activities/index.ts';
import type { RequestModelOutcome } from '../../contracts/session-activities.ts';
import { createAnthropicProvider, createProviderRegistry } from '../../messages/index.ts';
import type { Store } from '../../store/index.ts';
import { reply, startUpstream } from '../support/anthropic-upstream.ts';
import { openedForAll } from '../support/opened.ts';
import { describeWithPostgres } from '../support/postgres.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { type Bench, inActivity, message, openBench } from './support.ts';

/** Two workers that share a database, and attempts of one step in both. */
describeWithPostgres('a model request of two workers', () => {
  const stores = temporaryStores('postgres');
  const upstream = openedForAll(startUpstream);
  afterEach(() => upstream.reset());

  async function two(): Promise<readonly [Bench, Bench]> {
    const dir = stores.dir();
    const bench = async (): Promise<Bench> => openBench(undefined, await stores.open({ dir }));
    return [await bench(), await bench()];
  }

  async function spokenTo(bench: Bench): Promise<string> {
    const agent = await bench.sessions.agents.create({ name: 'a', model: 'claude-local' });
    const { id } = await bench.sessions.create({ agent: agent.id });
    await bench.user(id, message('go'));
    return id;
  }

  function attempt(number: number, store: Store, session: string): Promise<RequestModelOutcome> {
    const provider = createAnthropicProvider({ apiKey: 'test-key-0', baseURL: upstream.baseURL });
    const providers = createProviderRegistry([{ model: 'claude-*', provider }]);
    const input = { session, epoch: 1, generation: 1, turns: 0, waits: 0, faults: 0, pauses: 0 };
    const activities = createActivities({ store, providers, sandboxes: {} as never });
    return inActivity(() => activities.requestModel(input, { step: 1 }), undefined, number);
  }

  test('a second attempt waits while the worker of the first one lives, and finds its reply', async () => {
    const [one, other] = await two();
    const session = await spokenTo(one);
    let answer = (): void => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    upstream.answer = reply('Done.', { before: (index) => (index === 0 ? asked : undefined) });
    const first = attempt(1, one.store, session);
    await upstream.arrived();
    let hasWaited = (): void => {};
    const waited = new Promise<void>((resolve) => (hasWaited = resolve));
    const leases = {
      take: async (key: string) => {
        const taken = (await other.store.leases?.take(key)) ?? true;
        if (!taken) hasWaited();
        return taken;
      },
      release: async (key: string) => other.store.leases?.release(key),
    };
    const second = attempt(2, { ...other.store, leases }, session);
    await waited;
    answer();
    expect(await Promise.all([first, second])).toEqual([{ type: 'end' }, { type: 'end' }]);
    expect(upstream.seen).toHaveLength(1);
  });

  test('the second attempt asks when the worker of the first one is gone', async () => {
    const [one, other] = await two();
    const session = await spokenTo(one);
    upstream.answer = reply('Done.', { before: () => new Promise(() => undefined) });
    void attempt(1, one.store, session).catch(() => undefined);
    await upstream.arrived();
    await one.store.close();
    upstream.answer = reply('Done.');
    expect(await attempt(2, other.store, session)).toEqual({ type: 'end' });
    expect(upstream.seen).toHaveLength(2);
  });
});
