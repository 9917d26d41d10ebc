import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

interface Manifest {
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly private?: boolean;
  readonly workspaces?: readonly string[];
  /** Door by name, file by condition. */
  readonly exports?: Readonly<
    Record<string, Readonly<Record<'@steadyhand/source' | 'types' | 'default', string>>>
  >;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The manifest of a folder of the repository; of the repository itself by default. */
export function manifest(folder = '.'): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
}

/** How esbuild bundles the workspace's packages: those by their source, all others left to be imported. */
export function bundling(): {
  bundle: true;
  conditions: string[];
  external: string[];
  absWorkingDir: string;
} {
  const all = ['.', ...(manifest().workspaces ?? [])].map((folder) => manifest(folder));
  const names = all.flatMap(({ dependencies, devDependencies, peerDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }),
  );
  return {
    bundle: true,
    conditions: ['@steadyhand/source'],
    external: [...new Set(names)].filter((name) => !name.startsWith('@steadyhand/')),
    absWorkingDir: ROOT,
  };
}
