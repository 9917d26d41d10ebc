/**
 * `npm start [-- --role=...]`: installs what is missing, builds what is stale, then becomes the product: it runs in
 * this very process, so that its signals, exit code and pid are the server's own. Where all is current, that costs a
 * few milliseconds and no other process.
 *
 * package.json bounds the C library's memory arenas (MALLOC_ARENA_MAX): with one for each thread, as by default, the native
 * parts keep hundreds of MiB that nobody uses.
 */
import './lib/node-version.mjs';
import module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { staleTargets } from './lib/build.mjs';
import { runCommand } from './lib/command.mjs';
import { ensureNpmPackages } from './lib/npm-packages.mjs';
import { BootstrapError, runMain } from './lib/progress.mjs';
import { root } from './lib/root.mjs';
import { ensureSystemPackages } from './lib/system-packages.mjs';

await runMain(async () => {
  await ensureNpmPackages(root);
  await ensureSystemPackages(root);
  if (staleTargets(root).length > 0) {
    // In a process of its own: the bundlers' memory is given back before the product starts.
    const { code } = await runCommand(process.execPath, [path.join(root, 'scripts/build.mjs')]);
    if (code !== 0) throw new BootstrapError('The build failed; its message is above.');
  }
});

process.env.NODE_ENV ??= 'production';
// Stack traces in terms of the sources, where Node can do it for this product's own files alone: for all packages too it
// would read hundreds of maps before the first line is served.
module.setSourceMapsSupport?.(true, { nodeModules: false, generatedCode: false });
// Node 22 and newer keep compiled code between starts.
module.enableCompileCache?.(path.join(root, 'dist/.compile-cache'));
await import(pathToFileURL(path.join(root, 'dist/main.mjs')).href);
