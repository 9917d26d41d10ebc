/**
 * `node scripts/release.mjs <version> [--write]`: makes a release. Without `--write` it changes nothing and prints what it would do. With it, the version and the changelogs are written and committed, the
 * commit is tagged, and the tarballs lie in dist/packages. What leaves this machine (pushing, publishing, the images) is
 * printed as commands, never run.
 */
import './lib/node-version.mjs';
import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from './lib/command.mjs';
import { packPackages } from './lib/pack.mjs';
import { manifests } from './lib/packages.mjs';
import { BootstrapError, runMain } from './lib/progress.mjs';
import { changelogFiles, releasedChangelog, withVersion } from './lib/release.mjs';
import { root } from './lib/root.mjs';

await runMain(async () => {
  const [version = '', ...flags] = process.argv.slice(2);
  const write = flags.includes('--write');
  if (!/^\d+\.\d+\.\d+(?:-[0-9a-z.-]+)?$/i.test(version) || flags.some((flag) => flag !== '--write'))
    throw new BootstrapError('usage: node scripts/release.mjs <version, e.g. 1.2.3> [--write]');
  const dirty = await git('status', '--porcelain');
  if (write && dirty !== '') throw new BootstrapError(`There are uncommitted changes:\n${dirty}`);
  if ((await git('tag', '--list', `v${version}`)) !== '')
    throw new BootstrapError(`There is a tag v${version} already.`);

  const date = new Date().toISOString().slice(0, 10);
  /** @type {Map<string, string>} */
  const changes = new Map();
  for (const [folder, manifest] of manifests(root))
    changes.set(path.join(folder, 'package.json'), withVersion(manifest, version));
  for (const file of changelogFiles(root))
    changes.set(file, releasedChangelog(fs.readFileSync(path.join(root, file), 'utf8'), version, date));
  for (const [file, text] of changes) {
    console.log(`${write ? 'writes' : 'would write'} ${file}`);
    if (write) fs.writeFileSync(path.join(root, file), text);
  }

  const names = [...manifests(root)].filter(([, manifest]) => manifest.private !== true);
  const tarballs = names.map(([name]) => `steadyhand-${name}-${version}.tgz`);
  if (write) {
    await run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']);
    const folder = path.join(root, 'dist/packages');
    fs.rmSync(folder, { recursive: true, force: true });
    await packPackages(root, folder);
    await git('commit', '--all', '--message', `Release ${version}`);
    await git('tag', '--annotate', `v${version}`, '--message', `Steadyhand ${version}`);
  }
  for (const file of tarballs) console.log(`${write ? 'packed' : 'would pack'} dist/packages/${file}`);

  const [major, minor] = version.split('.');
  const tags = version.includes('-') ? [version] : [version, `${major}.${minor}`, 'latest'];
  console.log(`\n${write ? 'To publish it' : 'Afterwards it would print'}:`);
  console.log('  git push --follow-tags');
  for (const file of tarballs) console.log(`  npm publish --access public dist/packages/${file}`);
  for (const [image, dockerfile] of [
    ['steadyhand', 'Dockerfile'],
    ['steadyhand-sandbox', 'sandbox/image/Dockerfile'],
  ]) {
    const named = tags.map((tag) => `--tag ${image}:${tag}`).join(' ');
    console.log(
      `  docker buildx build --platform linux/amd64,linux/arm64 ${named} --file ${dockerfile} --push .`,
    );
  }
});

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
async function run(program, args) {
  const { code, output } = await runCommand(program, args, { cwd: root, capture: true });
  if (code !== 0) throw new BootstrapError(`${program} ${args.join(' ')} failed:\n${output.trimEnd()}`);
  return output.trim();
}

/** @param {readonly string[]} args */
function git(...args) {
  return run('git', args);
}
