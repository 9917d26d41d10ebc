import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/** The files below test/ that the sequencer lets go first. */
function longFiles(): string[] {
  const sequencer = readFileSync(path.join(ROOT, 'scripts/lib/jest-sequencer.mjs'), 'utf8');
  return [...sequencer.matchAll(/^ {2}'([\w/-]+)',$/gm)].map(([, name]) => `${name}.test.ts`);
}

test('every file that the sequencer lets go first exists', () => {
  const files = longFiles();
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !existsSync(path.join(ROOT, 'test', file)))).toEqual([]);
});

test('each file goes to one shard, and the longest ones are shared out', () => {
  const listed = (...args: string[]): string[] =>
    execFileSync(
      process.execPath,
      [path.join(ROOT, 'node_modules/jest/bin/jest.js'), '--listTests', ...args],
      {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
      .trim()
      .split('\n');
  const [all, first, second] = [listed(), listed('--shard=1/2'), listed('--shard=2/2')];
  expect([...first, ...second].toSorted()).toEqual(all.toSorted());
  const long = longFiles();
  const share = first.filter((file) => long.includes(path.relative(path.join(ROOT, 'test'), file)));
  expect(Math.abs(share.length - long.length / 2)).toBeLessThan(1);
});
