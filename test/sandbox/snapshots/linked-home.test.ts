import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type SandboxLayout, layoutOf } from '../../../sandbox/layout.ts';
import { finishRestore, workspacePath, prepareRestore } from '../../../sandbox/snapshots/restore.ts';
import { Snapshots } from '../../../sandbox/snapshots/snapshots.ts';
import { folderForEach } from '../../support/temporary-folder.ts';

/** As in a container: the workspace is a link to the agent's home, which is not in the daemon's folder. */
describe('a workspace that is a link to the home', () => {
  const dir = folderForEach();
  let home: string;
  let layout: SandboxLayout;
  let snapshots: Snapshots;
  beforeEach(async () => {
    home = join(dir(), 'agent');
    layout = layoutOf(join(dir(), 'sbx_1'));
    for (const folder of [home, layout.folder]) mkdirSync(folder);
    symlinkSync(home, layout.workspace);
    snapshots = new Snapshots(layout.snapshots);
    writeFileSync(join(home, 'file'), 'then');
    await snapshots.take('snap_1', 'sbx_1', await workspacePath(layout));
    writeFileSync(join(home, 'file'), 'now');
    await prepareRestore(layout, snapshots, 'snap_1', null);
  });

  it('is restored in the home itself, and stays a link', async () => {
    await finishRestore(layout);
    expect(readFileSync(join(home, 'file'), 'utf8')).toBe('then');
    expect(lstatSync(layout.workspace).isSymbolicLink()).toBe(true);
    expect(readdirSync(layout.folder).toSorted()).toEqual(['snapshots', 'workspace']);
  });

  it('is restored after a crash that left no home', async () => {
    renameSync(home, join(layout.folder, 'workspace.old-1'));
    await finishRestore(layout);
    expect(readFileSync(join(home, 'file'), 'utf8')).toBe('then');
    expect(readdirSync(layout.folder).toSorted()).toEqual(['snapshots', 'workspace']);
  });
});
