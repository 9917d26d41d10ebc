import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '../engine/until.ts';
import { manifest } from '../support/bundling.ts';
import { isThorough } from '../support/sampled.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The packages that stand by themselves, as people get them: packed, installed in an empty project, used by their READMEs. */

const ROOT = path.resolve(__dirname, '../..');
const run = promisify(execFile);
const NAMES = (manifest().workspaces ?? []).filter((folder) => manifest(folder).private !== true);

/** On an older Node npm leaves out the binaries of sharp, which inference and sandbox need; their manifests say so. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const describeWithSharp = major > 20 || (major === 20 && minor >= 9) ? describe : describe.skip;

const project = temporaryFolder();

/** A file that is there once `npm test` has checked the types: declarations are written by one at a time. */
const { STEADYHAND_TEST_TYPES: types } = process.env;

/** Certificate authorities that the registry may need, which the processes of other tests are spared. */
const { STEADYHAND_TEST_AUTHORITIES: authorities } = process.env;

beforeAll(async () => {
  if (types !== undefined) await until(() => existsSync(types), 500_000);
  const tarballs = path.join(project, 'tarballs');
  const { stdout } = await run(process.execPath, [path.join(ROOT, 'scripts/pack.mjs'), tarballs]);
  const files = stdout.trim().split('\n');
  if (files.length !== NAMES.length) throw new Error(`packed ${files.join(', ')}`);
  const { '@temporalio/worker': worker = '' } = manifest('app').dependencies ?? {};
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
  copyFileSync(path.join(ROOT, '.npmrc'), path.join(project, '.npmrc'));
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  const temporal = [`@temporalio/worker@${worker}`, `@temporalio/client@${worker}`];
  // A sandbox's daemon sees no folder but its own.
  const { sharp = '' } = manifest('sandbox').dependencies ?? {};
  const wanted = isThorough ? [...files, ...temporal] : [`sharp@${sharp}`];
  await run('npm', ['install', ...options, ...wanted, 'tsx@^4.23.15'], {
    cwd: project,
    env: { ...process.env, ...(authorities !== undefined && { NODE_EXTRA_CA_CERTS: authorities }) },
  });
  if (!isThorough) await place(files);
}, 600_000);

/**
 * Puts the packages where npm would, beside what their manifests name: what they use and do not name is missing. npm itself copies
 * a quarter of a gigabyte for that.
 */
async function place(files: readonly string[]): Promise<void> {
  const modules = path.join(project, 'node_modules');
  const own = path.join(modules, '@steadyhand');
  const others = new Set(['@temporalio/worker', '@temporalio/client', '@types/node']);
  for (const [at, file] of files.entries()) {
    const name = NAMES[at] ?? '';
    const folder = path.join(own, name);
    mkdirSync(folder, { recursive: true });
    await run('tar', ['-xzf', file, '--strip-components=1', '-C', folder]);
    const {
      bin = {},
      dependencies,
      peerDependencies,
    } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Partial<
      Record<'bin' | 'dependencies' | 'peerDependencies', Record<string, string>>
    >;
    for (const other of Object.keys({ ...dependencies, ...peerDependencies })) others.add(other);
    for (const [command, program] of Object.entries(bin)) {
      const target = path.join(folder, program);
      chmodSync(target, 0o755);
      symlinkSync(target, path.join(modules, '.bin', command));
    }
  }
  for (const name of others) {
    const link = path.join(modules, name);
    if (name.startsWith('@steadyhand/') || existsSync(link)) continue;
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules', name), link);
  }
}

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

