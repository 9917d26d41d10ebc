import { createSessions, type Sessions } from '../../sessions/index.ts';
import { madeForAll } from '../support/opened.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { limitedTo } from '../sandbox/helpers/networking.ts';

describe('an environment', () => {
  let environments: Sessions['environments'];
  const stores = temporaryStores();
  const store = madeForAll(() => stores.open());
  beforeAll(async () => {
    ({ environments } = createSessions({ store }));
  });

  it('keeps what an update leaves out, down to the fields of its networking', async () => {
    const { id } = await environments.create({
      name: 'one',
      description: 'first',
      metadata: { a: '1', b: '2', c: '3' },
      config: {
        type: 'cloud',
        networking: { type: 'limited', allowed_hosts: ['a.test'], allow_package_managers: true },
      },
    });
    expect(await environments.update(id, {})).toMatchObject({ name: 'one', description: 'first' });
    const changed = await environments.update(id, {
      description: null,
      metadata: { a: null, b: '', d: '4' },
      config: {
        type: 'cloud',
        networking: { type: 'limited', allowed_hosts: ['*.b.test', 'https://c.test', '10.0.0.1:81'] },
      },
    });
    expect(changed).toMatchObject({
      name: 'one',
      description: null,
      metadata: { c: '3', d: '4' },
      config: {
        type: 'cloud',
        networking: limitedTo(['*.b.test', 'https://c.test', '10.0.0.1:81'], true),
      },
    });
    expect(changed.metadata).not.toHaveProperty('a');
    expect(changed.metadata).not.toHaveProperty('b');
    expect(await environments.update(id, { name: 'two', config: { type: 'cloud' } })).toEqual({
      ...changed,
      name: 'two',
      updated_at: expect.any(String) as string,
    });
    const open = await environments.update(id, {
      config: { type: 'cloud', networking: { type: 'unrestricted' } },
    });
    expect(open.config).toMatchObject({ networking: { type: 'unrestricted' } });
    expect(await environments.update(id, { config: { type: 'self_hosted' } })).toMatchObject({
      config: { type: 'self_hosted' },
    });
    expect(await environments.retrieve(id)).toMatchObject({ name: 'two', config: { type: 'self_hosted' } });
  });

  it.each(['', '*', 'a b', 'http://a.test/path', 'me@a.test', 'a.test:x', '*a.test'])(
    'is not taken with %p among its allowed hosts',
    async (host) => {
      const config = { type: 'cloud', networking: { type: 'limited', allowed_hosts: [host] } };
      await expect(environments.create({ name: 'n', config })).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(
          'config.cloud.networking.limited.allowed_hosts.0|allowed_hosts',
        ) as string,
      });
    },
  );

  it('that is archived or missing is not updated', async () => {
    const { id } = await environments.create({ name: 'old' });
    await environments.archive(id);
    await expect(environments.update(id, { name: 'new' })).rejects.toMatchObject({ status: 409 });
    await expect(environments.update('env_missing', {})).rejects.toMatchObject({ status: 404 });
  });
});
