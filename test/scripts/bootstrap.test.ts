import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { folderForEach } from '../support/temporary-folder.ts';

/** The bootstrap is plain ESM that must run before any package exists, so it is driven as people drive it: by node. */

const lib = path.resolve(__dirname, '../../scripts/lib');
const root = folderForEach();

function write(name: string, content: string): void {
  const file = path.join(root(), name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}

/** Runs a piece of ESM with the named module's exports in scope as `lib`; answers with what it prints as JSON. */
function evaluate(module: string, expression: string, env: NodeJS.ProcessEnv = {}): unknown {
  const code = `import * as lib from ${JSON.stringify(path.join(lib, module))};
    const root = ${JSON.stringify(root())};
    process.stdout.write(JSON.stringify({ value: await (${expression}) }));`;
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return (JSON.parse(run.stdout) as { value?: unknown }).value;
}

describe('stamps', () => {
  const stale = (): unknown => evaluate('stamps.mjs', `lib.staleReason(root + '/stamp.json', root)`);

  beforeEach(() => {
    write('a.ts', 'one');
    write('out.mjs', 'built');
    evaluate('stamps.mjs', `lib.writeStamp(root + '/stamp.json', root, ['a.ts', 'a.ts'], ['out.mjs'])`);
  });

  test('what nobody touched is current', () => {
    expect(stale()).toBeUndefined();
  });

  test('a new time with the same content is current, and is remembered', () => {
    fs.utimesSync(path.join(root(), 'a.ts'), 1, 1);
    expect(stale()).toBeUndefined();
    expect(fs.readFileSync(path.join(root(), 'stamp.json'), 'utf8')).toContain('"mtimeMs":1000,');
  });

  test('other content of the same length is stale', () => {
    write('a.ts', 'two');
    expect(stale()).toBe('a.ts changed');
  });

  test('a deleted input or output is stale', () => {
    fs.rmSync(path.join(root(), 'a.ts'));
    expect(stale()).toBe('a.ts is gone');
    write('a.ts', 'one');
    fs.rmSync(path.join(root(), 'out.mjs'));
    expect(stale()).toBe('out.mjs is missing or was changed');
  });

  test('no stamp, or half of one, is stale', () => {
    write('stamp.json', '{"inputs":');
    expect(stale()).toBe('never built');
  });
});

describe('npm packages', () => {
  const lock = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages });
  const difference = (): unknown => evaluate('npm-packages.mjs', 'lib.packageDifference(root)');

  test('installed packages equal the lockfile, but for other platforms', () => {
    const one = { version: '1.0.0', integrity: 'sha512-a' };
    write(
      'package-lock.json',
      lock({ '': {}, 'node_modules/a': one, 'node_modules/a-win32': { ...one, optional: true } }),
    );
    write('node_modules/.package-lock.json', lock({ 'node_modules/a': one }));
    expect(difference()).toBeUndefined();
  });

  test('another version, another content and a missing package are named', () => {
    write('package-lock.json', lock({ 'node_modules/a': { version: '1.1.0', integrity: 'sha512-b' } }));
    expect(difference()).toBe('nothing is installed');
    write('node_modules/.package-lock.json', lock({}));
    expect(difference()).toBe('node_modules/a is missing');
    write(
      'node_modules/.package-lock.json',
      lock({ 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } }),
    );
    expect(difference()).toBe('node_modules/a is 1.0.0 instead of 1.1.0');
    write(
      'node_modules/.package-lock.json',
      lock({ 'node_modules/a': { version: '1.1.0', integrity: 'sha512-x' } }),
    );
    expect(difference()).toBe('node_modules/a has another content than the lockfile says');
  });
});

describe('binaries that npm leaves out because they ask for a newer Node', () => {
  const here = { os: [process.platform], cpu: [process.arch], optional: true, engines: { node: '>=99' } };
  const skipped = (wanted: object): unknown =>
    evaluate(
      'skipped-packages.mjs',
      `lib.skippedPackages(root, ${JSON.stringify(wanted)}).map(([name]) => name)`,
    );

  test('those for this platform are found, those for others and those that are there are not', () => {
    const wanted = {
      '': {},
      'node_modules/one': here,
      'node_modules/present': here,
      'node_modules/other-system': { ...here, os: ['none'] },
      'node_modules/other-processor': { ...here, cpu: ['none'] },
      'node_modules/other-libc': { ...here, libc: ['none'] },
      'node_modules/without-platform': { optional: true, engines: { node: '>=99' } },
    };
    write('node_modules/present/package.json', '{}');
    expect(skipped(wanted)).toEqual(['node_modules/one']);
  });
});

