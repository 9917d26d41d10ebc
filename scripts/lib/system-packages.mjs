import fs from 'node:fs';
import path from 'node:path';
import { onPath, runCommand } from './command.mjs';
import { say, since } from './progress.mjs';
import { writeWhole } from './stamps.mjs';

/**
 * The Debian packages that sandboxes use. There is no desktop without the `required` ones; the others are the programs that an
 * agent finds on it, and a browser. A package is present when its program or file is.
 * @type {readonly { readonly name: string, readonly program?: string, readonly file?: string, readonly required?: boolean }[]}
 */
export const SYSTEM_PACKAGES = [
  { name: 'xvfb', program: 'Xvfb', required: true },
  { name: 'openbox', program: 'openbox', required: true },
  { name: 'xdotool', program: 'xdotool', required: true },
  { name: 'bubblewrap', program: 'bwrap', required: true },
  { name: 'fonts-dejavu-core', file: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf' },
  // These small fonts cover the most: Chinese, Japanese and Korean in 2 MB, colour emoji in 10, other scripts in 3.
  {
    name: 'fonts-droid-fallback',
    file: '/usr/share/fonts-droid-fallback/truetype/DroidSansFallback.ttf',
  },
  {
    name: 'fonts-noto-color-emoji',
    file: '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf',
  },
  { name: 'fonts-freefont-ttf', file: '/usr/share/fonts/truetype/freefont/FreeSans.ttf' },
  { name: 'tint2', program: 'tint2' },
  { name: 'python3-pip', file: '/usr/bin/pip3' },
  { name: 'xdg-utils', program: 'xdg-open' },
  { name: 'x11-utils', program: 'xprop' },
  { name: 'xterm', program: 'xterm' },
  { name: 'mousepad', program: 'mousepad' },
  { name: 'pcmanfm', program: 'pcmanfm' },
  { name: 'x11vnc', program: 'x11vnc' },
  { name: 'chromium', program: 'chromium' },
];

/**
 * What only the tests use, and do without: a browser without a desktop's parts, which starts in a third of the time of the whole
 * one (not every release of Debian has it), and a database server, of which the tests start private ones.
 * @type {readonly { readonly name: string, readonly isThere: () => boolean }[]}
 */
export const TEST_PACKAGES = [
  { name: 'chromium-headless-shell', isThere: () => onPath('chromium-headless-shell') },
  { name: 'postgresql', isThere: hasPostgres },
];

/** Debian makes a database of its own with the server and starts it, unless a file like this one says otherwise. */
const NO_CLUSTER = '/etc/postgresql-common/createcluster.d/steadyhand-tests.conf';

const RETRY_AFTER_MS = 60 * 60_000;

export function missingSystemPackages() {
  return SYSTEM_PACKAGES.filter(({ program, file = '' }) =>
    program === undefined ? !fs.existsSync(file) : !onPath(program),
  );
}

/**
 * Installs the Debian packages that are missing, where it may: on a system with apt-get, as root or with a
 * passwordless sudo, and not with `SYSTEM_PACKAGES=skip`. Otherwise it prints the exact command. It never fails the start,
 * because the product runs without a desktop and says so in `/health`.
 * @param {string} root
 */
export async function ensureSystemPackages(root) {
  if (process.platform !== 'linux') return;
  const missing = missingSystemPackages();
  if (missing.length === 0) return;
  await installMissing(root, missing);
}

/**
 * Installs what only the tests use, where it may. They do without, so a failure is told and not tried again for an hour.
 * @param {string} root
 */
export async function ensureTestPackages(root) {
  if (process.platform !== 'linux' || process.env.SYSTEM_PACKAGES === 'skip') return;
  const names = TEST_PACKAGES.filter(({ isThere }) => !isThere()).map(({ name }) => name);
  if (names.length === 0) return;
  const elevated = await elevation();
  const attempt = path.join(root, 'dist/.stamps/test-packages-refused.json');
  if (elevated === undefined || wasRefused(attempt, names)) return;
  say(`installing packages for the tests: ${names.join(' ')}`);
  /** @type {string[]} */
  const installed = [];
  // One after the other, because a release of Debian that lacks one of them may have the next.
  for (const [place, name] of names.entries()) {
    if (await withoutCluster(elevated, name, () => aptInstall(elevated, [name], place === 0)))
      installed.push(name);
  }
  if (installed.length < names.length)
    writeWhole(attempt, JSON.stringify(names.filter((name) => !installed.includes(name))));
}

function hasPostgres() {
  const versions = '/usr/lib/postgresql';
  return (
    fs.existsSync(versions) &&
    fs.readdirSync(versions).some((version) => fs.existsSync(path.join(versions, version, 'bin/initdb')))
  );
}

/**
 * Keeps the installation of `postgresql` from making and starting a database.
 * @param {readonly string[]} elevated
 * @param {string} name
 * @param {() => Promise<boolean>} install
 */
async function withoutCluster(elevated, name, install) {
  if (name !== 'postgresql') return install();
  const asRoot = async (/** @type {string} */ script) => {
    const [program, ...args] = [...elevated, 'sh', '-c', script, 'sh', NO_CLUSTER];
    return (await runCommand(program, args, { capture: true })).code === 0;
  };
  const isForbidden = await asRoot('mkdir -p "$(dirname "$1")" && echo "create_main_cluster = false" > "$1"');
  if (!isForbidden) return false;
  try {
    return await install();
  } finally {
    await asRoot('rm -f "$1"');
  }
}

/** @type {(root: string, missing: readonly { readonly name: string, readonly required?: boolean }[]) => Promise<void>} */
async function installMissing(root, missing) {
  const names = missing.map(({ name }) => name);
  const needsDesktop = missing.some(({ required }) => required);
  const without = needsDesktop ? 'starting without the desktop' : 'the desktop works without';
  const command = `apt-get update && apt-get install -y --no-install-recommends ${names.join(' ')}`;

  if (process.env.SYSTEM_PACKAGES === 'skip') {
    say(`system packages missing, installation switched off (${without}): ${names.join(' ')}`);
    return;
  }
  const elevated = await elevation();
  if (elevated === undefined) {
    say(`system packages missing (${without}). To install them: ${command}`);
    return;
  }
  // Packages that could not be installed a moment ago are not tried at every start: without a network that takes minutes.
  const attempt = path.join(root, 'dist/.stamps/system-packages-refused.json');
  if (wasRefused(attempt, names)) {
    if (needsDesktop) say(`system packages missing (${without}). To install them: ${command}`);
    return;
  }

  const start = performance.now();
  say(`installing system packages: ${names.join(' ')}`);
  const required = missing.filter((entry) => entry.required).map(({ name }) => name);
  const installed =
    (await aptInstall(elevated, names, true)) ||
    (required.length > 0 && required.length < names.length && (await aptInstall(elevated, required, false)));
  const still = missingSystemPackages().map(({ name }) => name);
  if (still.length === 0) {
    say(`system packages installed in ${since(start)}`);
    return;
  }
  writeWhole(attempt, JSON.stringify(still));
  say(`system packages still missing${installed ? '' : ' (apt-get failed)'}: ${still.join(' ')}`);
  say(`to install them: ${command}`);
}

/** The words before `apt-get`: none for root, `sudo -n` where that works, `undefined` where neither is possible. */
async function elevation() {
  if (!onPath('apt-get')) return undefined;
  if (process.getuid?.() === 0) return [];
  if (!onPath('sudo')) return undefined;
  const { code } = await runCommand('sudo', ['-n', 'true'], { capture: true });
  return code === 0 ? ['sudo', '-n'] : undefined;
}

/** @type {(elevated: readonly string[], names: readonly string[], update: boolean) => Promise<boolean>} */
async function aptInstall(elevated, names, update) {
  const run = (/** @type {string[]} */ ...args) => {
    const [program, ...rest] = [...elevated, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q'];
    return runCommand(program, [...rest, ...args], { capture: true });
  };
  const apt = async (/** @type {string[]} */ ...args) => {
    const { code, output } = await run(...args);
    if (code !== 0) say(`apt-get ${args[0]}: ${output.trim().split('\n').slice(-3).join(' / ')}`);
    return code === 0;
  };
  // A failed update (perhaps one repository of many is out of reach) does not matter: the installation decides.
  if (update) await apt('update');
  // A browser is a large download, so its size, as apt gives it, is printed before the wait.
  const { output } = await run('install', '--assume-no', '--no-install-recommends', ...names);
  const size = /Need to get (.+?) of archives/.exec(output)?.[1];
  if (size !== undefined) say(`  to download: ${size.split('/')[0]}`);
  return apt('install', '-y', '--no-install-recommends', ...names);
}

/** @type {(attempt: string, names: readonly string[]) => boolean} */
function wasRefused(attempt, names) {
  try {
    const age = Date.now() - fs.statSync(attempt).mtimeMs;
    return age < RETRY_AFTER_MS && fs.readFileSync(attempt, 'utf8') === JSON.stringify(names);
  } catch {
    return false;
  }
}
