/** `node bench/run.mjs <name> [arguments]`: bundles bench/<name>/main.ts into .tmp/ and runs it. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundling } from '../scripts/lib/packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [name = '', ...args] = process.argv.slice(2);
const known = readdirSync(join(root, 'bench'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(root, 'bench', entry.name, 'main.ts')))
  .map((entry) => entry.name);
if (!known.includes(name)) {
  console.error(`usage: node bench/run.mjs ${known.join('|')} [arguments]`);
  process.exit(2);
}

const outfile = join(root, '.tmp', `bench-${name}.mjs`);
await build({
  absWorkingDir: root,
  entryPoints: [`bench/${name}/main.ts`],
  platform: 'node',
  format: 'esm',
  target: 'node20',
  ...bundling(root),
  sourcemap: 'inline',
  logLevel: 'warning',
  outfile,
});
const child = spawn(process.execPath, ['--enable-source-maps', outfile, ...args], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, () => child.kill(signal));
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
