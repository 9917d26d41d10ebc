import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followPlace, readPlace } from '../../../sandbox/folders/placement.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'place-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('of several that place a sandbox at once one does, and the others find its choice', async () => {
  expect(readPlace(folder)).toBeNull();
  const machines = Array.from({ length: 10 }, (_, n) => `mem_${n}`);
  const first = await Promise.all(
    machines.map((machine) => followPlace(folder, null, { machine, held: false })),
  );
  const [chosen, ...more] = first.filter((place) => place !== null);
  expect(more).toEqual([]);
  expect(readPlace(folder)).toEqual(chosen);
  const then = await Promise.all(
    machines.map((machine) => followPlace(folder, chosen!, { machine, held: false })),
  );
  expect(then.filter((place) => place !== null)).toEqual([readPlace(folder)]);
});

it('who has seen an older place writes nothing, and no draft stays behind', async () => {
  const first = await followPlace(folder, null, { machine: 'mem_1', held: false });
  const second = await followPlace(folder, first, { machine: 'mem_2', held: false });
  expect(await followPlace(folder, first, { machine: 'mem_1', held: true })).toBeNull();
  expect(readPlace(folder)).toEqual(second);
  expect(await followPlace(folder, second, { machine: 'mem_2', held: true })).toMatchObject({ held: true });
  // Its number is free again by now.
  expect(await followPlace(folder, null, { machine: 'mem_1', held: false })).toBeNull();
  expect(await followPlace(folder, first, { machine: 'mem_1', held: true })).toBeNull();
  expect(readdirSync(folder)).toEqual(['place.3.json']);
});
