/** `npm run example order-saga`: runs one of the examples on a Temporal server of its own, or on that at TEMPORAL_ADDRESS. */
import './lib/node-version.mjs';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureNpmPackages } from './lib/npm-packages.mjs';
import { buildDoors } from './lib/pack.mjs';
import { bundling, manifests } from './lib/packages.mjs';
import { BootstrapError, runMain } from './lib/progress.mjs';
import { root } from './lib/root.mjs';
import { NODE_ESM } from './lib/targets.mjs';

await runMain(async () => {
  const examples = path.join(root, 'examples');
  const names = fs
    .readdirSync(examples)
    .filter((name) => fs.existsSync(path.join(examples, name, 'main.ts')))
    .toSorted();
  const [name = '', ...rest] = process.argv.slice(2);
  if (!names.includes(name) || rest.length > 0)
    throw new BootstrapError(`usage: npm run example <name>, which is one of ${names.join(', ')}`);
  await ensureNpmPackages(root);
  // Temporal bundles the workflows by itself and takes the package as others install it.
  await buildDoors(root, 'statechart', manifests(root).get('statechart') ?? {});
  const { build } = await import('esbuild');
  const main = path.join(examples, name, 'main.ts');
  const outfile = path.join(root, '.tmp/examples', `${name}.mjs`);
  await build({
    ...NODE_ESM,
    ...bundling(root),
    absWorkingDir: root,
    entryPoints: [main],
    outfile,
    // The sources stay where they are, and this Node may not run TypeScript.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(main).href) },
  });
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', outfile], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
});
