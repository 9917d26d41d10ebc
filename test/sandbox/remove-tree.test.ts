import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureFolders } from '../../sandbox/daemon/disk-limit/measure-folders.ts';
import { removeTree } from '../../sandbox/remove-tree.ts';

/** What an agent can leave behind so that nobody gets rid of it. */
describe('a tree that is deeper than a path can say, with folders closed to all', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steadyhand-tree-'));
  const script = `cd "$1" && name=$(printf 'd%.0s' $(seq 200))
for i in $(seq 30); do mkdir $name && cd $name; done; head -c 3000000 /dev/zero > file`;

  it('is measured and removed', async () => {
    execFileSync('bash', ['-c', script, 'deep', folder]);
    const { bytes } = await measureFolders([folder], { count: false, urgent: true });
    expect(bytes).toBeGreaterThan(3_000_000);
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0);
    await removeTree(folder);
    expect(existsSync(folder)).toBe(false);
    await removeTree(folder);
  });
});
