/** `npm run build [-- --all]`: bundles what is stale into dist/ and static/app/. */
import './lib/node-version.mjs';
import { build } from './lib/build.mjs';
import { ensureNpmPackages } from './lib/npm-packages.mjs';
import { runMain } from './lib/progress.mjs';
import { root } from './lib/root.mjs';

await runMain(async () => {
  await ensureNpmPackages(root);
  await build(root, { all: process.argv.includes('--all') });
});
