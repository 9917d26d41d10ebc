/** `node scripts/keep-runtime-packages.mjs [x64|arm64]`: makes node_modules what the container image carries. */
import { keepRuntimePackages } from './lib/runtime-packages.mjs';
import { runMain } from './lib/progress.mjs';
import { root } from './lib/root.mjs';

await runMain(() => keepRuntimePackages(root, process.argv[2] ?? process.arch));
