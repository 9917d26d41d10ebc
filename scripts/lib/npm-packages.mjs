import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from './command.mjs';
import { BootstrapError, say, since } from './progress.mjs';
import { addSkippedPackages } from './skipped-packages.mjs';
import { staleReason, writeStamp } from './stamps.mjs';

/**
 * An entry of the lockfile.
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {boolean} [dev]
 * @property {string} [license]
 * @property {boolean} [link]
 * @property {{ readonly node?: string }} [engines]
 * @property {readonly string[]} [os]
 * @property {readonly string[]} [cpu]
 * @property {readonly string[]} [libc]
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [optionalDependencies]
 * @property {Readonly<Record<string, string>>} [peerDependencies]
 */
/** @typedef {Readonly<Record<string, LockEntry>>} LockPackages The lockfile's entries by path. */

const STAMP = 'node_modules/.steadyhand.json';

/**
 * Installs npm packages when the lockfile asks for others than those present. Otherwise this takes a few milliseconds.
 *
 * `npm install --no-save` rather than `npm ci`: it changes only what differs, and `npm ci` refuses a lockfile that was
 * written where the registry lacked some other platform's optional binaries. That the result is the lockfile's, to the
 * hash, is checked here instead.
 * @param {string} root
 */
export async function ensureNpmPackages(root) {
  const stamp = path.join(root, STAMP);
  if (staleReason(stamp, root) === undefined) return;
  if (packageDifference(root) !== undefined) {
    const start = performance.now();
    say('installing npm packages');
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const { code } = await runCommand(npm, ['install', '--no-save', '--no-audit', '--no-fund'], {
      cwd: root,
    });
    if (code !== 0) {
      throw new BootstrapError(
        code === 127
          ? 'npm is not on PATH; install it, then start again.'
          : `npm install failed (exit code ${code}); its message is above. Setup needs the npm registry.`,
      );
    }
    const difference = packageDifference(root);
    if (difference !== undefined) throw new BootstrapError(`npm install ended well, yet ${difference}.`);
    say(`npm packages installed in ${since(start)}`);
  }
  await addSkippedPackages(root, readPackages(path.join(root, 'package-lock.json')) ?? {});
  writeStamp(stamp, root, ['package-lock.json'], ['node_modules/.package-lock.json']);
}

/**
 * The first way in which node_modules differs from the lockfile, or `undefined`. npm keeps a lockfile of what it
 * really installed in node_modules; packages for other platforms are missing there and nowhere else.
 * @param {string} root
 * @param {(name: string, entry: LockEntry) => boolean} [isNeeded] whether a package of the lockfile has to be there
 */
export function packageDifference(root, isNeeded = (_name, entry) => entry.optional !== true) {
  const wanted = readPackages(path.join(root, 'package-lock.json'));
  if (wanted === undefined) throw new BootstrapError(`${root} has no package-lock.json.`);
  const installed = readPackages(path.join(root, 'node_modules/.package-lock.json'));
  if (installed === undefined) return 'nothing is installed';
  for (const [name, entry] of Object.entries(wanted)) {
    if (name === '') continue;
    const present = installed[name];
    if (present === undefined) {
      if (isNeeded(name, entry)) return `${name} is missing`;
    } else if (present.version !== entry.version) {
      return `${name} is ${present.version} instead of ${entry.version}`;
    } else if (present.integrity !== entry.integrity) {
      return `${name} has another content than the lockfile says`;
    }
  }
  return undefined;
}

/** @type {(file: string) => LockPackages | undefined} */
function readPackages(file) {
  try {
    return /** @type {{ packages: LockPackages }} */ (JSON.parse(fs.readFileSync(file, 'utf8'))).packages;
  } catch {
    return undefined;
  }
}
