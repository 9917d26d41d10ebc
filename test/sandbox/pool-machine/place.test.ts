import { readdirSync } from 'node:fs';
import { followPlacement, readPlacement } from '../../../sandbox/registry/placement-file.ts';
import { folderForEach } from '../../support/temporary-folder.ts';

const folder = folderForEach();

it('of several that place a sandbox at once one does, and the others find its choice', async () => {
  expect(readPlacement(folder())).toBeNull();
  const machines = Array.from({ length: 10 }, (_, n) => `mem_${n}`);
  const first = await Promise.all(
    machines.map((machine) => followPlacement(folder(), null, { machine, held: false })),
  );
  const [chosen, ...more] = first.filter((place) => place !== null);
  expect(more).toEqual([]);
  expect(readPlacement(folder())).toEqual(chosen);
  const then = await Promise.all(
    machines.map((machine) => followPlacement(folder(), chosen!, { machine, held: false })),
  );
  expect(then.filter((place) => place !== null)).toEqual([readPlacement(folder())]);
});

it('who has seen an older place writes nothing, and no draft stays behind', async () => {
  const first = await followPlacement(folder(), null, { machine: 'mem_1', held: false });
  const second = await followPlacement(folder(), first, { machine: 'mem_2', held: false });
  expect(await followPlacement(folder(), first, { machine: 'mem_1', held: true })).toBeNull();
  expect(readPlacement(folder())).toEqual(second);
  expect(await followPlacement(folder(), second, { machine: 'mem_2', held: true })).toMatchObject({
    held: true,
  });
  // Its number is free again by now.
  expect(await followPlacement(folder(), null, { machine: 'mem_1', held: false })).toBeNull();
  expect(await followPlacement(folder(), first, { machine: 'mem_1', held: true })).toBeNull();
  expect(readdirSync(folder())).toEqual(['place.3.json']);
});
