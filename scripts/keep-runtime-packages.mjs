/**
 * `node scripts/keep-runtime-packages.mjs [x64|arm64] [names]`: reduces node_modules to what a container image needs: all that
 * the built product loads, or the named packages and what they need.
 */
import { keepRuntimePackages } from './lib/runtime-packages.mjs';
import { runMain } from './lib/progress.mjs';
import { root } from './lib/root.mjs';

await runMain(() => keepRuntimePackages(root, process.argv[2] ?? process.arch, process.argv.slice(3)));
