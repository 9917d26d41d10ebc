import { createSessions } from '../../sessions/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Lists are narrowed by the server, so that a page of them is a page of what was sought. */

const folder = temporaryFolder();
let store: Store;
beforeAll(async () => {
  store = await openStore({ dir: folder });
});
afterAll(() => store.close());

const names = ({ data }: { readonly data: readonly { readonly name: string }[] }): string[] =>
  data.map(({ name }) => name).toSorted();

test('agents and environments are found by a part of the name in any case, or the beginning of the id', async () => {
  const { agents, environments } = createSessions({ store });
  const clerk = await agents.create({ name: 'Night clerk', model: 'script' });
  await agents.create({ name: '100 % sure', model: 'script' });
  await agents.create({ name: 'CLERK of the day', model: 'script' });
  const find = (search: string) => new URLSearchParams({ search });
  expect(names(await agents.list(find('clerk')))).toEqual(['CLERK of the day', 'Night clerk']);
  expect(names(await agents.list(find('%')))).toEqual(['100 % sure']);
  expect(names(await agents.list(find(clerk.id.slice(0, 14))))).toContain('Night clerk');
  expect(names(await agents.list(find(clerk.id)))).toEqual(['Night clerk']);
  await agents.update(clerk.id, { name: 'Porter' });
  expect(names(await agents.list(find('night')))).toEqual([]);

  await environments.create({ name: 'Offline' });
  await environments.create({ name: 'Online' });
  expect(names(await environments.list(find('off')))).toEqual(['Offline']);
});

test('a list that is sought in is paged like any other', async () => {
  const { agents } = createSessions({ store });
  for (const name of ['Guard 1', 'Other', 'Guard 2', 'Guard 3'])
    await agents.create({ name, model: 'script' });
  const first = await agents.list(new URLSearchParams({ search: 'guard', limit: '2' }));
  const second = await agents.list(
    new URLSearchParams({ search: 'guard', limit: '2', page: first.next_page ?? '' }),
  );
  expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['Guard 3', 'Guard 2', 'Guard 1']);
  expect(second.next_page).toBeNull();
});

test('sessions are found by their environment', async () => {
  const sessions = createSessions({ store });
  const { id: agent } = await sessions.agents.create({ name: 'Walker', model: 'script' });
  const { id: environment_id } = await sessions.environments.create({ name: 'Wood' });
  const inWood = await sessions.create({ agent, environment_id });
  await sessions.create({ agent });
  const { data } = await sessions.list(new URLSearchParams({ environment_id }));
  expect(data.map(({ id }) => id)).toEqual([inWood.id]);
});
