import { storeRegistry } from '../../app/sandbox-registry.ts';
import { openStore, type Store } from '../../store/index.ts';
import { registryContract } from '../sandbox/registry/registry-contract.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { describeWithPostgres } from '../support/postgres.ts';

describeWithPostgres('sandboxes as records of the store', () => {
  const stores = temporaryStores('postgres');
  let opened: readonly [Store, Store];
  beforeEach(async () => {
    const dir = stores.dir();
    const postgres = await stores.url(dir);
    // As two processes with folders of their own.
    opened = [await openStore({ dir, postgres }), await openStore({ dir: stores.dir(), postgres })];
  });
  afterEach(() => Promise.all(opened.map((store) => store.close())));

  const registryOf = ({ sandboxes, installation }: Store) => {
    if (sandboxes === null) throw new Error('this store keeps no sandboxes');
    return storeRegistry(sandboxes, installation);
  };
  registryContract(() => ({ registry: registryOf(opened[0]), other: registryOf(opened[1]) }));

  it('two installations in one process have owners of their own', async () => {
    const { installation } = await stores.open();
    expect(installation).not.toBe(opened[0].installation);
  });
});
