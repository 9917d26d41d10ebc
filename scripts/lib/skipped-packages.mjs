import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCommand } from './command.mjs';
import { BootstrapError } from './progress.mjs';

/** @typedef {import('./npm-packages.mjs').LockEntry} LockEntry */
/** @typedef {import('./npm-packages.mjs').LockPackages} LockPackages */

/**
 * Adds the prebuilt binaries for this platform that npm left out because their packages name a newer Node than this one.
 * npm skips such packages without a message, because they are optional; the binaries themselves run on every Node that
 * Steadyhand supports, which its tests show.
 * @param {string} root
 * @param {LockPackages} wanted
 */
export async function addSkippedPackages(root, wanted) {
  const skipped = skippedPackages(root, wanted);
  if (skipped.length === 0) return;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steadyhand-packages-'));
  try {
    for (const [name, entry] of skipped) {
      const spec = `${name.slice(name.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${entry.version}`;
      const { code, output } = await runCommand(
        'npm',
        ['pack', '--json', '--pack-destination', folder, spec],
        {
          cwd: root,
          capture: true,
        },
      );
      if (code !== 0) throw new BootstrapError(`npm pack ${spec} failed: ${output.trim()}`);
      const [archive = ''] = fs.readdirSync(folder);
      const bytes = fs.readFileSync(path.join(folder, archive));
      if (entry.integrity !== `sha512-${createHash('sha512').update(bytes).digest('base64')}`)
        throw new BootstrapError(`${spec} has another content than the lockfile says.`);
      const target = path.join(root, name);
      fs.mkdirSync(target, { recursive: true });
      const unpacked = await runCommand('tar', [
        '-xzf',
        path.join(folder, archive),
        '-C',
        target,
        '--strip-components=1',
      ]);
      if (unpacked.code !== 0) throw new BootstrapError(`${archive} cannot be unpacked.`);
      fs.rmSync(path.join(folder, archive));
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The packages of the lockfile that hold binaries for this platform, ask for certain versions of Node and are not installed
 * under `root`, as pairs of path and entry.
 * @param {string} root
 * @param {LockPackages} wanted
 */
export function skippedPackages(root, wanted) {
  return Object.entries(wanted).filter(
    ([name, entry]) =>
      entry.optional &&
      entry.engines?.node &&
      isForThisPlatform(entry) &&
      !fs.existsSync(path.join(root, name)),
  );
}

/** @param {LockEntry} entry */
function isForThisPlatform({ os: systems, cpu, libc }) {
  if (systems === undefined || cpu === undefined) return false;
  if (!systems.includes(process.platform) || !cpu.includes(process.arch)) return false;
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  const own = header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return libc === undefined || libc.includes(own);
}
