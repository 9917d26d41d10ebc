/** `npm run check`: formatting, types and lint (with the import arrows). */
import './lib/node-version.mjs';
import { runChecks } from './lib/checks.mjs';
import { ensureNpmPackages } from './lib/npm-packages.mjs';
import { runMain } from './lib/progress.mjs';
import { root } from './lib/root.mjs';

await runMain(async () => {
  await ensureNpmPackages(root);
  const results = await runChecks(root);
  if (results.some(({ passed }) => !passed)) process.exitCode = 1;
});
