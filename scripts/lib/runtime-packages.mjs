import fs from 'node:fs';
import path from 'node:path';
import { packageDifference } from './npm-packages.mjs';
import { BootstrapError } from './progress.mjs';

/** @typedef {import('./npm-packages.mjs').LockEntry} LockEntry */
/** @typedef {import('./npm-packages.mjs').LockPackages} LockPackages */

/** The package whose libraries only the build needs: it bundles them into static/. */
const BUILT = 'web';

/**
 * The folders of packages with native code for every platform, and the names of the files for one processor in them.
 * @type {readonly { readonly folder: string, readonly own: (platform: { readonly cpu: string }) => readonly string[] }[]}
 */
const NATIVE_FOLDERS = [
  { folder: 'node_modules/onnxruntime-node/bin/napi-v6', own: ({ cpu }) => [`linux/${cpu}`] },
  {
    folder: 'node_modules/@temporalio/core-bridge/releases',
    own: ({ cpu }) => [`${cpu === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-gnu`],
  },
];

/**
 * The packages, as paths in the lockfile, that the built product may load; with `only`, these and the packages that they need.
 * @param {{ readonly packages: LockPackages }} lock
 * @param {readonly string[]} [only]
 */
export function runtimePackages({ packages }, only = []) {
  /** @type {Set<string>} */
  const wanted = new Set();
  const visit = (/** @type {string} */ from) => {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[from] ?? {};
    for (const name of Object.keys({ ...peerDependencies, ...dependencies, ...optionalDependencies })) {
      if (isOwn(from) && only.length > 0 && !only.includes(name)) continue;
      const found = resolve(packages, from, name);
      // This repository's own packages are bundled.
      if (found === undefined || packages[found]?.link || wanted.has(found)) continue;
      wanted.add(found);
      visit(found);
    }
  };
  for (const folder of Object.keys(packages)) if (isOwn(folder) && folder !== BUILT) visit(folder);
  return wanted;
}

/**
 * Whether a path of the lockfile is the folder of one of this repository's packages.
 * @param {string} folder
 */
function isOwn(folder) {
  return folder !== '' && !folder.includes('node_modules/');
}

/**
 * Where Node finds a package, as a path in the lockfile: the nearest node_modules upwards.
 * @type {(packages: LockPackages, from: string, name: string) => string | undefined}
 */
function resolve(packages, from, name) {
  for (let folder = from; ;) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[candidate] !== undefined) return candidate;
    if (folder === '') return undefined;
    const parent = folder.lastIndexOf('/node_modules/');
    folder = parent === -1 ? '' : folder.slice(0, parent);
  }
}

/**
 * Whether a package of the lockfile may be for Linux with glibc and this processor.
 * @param {Pick<LockEntry, 'os' | 'cpu' | 'libc'>} entry
 * @param {string} processor
 */
export function fitsPlatform({ os, cpu, libc }, processor) {
  /** @type {(list: readonly string[] | undefined, wanted: string) => boolean} */
  const isFor = (list, wanted) => list === undefined || list.includes(wanted);
  return isFor(os, 'linux') && isFor(cpu, processor) && isFor(libc, 'glibc');
}

/**
 * Deletes from node_modules what the built product on Linux with this processor (`x64`, `arm64`) does not load.
 * @param {string} root
 * @param {string} cpu
 * @param {readonly string[]} [only]
 * @throws {BootstrapError} when node_modules lacks what the product loads, or holds other versions than the lockfile
 */
export function keepRuntimePackages(root, cpu, only = []) {
  const lock = /** @type {{ packages: LockPackages }} */ (
    JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  );
  const wanted = runtimePackages(lock, only);
  const difference = packageDifference(root, (name, entry) => {
    const isPlatforms = entry.os !== undefined || entry.cpu !== undefined;
    return wanted.has(name) && fitsPlatform(entry, cpu) && (isPlatforms || entry.optional !== true);
  });
  if (difference !== undefined)
    throw new BootstrapError(`node_modules is not what the lockfile says: ${difference}`);
  const remove = (/** @type {string} */ name) =>
    fs.rmSync(path.join(root, name), { recursive: true, force: true });
  for (const name of Object.keys(lock.packages)) {
    // A wanted package may lie inside one that is not.
    const holds = [...wanted].some((other) => other === name || other.startsWith(`${name}/`));
    if (name.includes('node_modules/') && !holds) remove(name);
  }
  for (const name of ['.bin', '.package-lock.json', '.steadyhand.json']) remove(`node_modules/${name}`);
  for (const { folder, own } of NATIVE_FOLDERS) {
    if (!fs.existsSync(path.join(root, folder))) continue;
    const kept = own({ cpu });
    for (const name of leavesOf(path.join(root, folder), kept)) remove(`${folder}/${name}`);
  }
}

/**
 * The entries of a folder that none of the kept paths needs, with whole subfolders where no kept path leads into them.
 * @type {(folder: string, kept: readonly string[]) => string[]}
 */
function leavesOf(folder, kept) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap(({ name }) => {
    if (kept.includes(name)) return [];
    const inside = kept.filter((one) => one.startsWith(`${name}/`)).map((one) => one.slice(name.length + 1));
    if (inside.length === 0) return [name];
    return leavesOf(path.join(folder, name), inside).map((leaf) => `${name}/${leaf}`);
  });
}
