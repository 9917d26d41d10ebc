import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SandboxSnapshots } from '../../../sandbox/client/snapshots.ts';
import { Snapshots } from '../../../sandbox/snapshots/snapshots.ts';
import { TestSandboxes, until } from '../helpers/sandboxes.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';

const describeInBubblewrap = existsSync('/usr/bin/bwrap') ? describe : describe.skip;

describeInBubblewrap('snapshots of the workspace (needs bubblewrap)', () => {
  let id: string;
  const test = openedForAll(() => TestSandboxes.open());
  const client = madeForAll(() => test.client());
  const snapshots = madeForAll(() => new SandboxSnapshots(client));
  beforeAll(async () => {
    ({ id } = await client.create());
  });
  const sh = (command: string, sandbox = id): Promise<string> => test.text(client, sandbox, command);
  /** Names, modes, times to the second (they are kept to the microsecond), sizes, targets and contents, in order. */
  const STATE =
    'cd; find . -mindepth 1 -not -type p -not -name ".config" -not -path "*/.*" -printf "%p %m %y %s %T@ %n %l\\n" | sed -E "s/([0-9]{9,})\\.[0-9]+/\\1/" | sort; ' +
    'find . -type f -not -path "*/.*" -exec sha256sum {} + | sort';

  it('gives back what there was, and another sandbox the same', async () => {
    await sh(
      'mkdir -p a/b empty; echo one > a/one; chmod 640 a/one; ln a/one a/b/again; ln -s /etc/passwd link; ln -s nowhere dangling; ' +
        'truncate -s 3G sparse; echo end >> sparse; touch -d "2001-02-03 04:05:06" a/one; mkfifo pipe; chmod 4755 a/one; ' +
        'echo odd > "$(printf "x\\377y\\nz")"; mkdir -m 500 closed',
    );
    await sh('chmod u-s a/one; rm -f sparse; truncate -s 200M sparse; echo end >> sparse');
    const before = await sh(STATE);
    const first = await snapshots.take(id);
    expect(first).toMatchObject({ sandbox_id: id, skipped: 1, skipped_paths: ['pipe'] });
    expect(lstatSync(join(test.dir, 'snapshots', first.id, 'tree/sparse')).blocks).toBeLessThan(1000);
    await sh('rm -rf a sparse link; echo other > a; echo new > new');
    expect(await snapshots.restore(id, first.id)).toEqual(first);
    expect(await sh('true')).toContain('started anew from a snapshot');
    expect(await sh(STATE)).toBe(before);
    expect(await sh('stat -c %U a a/one link; test -e new || echo gone')).toBe('agent\nagent\nagent\ngone');
    // The agent's changes never reach the snapshot.
    await sh('echo changed >> a/one');
    const other = await client.create({ snapshotId: first.id });
    expect(await sh(STATE, other.id)).toBe(before);
    await client.delete(other.id);
    expect(await client.snapshots.remove(first.id)).toBe(true);
    await expect(snapshots.restore(id, first.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.create({ snapshotId: first.id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('snapshots share what has not changed, and the agent cannot change what is shared', async () => {
    await sh('touch -d "-1 hour" kept; echo same > kept');
    const inodeOf = (snapshot: string): number =>
      statSync(join(test.dir, 'snapshots', snapshot, 'tree/kept')).ino;
    const first = await snapshots.take(id);
    await until(() => Date.now() - Date.parse(first.created_at) > 2_100);
    const second = await snapshots.take(id);
    const third = await snapshots.take(id);
    // What changed shortly before a snapshot began may have changed in it: only the third can know.
    expect(inodeOf(third.id)).toBe(inodeOf(second.id));
    await sh('printf SAME > kept');
    const fourth = await snapshots.take(id);
    expect(inodeOf(fourth.id)).not.toBe(inodeOf(third.id));
    expect((await snapshots.list(id)).map((info) => info.id).slice(0, 2)).toEqual([fourth.id, third.id]);
  });

  it('is refused while an action runs, and never reads outside of a tree that changes meanwhile', async () => {
    const running = test.bash(client, id, 'touch runs; until test -e stop; do sleep 0.01; done', 'running');
    await until(() => existsSync(join(test.folderOf(id), 'workspace', 'runs')));
    const [any] = await client.snapshots.list();
    await expect(snapshots.restore(id, any?.id ?? '')).rejects.toMatchObject({ code: 'conflict' });
    writeFileSync(join(test.folderOf(id), 'workspace', 'stop'), '');
    await running;

    const secrets = join(test.dir, 'secrets');
    mkdirSync(secrets);
    writeFileSync(join(secrets, 'secret'), 'of the host');
    await sh(
      `rm -f stop; mkdir race; (while ! test -e stop; do rm -rf race/d; mkdir race/d; echo in > race/d/secret; mv race/d race/e; ln -s ${secrets} race/d; ` +
        `rm -f race/d race/f; rm -rf race/e; echo mine > race/f; rm race/f; ln -s ${secrets}/secret race/f; rm race/f; mkfifo race/f; rm race/f; done) >/dev/null 2>&1 &`,
    );
    for (let round = 0; round < 5; round += 1) {
      const { id: taken } = await snapshots.take(id);
      const tree = join(test.dir, 'snapshots', taken, 'tree/race');
      for (const name of readdirSync(tree)) {
        const path = join(tree, name);
        const found = lstatSync(path);
        const inside = found.isDirectory() ? readdirSync(path).map((each) => join(path, each)) : [path];
        for (const each of inside.filter((one) => lstatSync(one).isFile()))
          expect(['in\n', 'mine\n', '']).toContain(readFileSync(each, 'utf8'));
      }
      await client.snapshots.remove(taken);
    }
    await sh('touch stop');
  });

  it('a restoring that was cut short is finished by the next daemon', async () => {
    await sh('cd; rm -rf race; echo old > which');
    const { id: taken } = await snapshots.take(id);
    await sh('echo young > which');
    const workspace = join(test.folderOf(id), 'workspace');
    test.killDaemon(id);
    // As a crash leaves it between the two renames.
    await client.ensure(id);
    test.killDaemon(id);
    const owner = statSync(workspace).uid;
    await new Snapshots(join(test.dir, 'snapshots')).copy(
      taken,
      join(test.folderOf(id), 'workspace.next'),
      process.getuid?.() === 0 ? owner : null,
    );
    expect(await sh('cat which')).toContain('old');
    expect(readdirSync(test.folderOf(id)).filter((name) => name.startsWith('workspace'))).toEqual([
      'workspace',
    ]);
    await rm(join(test.dir, 'snapshots'), { recursive: true });
  });
});
