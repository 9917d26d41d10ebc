import { createSessions, type Sessions } from '../../sessions/index.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { madeForAll } from '../support/opened.ts';

const stores = temporaryStores();
const sessions = madeForAll(async () => createSessions({ store: await stores.open() }));

const CARE = { keep_screenshots: 3, cache_breakpoints: 'auto', fit_images: true };
const agentWith = (change: object = {}): ReturnType<Sessions['agents']['create']> =>
  sessions.agents.create({ name: 'a', model: 'script', ...change });

it('stands in an agent that has it and in its sessions, and is no field of one that has none', async () => {
  const agent = await agentWith({ context_care: CARE });
  expect(agent.context_care).toEqual(CARE);
  expect((await sessions.agents.retrieve(agent.id)).context_care).toEqual(CARE);
  expect((await sessions.create({ agent: agent.id })).agent).toMatchObject({ context_care: CARE });
  expect(await agentWith()).not.toHaveProperty('context_care');
  expect(await agentWith({ context_care: null })).not.toHaveProperty('context_care');
});

it('changes with a new version of the agent, and only then', async () => {
  const { id } = await agentWith();
  expect(await sessions.agents.update(id, { context_care: CARE })).toMatchObject({
    version: 2,
    context_care: CARE,
  });
  expect(await sessions.agents.update(id, { context_care: CARE })).toMatchObject({ version: 2 });
  expect(await sessions.agents.update(id, { name: 'b' })).toMatchObject({ version: 3, context_care: CARE });
  const without = await sessions.agents.update(id, { context_care: null });
  expect(without.version).toBe(4);
  expect(without).not.toHaveProperty('context_care');
});

it('is replaced as a whole by what a session overrides it with; null takes it away', async () => {
  const { id } = await agentWith({ context_care: CARE });
  const overridden = async (context_care: unknown): Promise<object> =>
    (await sessions.create({ agent: { type: 'agent_with_overrides', id, context_care } })).agent;
  expect(await overridden({ keep_screenshots: 1 })).toMatchObject({ context_care: { keep_screenshots: 1 } });
  expect(await overridden(null)).not.toHaveProperty('context_care');
  expect(await overridden(undefined)).toMatchObject({ context_care: CARE });
});

it.each([
  [3, 'context_care: Input should be a valid dictionary or object to extract fields from'],
  [{ keep: 3 }, 'context_care.keep: Extra inputs are not permitted'],
  [{ keep_screenshots: 0 }, 'context_care.keep_screenshots: Input should be greater than or equal to 1'],
  [{ keep_screenshots: 'all' }, 'context_care.keep_screenshots: Input should be a valid integer'],
  [{ cache_breakpoints: true }, "context_care.cache_breakpoints: Input should be 'auto' or 'off'"],
  [{ fit_images: 'yes' }, 'context_care.fit_images: Input should be a valid boolean'],
])('%j is refused', async (care, message) => {
  await expect(agentWith({ context_care: care })).rejects.toThrow(message);
});