// Debian's packages matter on Linux alone; elsewhere the bootstrap leaves them be.
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('system packages', () => {
  test('a program that is not on PATH is missing, and being told to skip is obeyed without a question', () => {
    const run = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import * as lib from ${JSON.stringify(path.join(lib, 'system-packages.mjs'))};
         await lib.ensureSystemPackages(${JSON.stringify(root())});`,
      ],
      { encoding: 'utf8', env: { PATH: root(), SYSTEM_PACKAGES: 'skip' } },
    );
    expect(run.status).toBe(0);
    expect(run.stderr).toMatch(/installation switched off \(starting without the desktop\): xvfb openbox/);
  });

  test('what apt-get could not get is not asked for again at the next start', () => {
    // An apt-get that fails and counts its calls, run as root or through a sudo that only passes on.
    for (const [name, script] of [
      ['apt-get', `#!/bin/sh\necho "$@" >> "${root()}/calls"; echo "no network" >&2; exit 100\n`],
      ['sudo', '#!/bin/sh\nshift; exec "$@"\n'],
    ] as const) {
      write(name, script);
      fs.chmodSync(path.join(root(), name), 0o755);
    }
    fs.symlinkSync('/usr/bin/env', path.join(root(), 'env'));
    fs.symlinkSync('/bin/sh', path.join(root(), 'sh'));
    fs.symlinkSync('/usr/bin/true', path.join(root(), 'true'));
    const start = (): string =>
      spawnSync(
        process.execPath,
        [
          '--input-type=module',
          '--eval',
          `import * as lib from ${JSON.stringify(path.join(lib, 'system-packages.mjs'))};
           await lib.ensureSystemPackages(${JSON.stringify(root())});`,
        ],
        { encoding: 'utf8', env: { PATH: root() } },
      ).stderr;
    const first = start();
    expect(first).toMatch(/installing system packages: xvfb/);
    expect(first).toMatch(/still missing \(apt-get failed\): xvfb openbox/);
    const calls = fs.readFileSync(path.join(root(), 'calls'), 'utf8');
    expect(calls.split('\n')[0]).toBe('-q update');
    expect(calls).toContain('-q install -y --no-install-recommends xvfb openbox xdotool bubblewrap');
    expect(start()).toMatch(/system packages missing \(starting without the desktop\)/);
    expect(fs.readFileSync(path.join(root(), 'calls'), 'utf8')).toBe(calls);
  });

  test('where it may not install, it prints the exact command and goes on', () => {
    const run = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import * as lib from ${JSON.stringify(path.join(lib, 'system-packages.mjs'))};
         await lib.ensureSystemPackages(${JSON.stringify(root())});`,
      ],
      { encoding: 'utf8', env: { PATH: root() } },
    );
    expect(run.status).toBe(0);
    expect(run.stderr).toMatch(/apt-get install -y --no-install-recommends xvfb openbox xdotool bubblewrap/);
  });
});

describe('the tally', () => {
  const count = (results: object, jest: object): unknown =>
    evaluate('tally.mjs', `lib.summaryLine(lib.tally(${JSON.stringify(results)}, ${JSON.stringify(jest)}))`);
  const report = {
    numPassedTests: 5,
    numFailedTests: 0,
    numRuntimeErrorTestSuites: 0,
    numPendingTests: 1,
    numTodoTests: 0,
  };

  test('static checks count as tests', () => {
    expect(
      count(
        [
          { name: 'types', passed: true },
          { name: 'lint', passed: false },
        ],
        { code: 0, report },
      ),
    ).toBe('6 passed, 1 failed, 1 skipped');
  });

  test('a file that did not run, a jest that died and a jest that failed silently are failures', () => {
    expect(count([], { code: 1, report: { ...report, numRuntimeErrorTestSuites: 1 } })).toBe(
      '5 passed, 1 failed, 1 skipped',
    );
    expect(count([], { code: 128 })).toBe('0 passed, 1 failed, 0 skipped');
    expect(count([], { code: 1, report })).toBe('5 passed, 1 failed, 1 skipped');
  });
});
