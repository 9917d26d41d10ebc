import fs from 'node:fs';
import path from 'node:path';

/** The condition under which a package's `exports` lead to its source. */
export const SOURCE = '@steadyhand/source';

/** The manifests of the packages by their folder; that of the repository itself stands under `.`. */
export function manifests(root) {
  const read = (folder) => JSON.parse(fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
  return new Map(['.', ...read('.').workspaces].map((folder) => [folder, read(folder)]));
}

/** How esbuild bundles the workspace's packages: those by their source, all others left to be imported. */
export function bundling(root) {
  const names = [...manifests(root).values()].flatMap(({ dependencies, devDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies }),
  );
  return {
    bundle: true,
    conditions: [SOURCE],
    external: [...new Set(names)].filter((name) => !name.startsWith('@steadyhand/')),
  };
}
