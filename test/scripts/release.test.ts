import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import path from 'node:path';

/** The scripts are plain ESM and are driven as people drive them: by node. */

const ROOT = path.resolve(__dirname, '../..');
const lib = pathToFileURL(path.join(ROOT, 'scripts/lib/release.mjs')).href;

function evaluate(expression: string): string {
  const code = `import * as lib from ${JSON.stringify(lib)};
    try { process.stdout.write(String(${expression})); } catch (error) { process.stdout.write('Error: ' + error.message); }`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout;
}
const released = (text: string): string =>
  evaluate(`lib.releasedChangelog(${JSON.stringify(text)}, '0.2.0', '2026-11-23')`);

test('what was not released stands under the version, above older ones', () => {
  expect(released('# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-23)\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n',
  );
});

test('a package without changes says so, and a changelog without its heading is refused', () => {
  expect(released('# Changelog\n\n## Unreleased\n')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-23)\n\n- No changes.\n',
  );
  expect(released('# Changelog\n')).toBe('Error: A changelog needs one heading "## Unreleased".');
});

test('a manifest and what it names of the others get the version, libraries keep theirs', () => {
  const manifest = { name: 'a', version: '0.1.0', dependencies: { '@steadyhand/b': '0.1.0', zod: '^4.0.0' } };
  expect(JSON.parse(evaluate(`lib.withVersion(${JSON.stringify(manifest)}, '0.2.0')`))).toEqual({
    name: 'a',
    version: '0.2.0',
    dependencies: { '@steadyhand/b': '0.2.0', zod: '^4.0.0' },
  });
});

test('without --write nothing is changed, and what would be done is told', () => {
  const state = (): string =>
    spawnSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }).stdout;
  const before = state();
  const { stdout, status } = spawnSync(process.execPath, ['scripts/release.mjs', '99.0.0-test.1'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stdout).toContain('would write engine/package.json\n');
  expect(stdout).toContain('would write CHANGELOG.md\n');
  expect(stdout).toContain('would pack dist/packages/steadyhand-engine-99.0.0-test.1.tgz');
  expect(stdout).toContain('--tag steadyhand:99.0.0-test.1 --file Dockerfile');
  expect(state()).toBe(before);
});
