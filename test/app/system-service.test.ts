import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { folderSizes } from '../../app/folder-size.ts';
import { systemService } from '../../app/system-service.ts';
import { folderForEach } from '../support/temporary-folder.ts';

/** What the process knows of its folders and its disks. */

const folder = folderForEach();
const KIB = 1024;

function write(name: string, kib: number): void {
  const file = path.join(folder(), name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  // No zeros, because some file systems take no room for them.
  fs.writeFileSync(file, Buffer.from(Array.from({ length: kib * KIB }, (_, index) => index % 251)));
}

test('a folder is measured with all below it, at most once a minute', async () => {
  let now = 1_000_000;
  const size = folderSizes(folder(), () => now);
  write('a', 64);
  write('deep/down/b', 64);
  fs.symlinkSync('/', path.join(folder(), 'elsewhere'));
  const first = await size();
  expect(first.bytes).toBeGreaterThanOrEqual(128 * KIB);
  expect(first.bytes).toBeLessThan(1024 * KIB);
  write('c', 256);
  now += 30_000;
  expect(await size()).toEqual(first);
  now += 31_000;
  // What is known is told at once, and the new measurement once it is there.
  expect(await size()).toEqual(first);
  let next = await size();
  while (next.at === first.at) {
    await nextTurn();
    next = await size();
  }
  expect(next.bytes).toBeGreaterThanOrEqual((first.bytes ?? 0) + 256 * KIB);
});

test('a folder that is not there is empty', async () => {
  expect((await folderSizes(path.join(folder(), 'none'))()).bytes).toBe(0);
});

test('folders on one disk are told as one disk, and those that are not there not at all', async () => {
  const dataDir = folder();
  const read = (modelsDir: string): ReturnType<ReturnType<typeof systemService>['read']> =>
    systemService(
      { role: 'all', dataDir, modelsDir },
      {
        taskQueues: { sessions: 'steadyhand-1', batches: 'steadyhand-1-batches' },
        sweeps: () => undefined,
      },
    ).read();
  write('models/a', 1);
  for (const modelsDir of [path.join(dataDir, 'models'), path.join(dataDir, 'none')]) {
    const { disks, store, queues } = await read(modelsDir);
    expect(disks).toMatchObject([{ name: 'Data', folder: dataDir }]);
    expect(disks[0]?.free_bytes).toBeLessThanOrEqual(disks[0]?.total_bytes ?? 0);
    expect([store.sweep, queues]).toEqual([null, ['steadyhand-1', 'steadyhand-1-batches']]);
  }
});
