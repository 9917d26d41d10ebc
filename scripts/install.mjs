/** `node scripts/install.mjs`: installs the npm packages that the lockfile names, and checks that it got them. */
import { ensureNpmPackages } from './lib/npm-packages.mjs';
import { runMain } from './lib/progress.mjs';
import { root } from './lib/root.mjs';

await runMain(() => ensureNpmPackages(root));
