import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundling } from '../../support/bundling.ts';

const ROOT = resolve(__dirname, '../../..');

/** Builds the executable `steadyhand-temporal` as it is packed; answers its path. It goes with the test process. */
export async function buildExecutable(): Promise<string> {
  // Inside node_modules, so that the packages it imports are found.
  const folder = join(ROOT, 'node_modules', '.cache', 'engine-executable-test');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `steadyhand-temporal-${process.pid}.mjs`);
  await build({
    entryPoints: [join(ROOT, 'engine/cli/main.ts')],
    outfile,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    ...bundling(),
  });
  chmodSync(outfile, 0o755);
  process.once('exit', () => rmSync(outfile, { force: true }));
  return outfile;
}
