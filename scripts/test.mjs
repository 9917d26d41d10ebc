/**
 * `npm test [-- jest arguments]`: the whole gate. It installs and builds as `npm start` does, runs the static checks, then
 * jest. The last line on standard output is `N passed, N failed, N skipped`; the exit code is 1 on any failure. With
 * `-- --shard=1/2` and `-- --shard=2/2` two machines share the test files; the first alone runs the static checks but for the types.
 */
import './lib/node-version.mjs';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runChecks } from './lib/checks.mjs';
import { runCommand } from './lib/command.mjs';
import { memoryFolder } from './lib/memory-folder.mjs';
import { ensureNpmPackages } from './lib/npm-packages.mjs';
import { runMain, say } from './lib/progress.mjs';
import { root } from './lib/root.mjs';
import { ensureSystemPackages, ensureTestPackages } from './lib/system-packages.mjs';
import { readReport, summaryLine, tally } from './lib/tally.mjs';

/** Ends a run that hangs. The whole gate is meant to take less than 15 minutes on two quiet cores, and a loaded machine may take twice that. */
const JEST_LIMIT_MS = 40 * 60_000;

/** Tests make and drop much; with a larger young generation the collector runs less often. */
const NODE_FLAGS = ['--max-semi-space-size=32'];
/**
 * Few of a test's functions run often, and to optimize the others costs more than it gains: V8 looks for what it could optimize after
 * six times as much work as by default. Newer Nodes do not know this option.
 */
if (process.version.startsWith('v20.')) NODE_FLAGS.push('--interrupt-budget=400000');

await runMain(async () => {
  await Promise.all([ensureNpmPackages(root), systemPackages()]);
  const types = runChecks(root, (name) => name === 'types', { besideTests: true });
  const builder = await runCommand(process.execPath, [path.join(root, 'scripts/build.mjs')]);
  const memory = memoryFolder();
  if (memory !== undefined) process.env['TMPDIR'] = memory.folder;
  const postgres = await sharedPostgres();
  // The other checks take the processor's time that the tests leave while they wait.
  const [{ code, report }, others] = await Promise.all([
    runJest([`--maxWorkers=${workers()}`, ...process.argv.slice(2)], types, postgres?.url),
    types.then(() => runChecks(root, (name) => name !== 'types' && isFirstShard(), { besideTests: true })),
  ]);
  await postgres?.close();
  memory?.close();
  const results = [{ name: 'build', passed: builder.code === 0 }, ...(await types), ...others];
  for (const { name } of results.filter(({ passed }) => !passed)) say(`FAILED: ${name}`);
  if (report === undefined) say(`FAILED: jest ended without a report (exit code ${code})`);
  const total = tally(results, { code, report });
  console.log(summaryLine(total));
  if (total.failed > 0) process.exitCode = 1;
});

async function systemPackages() {
  await ensureSystemPackages(root);
  await ensureTestPackages(root);
}

/**
 * Starts a PostgreSQL server for all test files, each of which has databases of its own, as making one takes a second. A server
 * that the environment names is used as it is.
 */
async function sharedPostgres() {
  const { privateMissing, startPrivatePostgres } = await import('../test/support/private-postgres.cjs');
  if (process.env['STEADYHAND_TEST_POSTGRES'] !== undefined || privateMissing !== undefined) return undefined;
  return await startPrivatePostgres();
}

/**
 * How many test files run at a time: five on two cores, as they drive real displays, servers and engines and wait for them half of
 * the time. At most eight, for the memory that they and their servers take.
 */
function workers() {
  return Math.min(8, Math.ceil(2.5 * os.availableParallelism()));
}

/** Whether this run has the first part of the test files, or all of them. */
function isFirstShard() {
  const given = process.argv.join(' ').match(/--shard[= ](\d+)\//);
  return given === null || given[1] === '1';
}

/**
 * Runs jest with these arguments until it ends or its time is over.
 * @param {readonly string[]} args
 * @param {Promise<unknown>} types the check of the types, which the test that has declarations written, too, waits for
 * @param {string | undefined} postgres the server that its files share
 */
async function runJest(args, types, postgres) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steadyhand-test-'));
  const reportFile = path.join(folder, 'report.json');
  const typesFile = path.join(folder, 'types');
  const typesTold = types.then(() => fs.writeFileSync(typesFile, ''));
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  // Each process of Node's would read the authorities when it starts, which takes as long as all else of its start.
  const { NODE_EXTRA_CA_CERTS: authorities, ...environment } = process.env;
  const { code } = await runCommand(
    process.execPath,
    [...NODE_FLAGS, jest, '--ci', '--json', `--outputFile=${reportFile}`, ...args],
    {
      cwd: root,
      timeoutMs: JEST_LIMIT_MS,
      env: {
        ...environment,
        NODE_ENV: 'test',
        STEADYHAND_BUILT: '1',
        STEADYHAND_TEST_TYPES: typesFile,
        ...(authorities !== undefined && { STEADYHAND_TEST_AUTHORITIES: authorities }),
        ...(postgres !== undefined && { STEADYHAND_TEST_POSTGRES: postgres }),
      },
    },
  );
  await typesTold;
  const report = readReport(reportFile);
  fs.rmSync(folder, { recursive: true, force: true });
  return { code, report };
}
