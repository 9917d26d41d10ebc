/**
 * `node scripts/cluster.mjs [options]`: a whole cluster on this machine, without containers: PostgreSQL, Temporal, an S3 store,
 * servers behind a proxy, workers, inference processes and machines of the sandbox pool. docs/cluster.md tells of it. It runs until
 * Ctrl-C or SIGTERM, and whatever of it dies is started again.
 */
import './lib/node-version.mjs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { staleTargets } from './lib/build.mjs';
import { runCommand } from './lib/command.mjs';
import { Cluster } from './lib/cluster/cluster.mjs';
import { DEFAULTS } from './lib/cluster/options.mjs';
import { ensureNpmPackages } from './lib/npm-packages.mjs';
import { BootstrapError, runMain, say, since } from './lib/progress.mjs';
import { root } from './lib/root.mjs';
import { ensureSystemPackages } from './lib/system-packages.mjs';

const USAGE = `usage: node scripts/cluster.mjs [options]
  --dir=data/cluster    the folder of everything that it keeps
  --port=8080           the port that clients use; 0 takes a free one
  --servers=2 --workers=2 --inference=1 --members=3
  --temporal=postgres   or dev-server: the development server of the temporal CLI, which must be on PATH
  --blobs=s3://...      an S3 store of yours instead of versitygw; credentials by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
  --namespaces          each part in a network namespace of its own (Linux, root)`;

await runMain(async () => {
  const options = readOptions(process.argv.slice(2));
  await ensureNpmPackages(root);
  await ensureSystemPackages(root);
  if (staleTargets(root).length > 0) {
    const { code } = await runCommand(process.execPath, [path.join(root, 'scripts/build.mjs')]);
    if (code !== 0) throw new BootstrapError('The build failed; its message is above.');
  }
  const ended = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, resolve);
  });
  const began = performance.now();
  const cluster = await Cluster.start(options);
  say(`the cluster serves after ${since(began)}`);
  console.log(described(cluster, options.dir));
  await ended;
  say('ending the cluster');
  await cluster.stop();
});

/**
 * @param {readonly string[]} args
 * @returns {import('./lib/cluster/options.mjs').ClusterOptions}
 */
function readOptions(args) {
  const { values } = parsed(args);
  const { temporal } = values;
  if (temporal !== 'postgres' && temporal !== 'dev-server')
    throw new BootstrapError(`--temporal=${temporal} is not allowed: postgres or dev-server`);
  return {
    root,
    dir: path.resolve(values.dir),
    port: count('port', values.port),
    servers: count('servers', values.servers, 1),
    workers: count('workers', values.workers, 1),
    inference: count('inference', values.inference),
    members: count('members', values.members),
    temporal,
    faults: false,
    namespaces: values.namespaces,
    blobs: values.blobs,
    env: process.env,
    tell: say,
  };
}

/** @param {readonly string[]} args */
function parsed(args) {
  const text = (/** @type {string | number} */ value) =>
    /** @type {const} */ ({ type: 'string', default: String(value) });
  try {
    return parseArgs({
      args: [...args],
      options: {
        dir: text('data/cluster'),
        port: text(8080),
        servers: text(DEFAULTS.servers),
        workers: text(DEFAULTS.workers),
        inference: text(DEFAULTS.inference),
        members: text(DEFAULTS.members),
        temporal: text(DEFAULTS.temporal),
        blobs: { type: 'string' },
        namespaces: { type: 'boolean', default: DEFAULTS.namespaces },
      },
    });
  } catch (error) {
    throw new BootstrapError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

/** @type {(name: string, value: string, least?: number) => number} */
function count(name, value, least = 0) {
  if (!/^\d{1,5}$/.test(value) || Number(value) < least)
    throw new BootstrapError(`--${name}=${value} is not allowed: a whole number from ${least}`);
  return Number(value);
}

/** @type {(cluster: Cluster, dir: string) => string} */
function described(cluster, dir) {
  const parts = cluster.status.map(
    ({ name, pid, address, log }) =>
      `  ${name.padEnd(12)} ${String(pid).padEnd(8)} ${address.padEnd(22)} ${path.relative(process.cwd(), log)}`,
  );
  return [
    `Steadyhand cluster ready on ${cluster.url}`,
    `API key: ${cluster.apiKey}`,
    ['part'.padEnd(14), 'pid'.padEnd(9), 'address'.padEnd(23), 'log'].join(''),
    ...parts,
    `The same for programs: ${path.join(dir, 'cluster.json')}. Ctrl-C ends it all; what is in ${dir} stays for the next start.`,
  ].join('\n');
}
