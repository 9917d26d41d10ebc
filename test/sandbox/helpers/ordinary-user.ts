import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { TestSandboxes } from './sandboxes.ts';

/** Nobody's. */
const USER = 54_321;

/**
 * Runs a program as a server of an ordinary user's, for a test run that is root's: the body of an async function that finds
 * `sandboxes` and `act(id, key, type, input)`, and whose answer is given as JSON.
 */
export function asOrdinaryUser(test: TestSandboxes, body: string): unknown {
  const dir = mkdtempSync('/tmp/steadyhand-user-');
  const entry = join(dir, 'user.cjs');
  try {
    buildSync({
      stdin: {
        contents: `
        import { createSandboxes } from ${JSON.stringify(join(__dirname, '../../../sandbox/client/hosted-sandboxes.ts'))};
        const logger = { info() {}, warn() {} };
        const [daemonEntry, guestEntry] = process.argv.slice(2);
        const sandboxes = createSandboxes({ dir: ${JSON.stringify(join(dir, 'data'))}, daemonEntry, guestEntry, isolation: 'auto', logger });
        const act = (id, key, type, input) => sandboxes.perform(id, { key, tool: { type, name: 'tool' }, input });
        async function main() {${body}}
        void main().then((answer) => {
          console.log(JSON.stringify(answer));
          sandboxes.close();
        });`,
        loader: 'ts',
        resolveDir: __dirname,
      },
      bundle: true,
      conditions: ['@steadyhand/source'],
      platform: 'node',
      format: 'cjs',
      outfile: entry,
    });
    chownSync(dir, USER, USER);
    for (const path of [entry, test.daemonEntry, test.guestEntry]) chmodSync(path, 0o644);
    const report = execFileSync(process.execPath, [entry, test.daemonEntry, test.guestEntry], {
      uid: USER,
      gid: USER,
      cwd: dir,
      env: { PATH: process.env['PATH'], HOME: dir },
      encoding: 'utf8',
    });
    return JSON.parse(report);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
