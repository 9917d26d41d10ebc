import fs from 'node:fs';
import path from 'node:path';

/** The condition under which a package's `exports` lead to its source. */
export const SOURCE = '@steadyhand/source';

/**
 * @typedef {object} Manifest
 * @property {string} [version]
 * @property {boolean} [private]
 * @property {Readonly<Record<string, Readonly<Record<string, string>>>>} [exports]
 * @property {readonly string[]} [workspaces]
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [devDependencies]
 * @property {Readonly<Record<string, string>>} [peerDependencies]
 */

/**
 * The manifests of the packages by their folders; the repository's own has the folder `.`.
 * @param {string} root
 * @returns {ReadonlyMap<string, Manifest>}
 */
export function manifests(root) {
  /** @type {(folder: string) => Manifest} */
  const read = (folder) =>
    /** @type {Manifest} */ (JSON.parse(fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8')));
  return new Map(['.', ...(read('.').workspaces ?? [])].map((folder) => [folder, read(folder)]));
}

/**
 * How esbuild bundles the workspace's packages: by their sources, while all other packages are imported at run time.
 * @param {string} root
 */
export function bundling(root) {
  const names = [...manifests(root).values()].flatMap(({ dependencies, devDependencies, peerDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }),
  );
  return {
    bundle: true,
    conditions: [SOURCE],
    external: [...new Set(names)].filter((name) => !name.startsWith('@steadyhand/')),
  };
}
