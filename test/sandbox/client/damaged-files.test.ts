import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownerOf } from '../../../sandbox/registry/owner-file.ts';
import { SandboxSnapshots } from '../../../sandbox/client/snapshots.ts';
import { isAlive } from '../../../sandbox/process-tree.ts';
import { newestInstance } from '../../../sandbox/instance-lock.ts';
import { layoutOf } from '../../../sandbox/layout.ts';
import { TestSandboxes } from '../helpers/sandboxes.ts';
import { madeForEach, openedForEach } from '../../support/opened.ts';

/** What a power cut or a bad disk leaves of a small file. */
const DAMAGES: readonly [string, string][] = [
  ['empty', ''],
  ['cut short', '{"id": "sbx_'],
  ['zeros', '\0'.repeat(300)],
  ['of another kind', '[]'],
];

const test = openedForEach(() => TestSandboxes.open());
const client = madeForEach(() => test.client());

describe("a sandbox's record that is damaged stops nobody else", () => {
  it.each(DAMAGES)('%s', async (_name, content) => {
    const [broken, whole] = await Promise.all([client.create(), client.create()]);
    const { config } = layoutOf(test.folderOf(broken.id));
    writeFileSync(config, content);
    const next = test.client();
    expect((await next.adopt()).map(({ id }) => id)).toEqual([whole.id]);
    const told = { id: broken.id, status: 'failed', isolation: null, boot: null };
    expect(await next.get(broken.id)).toMatchObject(told);
    expect((await next.get(broken.id)).reason).toContain(config);
    expect(new Map((await next.list()).map((info) => [info.id, info.status]))).toEqual(
      new Map([
        [broken.id, 'failed'],
        [whole.id, 'running'],
      ]),
    );
    for (const attempt of [test.bash(next, broken.id, 'true'), next.ensure(broken.id), next.create(broken)])
      await expect(attempt).rejects.toMatchObject({ code: 'damaged' });
    expect(await test.text(next, whole.id, 'echo on')).toBe('on');
    // Its daemon still runs, and goes with it.
    const daemon = newestInstance(test.folderOf(broken.id))!;
    expect(isAlive(daemon.process)).toBe(true);
    await next.delete(broken.id);
    expect(isAlive(daemon.process)).toBe(false);
    expect(existsSync(test.folderOf(broken.id))).toBe(false);
  });
});

it("a daemon's record that is damaged: the daemon that runs is found all the same", async () => {
  const { id, boot } = await client.create();
  const folder = test.folderOf(id);
  const record = readdirSync(folder).find((name) => /^daemon\.\d+\.json$/.test(name))!;
  const { process: daemon } = newestInstance(folder)!;
  writeFileSync(join(folder, record), '');
  const next = test.client();
  expect((await next.get(id)).boot).toBe(boot);
  expect(newestInstance(folder)?.process).toEqual(daemon);
  await next.delete(id);
  expect(isAlive(daemon)).toBe(false);
});

it('what a killed process was writing is removed once it is old', async () => {
  const { id } = await client.create();
  const folder = test.folderOf(id);
  const [old, young] = ['.owner.0123456789ab.draft', '.owner.ba9876543210.draft'].map((name) =>
    join(folder, name),
  ) as [string, string];
  for (const draft of [old, young]) writeFileSync(draft, 'x');
  utimesSync(old, 0, 0);
  process.kill(newestInstance(folder)!.process.pid, 'SIGKILL');
  expect(await test.text(client, id, 'echo on')).toMatch(/on$/);
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
});

it("a snapshot's record that is damaged: the others are there, and it can be deleted", async () => {
  const { id } = await client.create();
  const snapshots = new SandboxSnapshots(client);
  const [broken, whole] = [await snapshots.take(id), await snapshots.take(id)];
  const record = join(test.dir, 'snapshots', broken.id, 'snapshot.json');
  writeFileSync(record, '');
  const listed = await client.snapshots.list();
  expect(new Map(listed.map((info) => [info.id, info.status]))).toEqual(
    new Map([
      [broken.id, 'failed'],
      [whole.id, 'ready'],
    ]),
  );
  expect((await client.snapshots.find(broken.id))?.reason).toContain(record);
  await expect(snapshots.restore(id, broken.id)).rejects.toThrow(/is damaged/);
  await expect(client.create({ snapshotId: broken.id })).rejects.toThrow(/snapshot_id: .* is damaged/);
  expect((await snapshots.restore(id, whole.id)).id).toBe(whole.id);
  expect(await client.snapshots.remove(broken.id)).toBe(true);
  expect((await client.snapshots.list()).map((info) => info.id)).toEqual([whole.id]);
});

it('the name that machines know the data folder by is never made anew', () => {
  const owner = ownerOf(test.dir);
  expect(ownerOf(test.dir)).toBe(owner);
  writeFileSync(join(test.dir, '.owner'), '');
  expect(() => ownerOf(test.dir)).toThrow(/\.owner is damaged/);
  rmSync(join(test.dir, '.owner'));
});
