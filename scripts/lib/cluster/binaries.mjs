import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onPath, runCommand } from '../command.mjs';
import { BootstrapError, say, since } from '../progress.mjs';

/**
 * Programs of Go modules, built where they are in no folder yet. Their versions are those that the cluster was tried with.
 * @type {Readonly<Record<string, { readonly module: string, readonly built: string, readonly flags?: readonly string[] }>>}
 */
const MODULES = {
  'temporal-server': {
    module: 'go.temporal.io/server/cmd/server@v1.32.1',
    built: 'server',
    flags: ['-ldflags=-s -w'],
  },
  'temporal-sql-tool': {
    module: 'go.temporal.io/server/cmd/tools/sql@v1.32.1',
    built: 'sql',
    flags: ['-ldflags=-s -w'],
  },
  versitygw: { module: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0', built: 'versitygw' },
};

/** Where built programs are kept: outside the repository, because they take ten minutes to build and serve every checkout. */
function cacheFolder() {
  return process.env.STEADYHAND_CLUSTER_BIN ?? path.join(os.homedir(), '.cache/steadyhand/cluster');
}

/**
 * The path of a program: from the cache folder, from PATH, or built by Go now.
 * @param {string} name
 * @returns {Promise<string>}
 */
export async function binary(name) {
  const cached = path.join(cacheFolder(), name);
  if (fs.existsSync(cached)) return cached;
  if (onPath(name)) return name;
  const how = MODULES[name];
  if (how === undefined || !onPath('go'))
    throw new BootstrapError(
      how === undefined
        ? `${name} is not on PATH; docs/cluster.md says where it comes from.`
        : `${name} is neither on PATH nor in ${cacheFolder()}, and there is no Go to build it with: ` +
            `put it there, or install Go and run this again (it runs \`go install ${how.module}\`).`,
    );
  const began = performance.now();
  say(`building ${name} by \`go install ${how.module}\`, once; that takes minutes`);
  const folder = path.join(cacheFolder(), `.building-${process.pid}`);
  fs.mkdirSync(folder, { recursive: true });
  try {
    const { code } = await runCommand('go', ['install', ...(how.flags ?? []), how.module], {
      env: { ...process.env, GOBIN: folder },
    });
    if (code !== 0) throw new BootstrapError(`${name} could not be built; Go's message is above.`);
    // Renamed when it is whole: another script may look at the same time.
    fs.renameSync(path.join(folder, how.built), cached);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  say(`${name} built in ${since(began)}`);
  return cached;
}

/** The folder of PostgreSQL's programs: Debian keeps them out of PATH, a folder a version. */
export function postgresFolder() {
  const debian = '/usr/lib/postgresql';
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const found = [...versions.map((version) => path.join(debian, version, 'bin')), ...searchPath()].find(
    (folder) => fs.existsSync(path.join(folder, 'initdb')),
  );
  if (found === undefined)
    throw new BootstrapError('PostgreSQL is not installed: apt-get install -y postgresql');
  return found;
}

function searchPath() {
  return (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
}
