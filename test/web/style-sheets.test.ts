import fs from 'node:fs';
import path from 'node:path';

/** All style sheets become one, so that a class which two rooms name would be dressed by both. */

const WEB = path.resolve(__dirname, '../../web');

/** The sheets whose rules begin with the class, by class. */
function sheetsByClass(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const sheets = fs
    .readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css') && !name.includes('dist'));
  for (const sheet of sheets) {
    const text = fs
      .readFileSync(path.join(WEB, sheet), 'utf8')
      .replaceAll(/\/\*[\s\S]*?\*\/|\([^()]*\)/g, '');
    for (const [, selectors = ''] of text.matchAll(/([^{};@]+)\{/g)) {
      for (const selector of selectors.split(',')) {
        // `.plain.tool-list` dresses a class of its own that also has a shared one.
        const name = /^\s*\.([a-z][\w-]*)(?![\w.-])/i.exec(selector)?.[1];
        if (name !== undefined) found.set(name, (found.get(name) ?? new Set()).add(sheet));
      }
    }
  }
  return found;
}

test('no class is dressed by the style sheets of two rooms', () => {
  const rooms = (sheets: Iterable<string>): Set<string> =>
    new Set([...sheets].map((sheet) => sheet.split(path.sep)[0] ?? '').filter((room) => room !== 'shell'));
  const all = sheetsByClass();
  expect(all.size).toBeGreaterThan(100);
  expect([...all].filter(([, sheets]) => rooms(sheets).size > 1)).toEqual([]);
});
