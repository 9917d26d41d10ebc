import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { manifest } from '../support/bundling.ts';

/** The packages' manifests are the one place that says who depends on whom; what the sources import has to agree with them. */

const ROOT = path.resolve(__dirname, '../..');
const PREFIX = '@steadyhand/';
const folders = manifest().workspaces ?? [];

/** Packages that run where Node's modules are not: in a browser, or in a workflow's sandbox. */
const WITHOUT_NODE = ['contracts', 'statechart', 'workflows', 'web'];

/** A command for the terminal, which nothing imports. */
const COMMANDS = ['statechart/client/check/main.ts'];

interface Import {
  readonly file: string;
  readonly specifier: string;
}

function importsOf(folder: string): readonly Import[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .filter((file) => !/^(?:dist|node_modules|preprocess\/assembly)\//.test(file))
    .flatMap((file) => {
      const text = readFileSync(path.join(ROOT, folder, file), 'utf8');
      const found = text.matchAll(
        /^(?:import|export)\b[^;'`]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
      );
      return [...found].map(([, from, bare, dynamic]) => ({
        file,
        specifier: from ?? bare ?? dynamic ?? '',
      }));
    });
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

const ownDependencies = (folder: string): string[] =>
  Object.keys(manifest(folder).dependencies ?? {})
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length));

test('every package is found, with sources', () => {
  expect(folders.length).toBeGreaterThan(10);
  expect(folders.filter((folder) => importsOf(folder).length === 0)).toEqual([]);
});

describe.each(folders)('%s', (folder) => {
  const imports = importsOf(folder);
  const foreign = imports.filter(({ specifier }) => !specifier.startsWith('.'));

  it('imports what its manifest names, and by the doors of the others', () => {
    const { dependencies, peerDependencies } = manifest(folder);
    const allowed = Object.keys({ ...dependencies, ...peerDependencies });
    const wrong = foreign.filter(({ file, specifier }) => {
      if (isBuiltin(specifier))
        return WITHOUT_NODE.includes(folder) && !COMMANDS.includes(`${folder}/${file}`);
      return !allowed.includes(packageOf(specifier));
    });
    expect(wrong).toEqual([]);
    const missing = foreign.filter(({ specifier }) => {
      if (!specifier.startsWith(PREFIX)) return false;
      const [name = '', ...door] = specifier.slice(PREFIX.length).split('/');
      const exported = manifest(name).exports ?? {};
      return !Object.hasOwn(exported, ['.', ...door].join('/'));
    });
    expect(missing).toEqual([]);
  });

  it('reaches into no other folder', () => {
    const outside = imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .filter(({ file, specifier }) =>
        path.normalize(path.join(path.dirname(file), specifier)).startsWith('..'),
      );
    expect(outside).toEqual([]);
  });

  it('names no package of ours that it does not use, and refers to each in its tsconfig.json', () => {
    const used = new Set(foreign.map(({ specifier }) => packageOf(specifier)));
    expect(ownDependencies(folder).filter((name) => !used.has(PREFIX + name))).toEqual([]);
    const { references = [] } = JSON.parse(
      readFileSync(path.join(ROOT, folder, 'tsconfig.json'), 'utf8'),
    ) as {
      readonly references?: readonly { readonly path: string }[];
    };
    expect(references.map((reference) => path.basename(reference.path)).toSorted()).toEqual(
      ownDependencies(folder).toSorted(),
    );
  });

  it('has doors that lead to files', () => {
    for (const door of Object.values(manifest(folder).exports ?? {}))
      expect([
        door['@steadyhand/source'],
        existsSync(path.join(ROOT, folder, door['@steadyhand/source'])),
      ]).toEqual([door['@steadyhand/source'], true]);
  });
});

test('no circle of packages', () => {
  const done = new Set<string>();
  let left = [...folders];
  while (left.length > 0) {
    const ready = left.filter((folder) => ownDependencies(folder).every((name) => done.has(name)));
    if (ready.length === 0) break;
    for (const folder of ready) done.add(folder);
    left = left.filter((folder) => !done.has(folder));
  }
  expect(left).toEqual([]);
});

test('a library has one version for all', () => {
  const versions = new Map<string, Set<string>>();
  for (const folder of ['.', ...folders]) {
    const { dependencies, devDependencies } = manifest(folder);
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  expect([...versions].filter(([, all]) => all.size > 1)).toEqual([]);
});

test('what a package wants beside it is tested with the newest that its range allows', () => {
  for (const folder of folders) {
    const { devDependencies = {}, dependencies = {}, peerDependencies = {} } = manifest(folder);
    for (const name of Object.keys(peerDependencies)) {
      expect(Object.keys(devDependencies)).toContain(name);
      // A library that is also a dependency would be installed a second time.
      expect(Object.keys(dependencies)).not.toContain(name);
    }
  }
});

test('onnxruntime is loaded in the threads that run models, and nowhere else', () => {
  const users = importsOf('inference').filter(({ specifier }) => specifier.startsWith('onnxruntime'));
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter(({ file }) => !file.startsWith('runtime/worker/'))).toEqual([]);
});

test('the table in CONTRIBUTING.md is that of the manifests', () => {
  const text = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  for (const folder of folders) {
    const depends = ownDependencies(folder);
    expect(text).toContain(
      `\n${folder.padEnd(10)} -> ${depends.length === 0 ? 'nothing' : depends.join(', ')}\n`,
    );
  }
});
