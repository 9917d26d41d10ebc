import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createWholeFile, removeDrafts, writeWholeFile } from '../../store/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOUR = 60 * 60 * 1000;
const folder = temporaryFolder();
const place = (name: string): string => path.join(folder, name);

it('replaces a file, readable by its owner alone', async () => {
  await writeWholeFile(place('a'), 'old');
  await writeWholeFile(place('a'), 'new');
  expect(readFileSync(place('a'), 'utf8')).toBe('new');
  expect(statSync(place('a')).mode & 0o777).toBe(0o600);
});

it('leaves no draft when the file cannot take its place', async () => {
  mkdirSync(place('taken/by/a/folder'), { recursive: true });
  await expect(writeWholeFile(place('taken'), 'x')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(folder).filter((name) => name.endsWith('.draft'))).toEqual([]);
});

it('is made by the first of many alone', async () => {
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, index) => createWholeFile(place('once'), `${index}`)),
  );
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(readFileSync(place('once'), 'utf8')).toBe(`${made.indexOf(true)}`);
});

it('is not confused with what a killed process has left, which goes once it is old', async () => {
  const uuid = '01234567-89ab-cdef-0123-456789abcdef';
  const left = ['a.draft', `b.${uuid}.draft`, `secrets.key.${uuid}`, `api-key.${uuid}`, `token.${uuid}`];
  const kept = ['a', 'secrets.key', 'token', `b.${uuid}`, 'draft'];
  const drafts = place('drafts');
  mkdirSync(drafts);
  for (const name of [...left, ...kept]) {
    writeFileSync(path.join(drafts, name), name);
    utimesSync(path.join(drafts, name), 0, 0);
  }
  writeFileSync(path.join(drafts, 'young.draft'), '');
  await removeDrafts(drafts, HOUR);
  expect(readdirSync(drafts).toSorted()).toEqual([...kept, 'young.draft'].toSorted());
  await removeDrafts(place('nowhere'), 0);
});
