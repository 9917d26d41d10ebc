/**
 * `node scripts/pack.mjs [folder]`: makes the packages that are products in their own right, as npm tarballs, in a folder
 * (default `dist/packages`), and prints their paths.
 */
import './lib/node-version.mjs';
import path from 'node:path';
import { packPackages } from './lib/pack.mjs';
import { runMain } from './lib/progress.mjs';
import { root } from './lib/root.mjs';

await runMain(async () => {
  const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist/packages'));
  for (const file of await packPackages(root, folder)) console.log(file);
});
