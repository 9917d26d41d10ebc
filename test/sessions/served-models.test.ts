import { createDefaultProviders } from '../../messages/index.ts';
import { createSessions, type Sessions } from '../../sessions/index.ts';
import { madeForAll } from '../support/opened.ts';
import { temporaryStores } from '../store/temporary-store.ts';

const UNKNOWN = { status: 400, type: 'invalid_request_error', message: 'model: gpt-x' };
const WITHOUT_KEY = {
  status: 400,
  message:
    'model: claude-opus-5 (no upstream is configured for it: set ANTHROPIC_API_KEY, or name one in a PROVIDERS file)',
};

let sessions: Sessions;
const stores = temporaryStores();
const store = madeForAll(() => stores.open());
beforeAll(async () => {
  const sessionRecording = (): never => {
    throw new Error('no recording is read before it is asked for');
  };
  sessions = createSessions({ store, models: createDefaultProviders({ sessionRecording }) });
});

it.each(['script', 'replay:sesn_1'])('an agent may have the model %s, which is served', async (model) => {
  expect(await sessions.agents.create({ name: 'a', model })).toMatchObject({ model: { id: model } });
});

it('an agent whose model nobody serves is refused, in the words of a request for it', async () => {
  await expect(sessions.agents.create({ name: 'a', model: 'gpt-x' })).rejects.toMatchObject(UNKNOWN);
  const withSettings = { name: 'a', model: { id: 'gpt-x', effort: 'low' } };
  await expect(sessions.agents.create(withSettings)).rejects.toMatchObject(UNKNOWN);
  expect((await sessions.agents.list()).data.map(({ model }) => model.id)).not.toContain('gpt-x');
});

it('a model whose upstream has no key is refused with what to set', async () => {
  await expect(sessions.agents.create({ name: 'a', model: 'claude-opus-5' })).rejects.toMatchObject(
    WITHOUT_KEY,
  );
});

it('with the key it is taken', async () => {
  const models = createDefaultProviders({ anthropic: { apiKey: 'k' } });
  const { agents } = createSessions({ store, models });
  expect(await agents.create({ name: 'a', model: 'claude-opus-5' })).toMatchObject({ version: 1 });
  await expect(agents.create({ name: 'a', model: 'opus' })).rejects.toMatchObject({ message: 'model: opus' });
});

it('neither a new version of an agent nor a session may name one', async () => {
  const { id } = await sessions.agents.create({ name: 'a', model: 'script' });
  await expect(sessions.agents.update(id, { model: 'gpt-x' })).rejects.toMatchObject(UNKNOWN);
  const agent = { type: 'agent_with_overrides', id, model: 'gpt-x' };
  await expect(sessions.create({ agent })).rejects.toMatchObject({
    ...UNKNOWN,
    message: 'agent.model: gpt-x',
  });
  expect(await sessions.agents.retrieve(id)).toMatchObject({ version: 1 });
});

it('an agent whose model is no longer served can still be changed otherwise', async () => {
  const { id } = await createSessions({ store }).agents.create({ name: 'a', model: 'gone' });
  expect(await sessions.agents.update(id, { name: 'b' })).toMatchObject({ name: 'b', model: { id: 'gone' } });
});
