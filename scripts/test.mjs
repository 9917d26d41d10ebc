/**
 * `npm test [-- jest arguments]`: the whole gate. Installs and builds as `npm start` does, runs the static checks,
 * then jest. A few test files that failed are run once more by themselves: what passes then is told as UNSTEADY, a fault to
 * be mended, and counts as passed. The last line on standard output is `N passed, N failed, N skipped`; the exit code is 1
 * on any failure.
 */
import './lib/node-version.mjs';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runChecks } from './lib/checks.mjs';
import { runCommand } from './lib/command.mjs';
import { ensureNpmPackages } from './lib/npm-packages.mjs';
import { runMain, say } from './lib/progress.mjs';
import { root } from './lib/root.mjs';
import { filesToLookAtAgain, unsteady, withSecondLook } from './lib/second-look.mjs';
import { ensureSystemPackages } from './lib/system-packages.mjs';
import { readReport, summaryLine, tally } from './lib/tally.mjs';

/** Ends a run that hangs. The whole gate is meant to take less than 15 minutes on two quiet cores, and a loaded machine may take twice that. */
const JEST_LIMIT_MS = 40 * 60_000;

await runMain(async () => {
  await ensureNpmPackages(root);
  await ensureSystemPackages(root);
  const builder = await runCommand(process.execPath, [path.join(root, 'scripts/build.mjs')]);
  const results = [{ name: 'build', passed: builder.code === 0 }, ...(await runChecks(root))];

  const deadline = Date.now() + JEST_LIMIT_MS;
  // Two at a time: the tests drive real displays, servers and engines, and each file wants a core of its own.
  const first = await runJest(['--maxWorkers=2', ...process.argv.slice(2)], deadline);
  // Somebody who asked for certain tests wants to see them as they are.
  const files = process.argv.length > 2 ? [] : filesToLookAtAgain(first.report);
  const second =
    files.length === 0
      ? undefined
      : await runJest(['--maxWorkers=1', '--runTestsByPath', ...files], deadline);
  const { code, report } =
    second?.report === undefined
      ? first
      : { code: second.code, report: withSecondLook(first.report, second.report) };
  if (second?.report !== undefined) {
    for (const name of unsteady(first.report, second.report, root))
      say(`UNSTEADY (failed, then passed): ${name}`);
  }
  for (const { name } of results.filter(({ passed }) => !passed)) say(`FAILED: ${name}`);
  if (report === undefined) say(`FAILED: jest ended without a report (exit code ${code})`);
  const total = tally(results, { code, report });
  console.log(summaryLine(total));
  if (total.failed > 0) process.exitCode = 1;
});

/** Runs jest with these arguments until it ends or is late. */
async function runJest(args, deadline) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steadyhand-test-'));
  const reportFile = path.join(folder, 'report.json');
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const { code } = await runCommand(
    process.execPath,
    [jest, '--ci', '--json', `--outputFile=${reportFile}`, ...args],
    { cwd: root, timeoutMs: Math.max(1, deadline - Date.now()), env: { ...process.env, NODE_ENV: 'test' } },
  );
  const report = readReport(reportFile);
  fs.rmSync(folder, { recursive: true, force: true });
  return { code, report };
}