test('the engine as an executable', async () => {
  const executable = path.join(project, 'node_modules/.bin/steadyhand-temporal');
  const server = spawn(executable, ['server', 'start-dev', '--port', '0', '--log-level', 'never']);
  const [ready] = (await once(server.stdout, 'data')) as [Buffer];
  expect(ready.toString()).toMatch(/^Temporal server: 127\.0\.0\.1:\d+\n$/);
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
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

describe('statechart', () => {
  const installed = (file: string): string =>
    readFileSync(path.join(project, 'node_modules/@steadyhand/statechart', file), 'utf8');
  /** The files that the guide shows, by their names. */
  const guide = (): [name: string, text: string][] =>
    [
      ...readFileSync(path.join(ROOT, 'docs/statechart.md'), 'utf8').matchAll(
        /```ts\n\/\/ (\S+\.ts)\n([^]*?)```/g,
      ),
    ].map(([, name = '', text = '']) => [name, text]);
  const write = (folder: string, files: readonly (readonly [name: string, text: string])[]): string => {
    const at = path.join(project, folder);
    mkdirSync(at, { recursive: true });
    writeFileSync(path.join(at, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    for (const [name, text] of files) writeFileSync(path.join(at, name), text);
    return at;
  };
  const tsx = async (folder: string): Promise<string> => {
    const { TEMPORAL_ADDRESS: _, ...env } = process.env;
    const program = path.join(project, 'node_modules/tsx/dist/cli.mjs');
    const options = { cwd: folder, env, timeout: 110_000 };
    const { stdout } = await run(process.execPath, [program, 'main.ts'], options);
    return stdout;
  };

  test('XState and Temporal are neither bundled nor dependencies; its doors have declarations and share their modules', () => {
    const { dependencies, exports } = JSON.parse(installed('package.json')) as {
      dependencies?: object;
      exports: Record<string, { types: string; default: string }>;
    };
    expect(dependencies).toBeUndefined();
    expect(Object.keys(exports)).toEqual(['./workflow', './client', './check']);
    const modules = readdirSync(path.join(project, 'node_modules/@steadyhand/statechart/dist'), {
      recursive: true,
      encoding: 'utf8',
    }).filter((name) => name.endsWith('.js'));
    for (const { types, default: door } of Object.values(exports)) {
      expect(installed(types)).not.toBe('');
      expect(installed(door)).toMatch(/from "(?:\.\.\/)+shared-\w+\.js"/);
    }
    const imported = modules.flatMap((name) =>
      [...installed(`dist/${name}`).matchAll(/from "((?:@[^"/]+\/)?[^".@/][^"/]*)/g)].map(([, from]) => from),
    );
    const foreign = imported.filter((name) => !name?.startsWith('node:'));
    expect(new Set(foreign)).toEqual(new Set(['@temporalio/common', '@temporalio/workflow', 'xstate']));
    for (const name of ['xstate', '@temporalio/workflow', '@temporalio/common'])
      expect(installed('package.json')).toContain(`"${name}": "^`);
  });

  test('its README’s first example works', async () => {
    const printed = await runExample('statechart');
    expect(printed).toBe("shipped { receipt: 'r1' }\n");
  });

  test('the guide’s three machines run on a worker, as the guide shows them', async () => {
    const files = guide();
    expect(files.map(([name]) => name)).toEqual(['machines.ts', 'workflows.ts', 'main.ts']);
    const printed = await tsx(write('guide', files));
    expect(printed).toContain('1 reserve book\nbook paid\n');
    expect(printed).toContain('1 reserve yacht\n3 release yacht\nyacht the card was declined\n');
    expect(printed).toMatch(/\nplease approve\n/);
    expect(printed).toContain('\napproved by ann\n');
    expect(printed).toMatch(/\ngreen\nyellow\nred\n$/);
  });

  test('a test actor of one door knows the references of the other', async () => {
    const at = write('doors', [
      [
        'main.ts',
        `import { testActor } from '@steadyhand/statechart/client';
         import { workflowRef } from '@steadyhand/statechart/workflow';
         import { createMachine, sendTo } from 'xstate';
         const machine = createMachine({ entry: sendTo(() => workflowRef('order-7'), { type: 'paid' }) });
         console.log(JSON.stringify(testActor(machine).sent));`,
      ],
    ]);
    expect(await tsx(at)).toContain('"workflowId":"order-7"');
  });

  // Two copies of Temporal's packages there are only where npm has copied them.
  const describeCopied = isThorough ? describe : describe.skip;

  describeCopied('installed by npm (STEADYHAND_TEST_ALL=1)', () => {
    test('a folder that is linked is refused with a message that says what to do', async () => {
      const at = write('linked', guide());
      mkdirSync(path.join(at, 'node_modules/@steadyhand'), { recursive: true });
      symlinkSync(path.join(ROOT, 'statechart'), path.join(at, 'node_modules/@steadyhand/statechart'));
      const program = path.join(project, 'node_modules/tsx/dist/cli.mjs');
      const child = spawn(process.execPath, [program, 'main.ts'], {
        cwd: at,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      let told = '';
      for await (const text of child.stderr.setEncoding('utf8')) {
        told += String(text);
        if (told.includes('Two copies of @temporalio/workflow are bundled')) break;
      }
      child.kill('SIGKILL');
      await ended;
      expect(told).toContain('Install the packed package');
    });
  });
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
