import { MachineHost } from '../../../sandbox/client/hosts/machine-host.ts';
import type { Machines } from '../../../sandbox/client/hosts/machines.ts';
import { FolderRegistry } from '../../../sandbox/registry/folder-registry.ts';
import { remoteConfig } from '../helpers/remote-config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const dir = temporaryFolder();
const logger = { info: () => undefined, warn: () => undefined };

it('a machine that another process got hold of keeps the sandbox, however long it was silent to this one', async () => {
  const registry = new FolderRegistry(dir);
  const id = 'sbx_1';
  await registry.add(remoteConfig(id));
  let passed = 0;
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  const silent: Machines = {
    startTimeoutMs: 30_000,
    lostAfterMs: 120_000,
    silentMs: () => Promise.resolve(1000),
    place: ({ before, refused }) => {
      const machine = refused().has('mem_1') ? 'mem_2' : 'mem_1';
      return registry.follow(id, before, { machine, held: false });
    },
    transportTo: async () => {
      passed += 11_000;
      const place = await registry.placement(id);
      if (place?.number === 1) await registry.follow(id, place, { machine: 'mem_1', held: true });
      return null;
    },
    leave: () => Promise.resolve(),
    close: () => undefined,
  };
  try {
    const egress = { allow_private: [], mirrors: [] };
    const host = new MachineHost({ machines: silent, registry, egress, logger });
    await expect(host.ensure(id)).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    clock.mockRestore();
  }
  expect(await registry.placement(id)).toMatchObject({ machine: 'mem_1', held: true });
});
