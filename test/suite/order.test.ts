import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

test('every file that the sequencer lets go first exists', () => {
  const sequencer = readFileSync(path.join(ROOT, 'scripts/lib/jest-sequencer.mjs'), 'utf8');
  const names = [...sequencer.matchAll(/^ {2}'([\w/-]+)',$/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !existsSync(path.join(ROOT, 'test', `${name}.test.ts`)))).toEqual([]);
});
