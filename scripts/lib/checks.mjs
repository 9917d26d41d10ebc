import os from 'node:os';
import path from 'node:path';
import { runCommand } from './command.mjs';
import { say, since } from './progress.mjs';

const HALF_THE_CORES = Math.floor(os.cpus().length / 2) || 1;

/**
 * The static checks. Each tool is run by its own file, because the shims in node_modules/.bin need a newer Node.
 * @type {readonly { name: string, script: string, args: readonly string[], needsNode?: readonly [number, number] }[]}
 */
const CHECKS = [
  {
    name: 'types',
    script: 'node_modules/typescript/lib/tsc.js',
    // By default four checkers look at each project, and each of them looks at what they share: two take a fifth more than one.
    args: ['--build', '--pretty', 'false', '--checkers', String(Math.min(4, HALF_THE_CORES))],
  },
  {
    name: 'lint',
    script: 'node_modules/oxlint/dist/cli.js',
    args: ['--type-aware', '--deny-warnings'],
  },
  {
    // Exports and files that nothing uses.
    name: 'needless exports',
    script: 'node_modules/knip/bin/knip.js',
    args: ['--no-progress'],
    needsNode: [20, 12],
  },
  {
    name: 'formatting',
    script: 'node_modules/oxfmt/dist/cli.js',
    args: ['--check'],
    needsNode: [20, 19],
  },
];

/**
 * A quarter of what the checkers of types do is collecting garbage. Where memory is plentiful they collect more rarely, and take
 * three and a half gigabytes in place of two.
 */
const COLLECT_RARELY = os.totalmem() > 12 * 2 ** 30 ? { GOGC: '400' } : {};

/** @typedef {{ readonly name: string, readonly passed: boolean }} CheckResult */

/**
 * Runs the checks, as many at a time as there are cores, and prints the whole output of each that fails.
 * @param {string} root
 * @param {(name: string) => boolean} [isWanted] which of them; all by default
 * @param {{ readonly besideTests?: boolean }} [options] beside tests each takes half of the cores: the checkers that are written in Go
 * take less of a processor on one core than on two, and the tests use the others
 */
export async function runChecks(root, isWanted = () => true, { besideTests = false } = {}) {
  const waiting = CHECKS.filter(({ name }) => isWanted(name));
  /** @type {CheckResult[]} */
  const results = [];
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      if (check.needsNode !== undefined && isOlder(check.needsNode)) {
        say(`${check.name}: skipped, as its tool needs Node ${check.needsNode.join('.')} or newer`);
        continue;
      }
      const start = performance.now();
      const { code, output } = await runCommand(
        process.execPath,
        [path.join(root, check.script), ...check.args],
        {
          cwd: root,
          capture: true,
          env: {
            ...COLLECT_RARELY,
            ...(besideTests && { GOMAXPROCS: String(HALF_THE_CORES) }),
            ...process.env,
          },
        },
      );
      say(`${check.name}: ${code === 0 ? 'clean' : 'FAILED'} (${since(start)})`);
      if (code !== 0) process.stderr.write(`${output.trimEnd()}\n`);
      results.push({ name: check.name, passed: code === 0 });
    }
  };
  await Promise.all(Array.from({ length: Math.min(os.cpus().length || 1, waiting.length) }, worker));
  return results;
}

/**
 * Whether this Node is older than a version.
 * @param {readonly [number, number]} version
 */
function isOlder([major, minor]) {
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}
