import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The examples of the guide's pages are whole modules, and compile as somebody's own would. */

const ROOT = path.resolve(__dirname, '../..');
const PAGES = [
  '',
  '-sources',
  '-errors',
  '-data',
  '-children',
  '-events',
  '-versions',
  '-continue-as-new',
].map((name) => `statechart${name}.md`);
const folder = path.join(ROOT, '.tmp/docs-code');

const read = (page: string): string => readFileSync(path.join(ROOT, 'docs', page), 'utf8');

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('every block of TypeScript compiles under strict settings', () => {
  rmSync(folder, { recursive: true, force: true });
  let blocks = 0;
  for (const page of PAGES) {
    const at = path.join(folder, path.basename(page, '.md'));
    mkdirSync(at, { recursive: true });
    for (const [, code = ''] of read(page).matchAll(/```ts\n([^]*?)```/g)) {
      blocks += 1;
      const [, name = `block-${blocks}.ts`] = /^\/\/ (\S+\.ts)\n/.exec(code) ?? [];
      writeFileSync(path.join(at, name), code);
    }
  }
  expect(blocks).toBeGreaterThanOrEqual(PAGES.length);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.base.json',
      compilerOptions: {
        composite: false,
        declaration: false,
        emitDeclarationOnly: false,
        noEmit: true,
        rewriteRelativeImportExtensions: false,
        allowImportingTsExtensions: true,
      },
    }),
  );
  const compiler = path.join(ROOT, 'node_modules/typescript/lib/tsc.js');
  let complaints = '';
  try {
    execFileSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
  } catch (error) {
    complaints = (error as { stdout: string }).stdout;
  }
  expect(complaints).toBe('');
});

test.each(PAGES)('%s is short enough to be read in one go', (page) => {
  expect(Buffer.byteLength(read(page))).toBeLessThan(9 * 1024);
});
