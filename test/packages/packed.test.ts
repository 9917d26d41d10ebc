import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEngine } from '../../engine/index.ts';
import { manifest } from '../support/bundling.ts';

/** The packages that stand by themselves, as people get them: packed, installed in an empty project, used by their READMEs. */

const ROOT = path.resolve(__dirname, '../..');
const run = promisify(execFile);
const NAMES = (manifest().workspaces ?? []).filter((folder) => manifest(folder).private !== true);

/** On an older Node npm leaves out the binaries of sharp, which inference and sandbox need; their manifests say so. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const describeWithSharp = major > 20 || (major === 20 && minor >= 9) ? describe : describe.skip;

let project: string;

beforeAll(async () => {
  project = mkdtempSync(path.join(tmpdir(), 'packed-'));
  const tarballs = path.join(project, 'tarballs');
  const { stdout } = await run(process.execPath, [path.join(ROOT, 'scripts/pack.mjs'), tarballs]);
  const files = stdout.trim().split('\n');
  if (files.length !== NAMES.length) throw new Error(`packed ${files.join(', ')}`);
  const { '@temporalio/worker': worker = '' } = manifest('app').dependencies ?? {};
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
  copyFileSync(path.join(ROOT, '.npmrc'), path.join(project, '.npmrc'));
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...options, ...files, `@temporalio/worker@${worker}`], { cwd: project });
}, 600_000);

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

/** The JavaScript examples of a package's README, in order. */
function examples(name: string): readonly string[] {
  const text = readFileSync(path.join(project, 'node_modules/@steadyhand', name, 'README.md'), 'utf8');
  return [...text.matchAll(/```js\n([^]*?)```/g)].map(([, code = '']) => code);
}

/** Runs the first example of a package's README in a folder of its own; answers what it prints. */
async function runExample(name: string, env: NodeJS.ProcessEnv = {}, at = 0): Promise<string> {
  const folder = path.join(project, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'main.mjs'), examples(name)[at] ?? '');
  const { stdout } = await run(process.execPath, ['main.mjs'], {
    cwd: folder,
    env: { ...process.env, ...env },
    timeout: 110_000,
  });
  return stdout;
}

test('each has a README, a changelog, a licence and a version, and none leads to sources', () => {
  for (const name of NAMES) {
    const folder = path.join(project, 'node_modules/@steadyhand', name);
    const installed = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(installed.version).toMatch(/^\d+\.\d+\.\d+/);
    for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE'])
      expect(readFileSync(path.join(folder, file), 'utf8')).not.toBe('');
    expect(readFileSync(path.join(folder, 'package.json'), 'utf8')).not.toContain('@steadyhand/source');
    expect(examples(name)[0]?.trim().split('\n').length).toBeLessThanOrEqual(16);
  }
});

test('contracts', async () => {
  const printed = await runExample('contracts');
  expect(printed).toContain('overloaded_error 529 true');
  expect(printed).toMatch(/false\n$/);
});

test('engine', async () => {
  expect(await runExample('engine')).toBe('RUNNING\n');
});

test('messages', async () => {
  expect(await runExample('messages')).toContain('Hello.');
});

describeWithSharp('on a Node that sharp supports', () => {
  test('inference reads text', async () => {
    mkdirSync(path.join(project, 'inference'), { recursive: true });
    copyFileSync(
      path.join(ROOT, 'test/app/screens/find-and-replace.png'),
      path.join(project, 'inference/screen.png'),
    );
    expect(await runExample('inference')).toMatch(/^(?:[01]\.\d\d \S.*\n)+$/);
  });

  test('sandbox performs an action', async () => {
    expect(await runExample('sandbox')).toBe('done hello\n');
    const picture = readFileSync(path.join(project, 'sandbox/screen.png'));
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
  });
});

test('statechart runs a machine on a worker', async () => {
  const engine = await startEngine({
    kind: 'embedded',
    dataDir: path.join(project, 'data'),
    port: 0,
    access: 'open',
  });
  try {
    const folder = path.join(project, 'statechart');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'workflows.mjs'), examples('statechart')[0] ?? '');
    const printed = await runExample('statechart', { TEMPORAL_ADDRESS: engine.address }, 1);
    expect(printed).toMatch(/value: '(?:green|yellow)'/);
  } finally {
    await engine.stop();
  }
});

test('the declarations compile in a project of its own', async () => {
  const lines = NAMES.flatMap((name) =>
    Object.keys(manifest(name).exports ?? {}).map(
      (door, at) => `export * as ${name}${at} from '@steadyhand/${name}${door.slice(1)}';`,
    ),
  );
  writeFileSync(path.join(project, 'all.ts'), lines.join('\n'));
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['all.ts'] }));
  const compiler = path.join(ROOT, 'node_modules/typescript/lib/tsc.js');
  const { stdout } = await run(process.execPath, [compiler, '-p', project, '--pretty', 'false']).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});
