import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { bundling } from '../../support/bundling.ts';

const ROOT = path.resolve(__dirname, '../../..');
const PAGES = ['statechart-testing.md', 'statechart-faults.md'].map((page) =>
  readFileSync(path.join(ROOT, 'docs', page), 'utf8'),
);

const IMPORT = /^import (?:type )?\{([^}]+)\} from '([^']+)';$/gm;

/** The pages' examples in their order. The one with a worker is scenario.test.ts in short. */
const examples = [...PAGES.join('\n').matchAll(/^```ts\n(.*?)^```$/gms)]
  .map(([, code = '']) => code)
  .filter((code) => !code.includes('Worker.create'));

/** A function for each example, all with the machine of the first one. */
function compiled(): readonly (() => Promise<void>)[] {
  const imports = new Map<string, Set<string>>();
  for (const [, names = '', from = ''] of examples.join('\n').matchAll(IMPORT)) {
    const known = imports.get(from) ?? new Set<string>();
    for (const name of names.split(',')) known.add(name.trim());
    imports.set(from, known);
  }
  const [machine = '', ...rest] = examples.map((code) => code.replaceAll(IMPORT, ''));
  const lines = [...imports].map(([from, names]) => `import { ${[...names].join(', ')} } from '${from}';`);
  const runs = rest.map((code) => `async () => {\n${code}\n}`);
  const contents = [...lines, machine, `export const runs = [\n${runs.join(',\n')}\n];`].join('\n');
  const { outputFiles } = buildSync({
    ...bundling(),
    stdin: { contents, loader: 'ts', resolveDir: ROOT },
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  const file = path.join(ROOT, `.tmp/statechart-testing-examples.${process.pid}.cjs`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, outputFiles[0]?.text ?? '');
  try {
    return jest.requireActual<{ runs: (() => Promise<void>)[] }>(file).runs;
  } finally {
    rmSync(file);
  }
}

test('the examples of the pages do what they say', async () => {
  const runs = compiled();
  expect(runs).toHaveLength(4);
  const assertions = examples.join('').match(/\bexpect\(/g)?.length ?? 0;
  for (const run of runs) await run();
  expect.assertions(1 + assertions);
});
