import fs from 'node:fs';
import path from 'node:path';
import { packageDifference } from './npm-packages.mjs';
import { BootstrapError } from './progress.mjs';

/** The package whose libraries only the build takes from: what it makes of them stands in static/. */
const BUILT = 'web';

/** Folders of packages that hold native code for every platform, and how a platform's own is called there. */
const NATIVE_FOLDERS = [
  { folder: 'node_modules/onnxruntime-node/bin/napi-v6', own: ({ cpu }) => [`linux/${cpu}`] },
  {
    folder: 'node_modules/@temporalio/core-bridge/releases',
    own: ({ cpu }) => [`${cpu === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-gnu`],
  },
];

/** The packages, as paths in the lockfile, that the built product loads or may load; with `only`, for the sake of these. */
export function runtimePackages(lock, only = []) {
  const { packages } = lock;
  const wanted = new Set();
  const visit = (from) => {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[from];
    for (const name of Object.keys({ ...peerDependencies, ...dependencies, ...optionalDependencies })) {
      if (isOwn(from) && only.length > 0 && !only.includes(name)) continue;
      const found = resolve(packages, from, name);
      // Our own packages are bundled.
      if (found === undefined || packages[found].link || wanted.has(found)) continue;
      wanted.add(found);
      visit(found);
    }
  };
  for (const folder of Object.keys(packages)) if (isOwn(folder) && folder !== BUILT) visit(folder);
  return wanted;
}

/** Whether a path of the lockfile is the folder of one of our own packages. */
function isOwn(folder) {
  return folder !== '' && !folder.includes('node_modules/');
}

/** Where Node finds a package, as paths in the lockfile: the nearest node_modules upwards. */
function resolve(packages, from, name) {
  for (let folder = from; ;) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[candidate] !== undefined) return candidate;
    if (folder === '') return undefined;
    const parent = folder.lastIndexOf('/node_modules/');
    folder = parent === -1 ? '' : folder.slice(0, parent);
  }
}

/** Whether a package of the lockfile is for Linux with glibc and this processor, if it is for any in particular. */
export function fitsPlatform({ os, cpu, libc }, processor) {
  const isFor = (list, wanted) => list === undefined || list.includes(wanted);
  return isFor(os, 'linux') && isFor(cpu, processor) && isFor(libc, 'glibc');
}

/**
 * Deletes from node_modules what the built product on Linux with this processor (`x64`, `arm64`) does not load.
 * @throws {BootstrapError} when what it does load is not there as the lockfile says
 */
export function keepRuntimePackages(root, cpu, only = []) {
  const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const wanted = runtimePackages(lock, only);
  const difference = packageDifference(root, (name, entry) => {
    const isPlatforms = entry.os !== undefined || entry.cpu !== undefined;
    return wanted.has(name) && fitsPlatform(entry, cpu) && (isPlatforms || entry.optional !== true);
  });
  if (difference !== undefined)
    throw new BootstrapError(`node_modules is not what the lockfile says: ${difference}`);
  const remove = (name) => fs.rmSync(path.join(root, name), { recursive: true, force: true });
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

/** What lies in a folder beside the kept paths: whole subfolders where none of them leads there. */
function leavesOf(folder, kept) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap(({ name }) => {
    if (kept.includes(name)) return [];
    const inside = kept.filter((one) => one.startsWith(`${name}/`)).map((one) => one.slice(name.length + 1));
    if (inside.length === 0) return [name];
    return leavesOf(path.join(folder, name), inside).map((leaf) => `${name}/${leaf}`);
  });
}
