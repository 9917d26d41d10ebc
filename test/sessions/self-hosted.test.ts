import { ensureSandbox } from '../../activities/session-sandbox.ts';
import { toFailure } from '../../activities/failures.ts';
import type { ActivityDeps } from '../../activities/index.ts';
import { createDefaultProviders } from '../../messages/index.ts';
import { createSessions } from '../../sessions/index.ts';
import { DEFAULT_ENVIRONMENT } from '../../sessions/environments/environments.ts';
import { madeForAll } from '../support/opened.ts';
import { temporaryStores } from '../store/temporary-store.ts';

/** Tools of a self-hosted environment run on the client's worker. If they ran here too, they would run twice. */

const REFUSED = {
  status: 400,
  message: expect.stringMatching(
    /^environment_id: Environment env_\w+ is self_hosted, .*type cloud\.$/,
  ) as string,
};
const SELF_HOSTED = { type: 'self_hosted' };
const says = { events: [{ type: 'user.message', content: 'Hello' }] };

let agent: string;
const asked: string[] = [];
let deps: ActivityDeps;

const stores = temporaryStores();
const store = madeForAll(() => stores.open());
const sessions = madeForAll(() => createSessions({ store }));
beforeAll(async () => {
  ({ id: agent } = await sessions.agents.create({
    name: 'a',
    model: 'script',
    tools: [{ type: 'bash_20250124', name: 'bash' }],
  }));
  const sandboxes = new Proxy({} as ActivityDeps['sandboxes'], {
    get: (_target, name) => {
      asked.push(String(name));
      throw new Error('no sandbox is to be made');
    },
  });
  deps = { store, providers: createDefaultProviders({}), sandboxes };
});
beforeEach(() => {
  asked.length = 0;
});

it('no session is created in one', async () => {
  const { id } = await sessions.environments.create({ name: 'mine', config: SELF_HOSTED });
  await expect(sessions.create({ agent, environment_id: id })).rejects.toMatchObject(REFUSED);
  expect((await sessions.list()).data).toEqual([]);
});

describe('a session whose environment became one', () => {
  let session: string;
  beforeAll(async () => {
    const { id } = await sessions.environments.create({ name: 'ours' });
    ({ id: session } = await sessions.create({ agent, environment_id: id }));
    await sessions.events.send(session, says);
    await sessions.environments.update(id, { config: SELF_HOSTED });
  });

  it('takes nothing more but an interrupt', async () => {
    await expect(sessions.events.send(session, says)).rejects.toMatchObject(REFUSED);
    const interrupt = { events: [{ type: 'user.interrupt' }] };
    expect((await sessions.events.send(session, interrupt)).data).toMatchObject([{ type: 'user.interrupt' }]);
  });

  it('gets no sandbox, and the step that wants one ends for good', async () => {
    const error: unknown = await ensureSandbox(deps, session).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(REFUSED);
    expect(toFailure(error)).toMatchObject({ nonRetryable: true, message: REFUSED.message });
    expect(asked).toEqual([]);
  });

  it('goes on once its environment is run here again', async () => {
    const { environment_id } = await sessions.retrieve(session);
    await sessions.environments.update(environment_id, { config: { type: 'cloud' } });
    expect((await sessions.events.send(session, says)).data).toHaveLength(1);
  });
});

it.each([{}, { config: null }])(
  'an environment that says %j of its kind is an ordinary one',
  async (given) => {
    const made = await sessions.environments.create({ name: 'plain', ...given });
    expect(made.config).toMatchObject({ type: 'cloud', networking: { type: 'unrestricted' } });
    await sessions.create({ agent, environment_id: made.id });
  },
);

it('the default environment is an ordinary one and stays one, in stores of before too', async () => {
  const { environment_id } = await sessions.create({ agent });
  expect(environment_id).toBe(DEFAULT_ENVIRONMENT);
  const { environments } = sessions;
  expect(await environments.retrieve(DEFAULT_ENVIRONMENT)).toMatchObject({ config: { type: 'cloud' } });
  await expect(environments.update(DEFAULT_ENVIRONMENT, { config: SELF_HOSTED })).rejects.toMatchObject({
    status: 400,
  });

  const record = await store.environments.get(DEFAULT_ENVIRONMENT);
  const before = { ...record?.data, config: SELF_HOSTED };
  await store.environments.update(DEFAULT_ENVIRONMENT, record?.data ?? {}, before);
  expect(await environments.retrieve(DEFAULT_ENVIRONMENT)).toMatchObject({ config: { type: 'cloud' } });
  const { id } = await sessions.create({ agent });
  expect((await sessions.events.send(id, says)).data).toHaveLength(1);
});
