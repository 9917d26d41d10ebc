import { MachineHost } from '../../../sandbox/client/hosts/machine-host.ts';
import type { Machines } from '../../../sandbox/client/hosts/machines.ts';
import { followPlacement, readPlacement } from '../../../sandbox/folders/placement.ts';
import { SandboxFolders } from '../../../sandbox/folders/sandbox-folders.ts';
import { DEFAULT_LIMITS, DEFAULT_NETWORKING, NO_PACKAGES } from '../../../sandbox/config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const dir = temporaryFolder();
const logger = { info: () => undefined, warn: () => undefined };

it('a machine that another process got hold of keeps the sandbox, however long it was silent to this one', async () => {
  const folders = new SandboxFolders(dir);
  const id = 'sbx_1';
  const config = {
    id,
    display: { width: 1024, height: 768 },
    compat: 'default',
    isolation: 'remote',
    networking: DEFAULT_NETWORKING,
    packages: NO_PACKAGES,
    limits: DEFAULT_LIMITS,
    created_at: new Date(0).toISOString(),
    agent_uid: null,
    bash_timeout_ms: 1000,
  } as const;
  await folders.make(config, { elsewhere: true });
  const folder = folders.folderOf(id);
  let passed = 0;
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  const silent: Machines = {
    startTimeoutMs: 30_000,
    choose: (_config, refused) => Promise.resolve(refused.has('mem_1') ? 'mem_2' : 'mem_1'),
    transportTo: async () => {
      passed += 11_000;
      const place = readPlacement(folder);
      if (place?.number === 1) await followPlacement(folder, place, { machine: 'mem_1', held: true });
      return null;
    },
    leave: () => Promise.resolve(),
    close: () => undefined,
  };
  try {
    const host = new MachineHost({
      machines: silent,
      folders,
      owner: 'own_1',
      egress: { allow_private: [], mirrors: [] },
      logger,
    });
    await expect(host.ensure(id)).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    clock.mockRestore();
  }
  expect(readPlacement(folder)).toMatchObject({ machine: 'mem_1', held: true });
});
