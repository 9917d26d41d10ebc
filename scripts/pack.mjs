/**
 * `node scripts/pack.mjs [folder]`: makes the packages that are products in their own right, as npm tarballs, in a folder
 * (default `dist/packages`), and prints their paths.
 */
import './lib/node-version.mjs';
import path from 'node:path';
import { packPackages } from './lib/pack.mjs';
import { BootstrapError, runMain } from './lib/progress.mjs';
import { root } from './lib/root.mjs';

await runMain(async () => {
  const [given, ...rest] = process.argv.slice(2);
  if (given?.startsWith('-') || rest.length > 0)
    throw new BootstrapError('usage: node scripts/pack.mjs [folder, default dist/packages]');
  const folder = path.resolve(given ?? path.join(root, 'dist/packages'));
  for (const file of await packPackages(root, folder)) console.log(file);
});
