import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { bundling } from '../support/bundling.ts';
import { folderForEach } from '../support/temporary-folder.ts';

/** Which packages the image carries. The scripts are plain ESM and are driven as people drive them: by node. */

const repository = path.resolve(__dirname, '../..');
const lib = path.join(repository, 'scripts/lib/runtime-packages.mjs');

interface Entry {
  readonly version?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly link?: boolean;
}
const lock = JSON.parse(fs.readFileSync(path.join(repository, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Entry>>;
};

function evaluate(expression: string): { value?: unknown; error?: string } {
  const code = `import fs from 'node:fs'; import path from 'node:path'; import * as lib from ${JSON.stringify(lib)};
    const repository = ${JSON.stringify(repository)};
    try { process.stdout.write(JSON.stringify({ value: await (${expression}) })); }
    catch (error) { process.stdout.write(JSON.stringify({ error: String(error) })); }`;
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    cwd: repository,
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as { value?: unknown; error?: string };
}

const LOCK = `JSON.parse(fs.readFileSync(path.join(repository, 'package-lock.json'), 'utf8'))`;
const wanted = evaluate(`[...lib.runtimePackages(${LOCK})]`).value as string[];

test('every package that the built files import is carried', () => {
  const imported = evaluate(`(await import('esbuild')).build({
      entryPoints: ['app/main.ts', 'sandbox/daemon/main.ts', 'inference/runtime/worker/main.ts'],
      outdir: 'unused', ...${JSON.stringify(bundling())}, platform: 'node', format: 'esm', write: false, metafile: true,
      logLevel: 'silent', alias: { sharp: './scripts/lib/sharp-cjs.mjs' },
    }).then(({ metafile }) => Object.values(metafile.outputs).flatMap(({ imports }) => imports.map((one) => one.path)))`)
    .value as string[];
  const names = new Set(
    imported
      .filter((name) => !name.startsWith('node:') && !name.startsWith('.'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  );
  expect(names).toContain('express');
  const builtin = new Set(['http', 'fs', 'path', 'module', 'url', 'worker_threads']);
  const missing = [...names].filter((name) => !builtin.has(name) && !wanted.includes(`node_modules/${name}`));
  expect(missing).toEqual([]);
});

test('what only the build needs is not', () => {
  for (const name of [
    'assemblyscript',
    'binaryen',
    'esbuild',
    'react-dom',
    'redoc',
    'jest',
    'typescript',
    'oxlint',
  ])
    expect(wanted).not.toContain(`node_modules/${name}`);
});

describe.each(['x64', 'arm64'])('for linux %s with glibc', (cpu) => {
  const fits = ({ os: systems, cpu: cpus, libc }: Entry): boolean =>
    (systems?.includes('linux') ?? true) &&
    (cpus?.includes(cpu) ?? true) &&
    (libc?.includes('glibc') ?? true);

  test('each package that has native code in packages of their own names one', () => {
    const native = wanted
      .filter((name) => fits(lock.packages[name] ?? {}))
      .flatMap((name) => {
        const variants = Object.keys(lock.packages[name]?.optionalDependencies ?? {}).filter((variant) => {
          const entry = lock.packages[`node_modules/${variant}`];
          return entry?.cpu !== undefined;
        });
        return variants.length === 0 ? [] : [{ name, variants }];
      });
    expect(native.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['node_modules/libsql', 'node_modules/sharp', 'node_modules/@swc/core']),
    );
    for (const { name, variants } of native) {
      const own = variants.filter((variant) => fits(lock.packages[`node_modules/${variant}`] ?? {}));
      expect([name, own.length > 0]).toEqual([name, true]);
    }
  });

  test('each package that holds the native code of all platforms has it', () => {
    const folders = [
      `node_modules/onnxruntime-node/bin/napi-v6/linux/${cpu}`,
      `node_modules/@temporalio/core-bridge/releases/${cpu === 'x64' ? 'x86_64' : 'aarch64'}-unknown-linux-gnu`,
    ];
    for (const folder of folders) {
      const files = fs.readdirSync(path.join(repository, folder));
      expect([folder, files.some((file) => file.endsWith('.node'))]).toEqual([folder, true]);
    }
  });
});

describe('keeping them', () => {
  const root = folderForEach();

  const packages: Record<string, Entry> = {
    '': { dependencies: { esbuild: '1' }, optionalDependencies: {} },
    app: { version: '1', dependencies: { a: '1', '@steadyhand/web': '1' } },
    web: { version: '1', dependencies: { react: '1' } },
    'node_modules/@steadyhand/app': { link: true },
    'node_modules/@steadyhand/web': { link: true },
    'node_modules/react': { version: '1' },
    'node_modules/a': {
      version: '1',
      dependencies: { b: '2' },
      optionalDependencies: { 'a-arm': '1', 'a-x64': '1' },
    },
    'node_modules/a/node_modules/b': { version: '2', dependencies: { c: '1' } },
    'node_modules/a-arm': { version: '1', optional: true, os: ['linux'], cpu: ['arm64'] },
    'node_modules/a-x64': { version: '1', optional: true, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
    'node_modules/b': { version: '1' },
    'node_modules/c': { version: '1' },
    'node_modules/esbuild': { version: '1', dependencies: { d: '1' } },
    'node_modules/esbuild/node_modules/c': { version: '9' },
    'node_modules/d': { version: '1' },
  };
  const NATIVE = [
    'onnxruntime-node/bin/napi-v6/linux/x64',
    'onnxruntime-node/bin/napi-v6/linux/arm64',
    'onnxruntime-node/bin/napi-v6/win32/x64',
    '@temporalio/core-bridge/releases/x86_64-unknown-linux-gnu',
    '@temporalio/core-bridge/releases/aarch64-unknown-linux-gnu',
  ];

  function install(without: string[] = []): void {
    const installed = Object.fromEntries(
      Object.entries(packages).filter(([name]) => name !== '' && !without.includes(name)),
    );
    for (const name of [...Object.keys(installed), ...NATIVE.map((folder) => `node_modules/${folder}`)]) {
      fs.mkdirSync(path.join(root(), name), { recursive: true });
      fs.writeFileSync(path.join(root(), name, 'file'), '');
    }
    const write = (name: string, value: object): void =>
      fs.writeFileSync(path.join(root(), name), JSON.stringify({ packages: value }));
    write('package-lock.json', packages);
    write('node_modules/.package-lock.json', installed);
  }

  const keep = (cpu: string): { error?: string } =>
    evaluate(`lib.keepRuntimePackages(${JSON.stringify(root())}, '${cpu}') ?? null`);
  const left = (): string[] =>
    fs
      .readdirSync(path.join(root(), 'node_modules'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('/file'))
      .map((name) => path.dirname(name))
      .toSorted();

  test('leaves what is needed, nested packages and one platform of the native code', () => {
    install();
    expect(keep('x64').error).toBeUndefined();
    expect(left()).toEqual([
      '@temporalio/core-bridge/releases/x86_64-unknown-linux-gnu',
      'a',
      'a-arm',
      'a-x64',
      'a/node_modules/b',
      'c',
      'onnxruntime-node/bin/napi-v6/linux/x64',
    ]);
    expect(fs.existsSync(path.join(root(), 'node_modules/.package-lock.json'))).toBe(false);
  });

  test("does not need another platform's packages, and says when its own is missing", () => {
    install(['node_modules/a-arm', 'node_modules/esbuild']);
    expect(keep('x64').error).toBeUndefined();
    install(['node_modules/a-arm']);
    expect(keep('arm64').error).toContain(
      'node_modules is not what the lockfile says: node_modules/a-arm is missing',
    );
  });
});
