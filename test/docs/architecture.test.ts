import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

const FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const TEXT = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');

/** Paths in the text and in its diagrams: those that begin with a folder of the repository, up to the first other character. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w./@-])([a-z]+)\/[\w./-]*/g)]
    .filter(([, folder = '']) => FOLDERS.includes(folder))
    .map(([found]) => found.replace(/\.$/, ''));
}

test('every path in ARCHITECTURE.md exists', () => {
  const paths = pathsIn(TEXT);
  expect(paths.length).toBeGreaterThan(60);
  // A diagram names a file without its ending.
  const missing = paths.filter(
    (name) => !existsSync(path.join(ROOT, name)) && !existsSync(path.join(ROOT, `${name}.ts`)),
  );
  expect(missing).toEqual([]);
});
