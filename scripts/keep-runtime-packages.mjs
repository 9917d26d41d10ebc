/**
 * `node scripts/keep-runtime-packages.mjs [x64|arm64] [names]`: makes node_modules what a container image carries: all that the
 * built product loads, or these packages alone and what they need.
 */
import { keepRuntimePackages } from './lib/runtime-packages.mjs';
import { runMain } from './lib/progress.mjs';
import { root } from './lib/root.mjs';

await runMain(() => keepRuntimePackages(root, process.argv[2] ?? process.arch, process.argv.slice(3)));
