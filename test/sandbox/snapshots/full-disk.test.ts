import { SandboxError } from '@steadyhand/contracts';
import { withApiErrors } from '../../../app/sandbox-service.ts';
import { describeSmallDisk, onSmallDisk } from '../helpers/small-disk.ts';

/** The daemon's own routes and snapshots, of a workspace on a disk of eight megabytes. */
const PROGRAM = `
  import { randomBytes } from 'node:crypto';
  import { mkdirSync, openSync, readdirSync, readFileSync, rmSync, ftruncateSync, writeFileSync, writeSync } from 'node:fs';
  import { NO_PACKAGES, DEFAULT_LIMITS } from './sandbox/config.ts';
  import { DaemonConnection } from './sandbox/client/connection/daemon-connection.ts';
  import { SandboxFolders } from './sandbox/folders/sandbox-folders.ts';
  import { unixTransport } from './sandbox/client/connection/transport.ts';
  import { createDaemonServer } from './sandbox/daemon/http/server.ts';
  import { snapshotRoutes } from './sandbox/daemon/http/snapshot-routes.ts';
  import { layoutOf } from './sandbox/layout.ts';
  import { prepareRestore } from './sandbox/snapshots/restore.ts';
  import { Snapshots } from './sandbox/snapshots/snapshots.ts';

  const layout = layoutOf('/small/sbx_1');
  const MB = 1024 * 1024;
  const file = (name) => layout.workspace + '/' + name;
  async function serve(name, snapshots) {
    const daemon = {
      snapshots,
      snapshot: (id) => snapshots.take(id, 'sbx_1', layout.workspace),
      restore: (id) => prepareRestore(layout, snapshots, id, null),
    };
    const server = createDaemonServer({ routes: snapshotRoutes(daemon), upgrades: {} });
    await new Promise((resolve) => server.listen('/small/' + name, resolve));
    const connection = new DaemonConnection(unixTransport('/small', name));
    const ask = (method, path, body) =>
      connection.call(method, path, { body }).then(() => 'done', ({ name, code, message }) => ({ name, code, message }));
    return { ask, close: () => (connection.close(), server.close(), server.closeAllConnections()) };
  }
  async function main() {
    const report = {};
    mkdirSync(layout.workspace, { recursive: true });
    for (const name of ['a', 'b', 'c']) writeFileSync(file(name), name);
    const few = await serve('few.sock', new Snapshots('/small/few', { maxEntries: 2 }));
    report.many = await few.ask('POST', '/snapshots', { id: 'snap_0' });
    report.manyLeft = readdirSync('/small/few');
    few.close();

    writeFileSync(file('large'), randomBytes(3 * MB));
    const { ask, close } = await serve('sock', new Snapshots('/small/snapshots'));
    report.first = await ask('POST', '/snapshots', { id: 'snap_1' });
    writeFileSync(file('large'), randomBytes(3 * MB));
    report.second = await ask('POST', '/snapshots', { id: 'snap_2' });
    report.secondLeft = readdirSync('/small/snapshots');
    report.restore = await ask('POST', '/restore', { id: 'snap_1' });
    report.restoreLeft = readdirSync(layout.folder);
    report.large = readFileSync(file('large')).length;
    const config = { id: 'sbx_2', limits: DEFAULT_LIMITS, packages: NO_PACKAGES, isolation: 'none', agent_uid: null };
    report.create = await new SandboxFolders('/small').make(config, { snapshot: 'snap_1' }).then(
      () => 'done',
      ({ code, message }) => ({ code, message }),
    );
    report.createLeft = readdirSync('/small').filter((name) => /^\\.|sbx_2/.test(name));

    // With a hole it goes another way.
    rmSync(file('large'));
    ftruncateSync(openSync(file('sparse'), 'w'), 100 * MB);
    writeSync(openSync(file('sparse'), 'r+'), randomBytes(3 * MB), 0, 3 * MB, 50 * MB);
    report.sparse = await ask('POST', '/snapshots', { id: 'snap_3' });
    report.sparseLeft = readdirSync('/small/snapshots');
    close();
    process.stdout.write(JSON.stringify(report));
  }
  void main();
`;

describeSmallDisk('snapshots', () => {
  it('of too many entries, or on a full disk, are refused and leave nothing behind', async () => {
    const full = {
      name: 'SandboxError',
      code: 'storage_full',
      message: 'the disk is full; nothing was changed',
    };
    expect(await onSmallDisk(8 * 1024 * 1024, PROGRAM)).toEqual({
      many: { name: 'SandboxError', code: 'too_large', message: 'it has more than 2 entries' },
      manyLeft: [],
      first: 'done',
      second: full,
      secondLeft: ['snap_1'],
      restore: full,
      restoreLeft: ['workspace'],
      large: 3 * 1024 * 1024,
      create: { code: 'storage_full', message: 'the disk is full: no sandbox was made' },
      createLeft: [],
      sparse: full,
      sparseLeft: ['snap_1'],
    });
  });
});

it.each([
  ['too_large', 413, 'request_too_large'],
  ['storage_full', 507, 'api_error'],
] as const)('what a daemon refuses as %s is %d for clients', async (code, status, type) => {
  const refused = withApiErrors(() => Promise.reject(new SandboxError(code, 'why', { sandbox: 'sbx_1' })));
  await expect(refused).rejects.toMatchObject({ status, type, message: 'why' });
});
