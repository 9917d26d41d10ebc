/**
 * `npm start [-- --role=...]`: installs what is missing, builds what is stale, then runs the product in this very process, so
 * that its signals, exit code and pid are the server's own. When everything is current, this takes a few milliseconds and no
 * other process.
 *
 * package.json limits the C library's memory arenas (MALLOC_ARENA_MAX): with one for each thread, which is the default, the
 * native parts keep hundreds of MiB that nobody uses. It also turns off io_uring (UV_USE_IO_URING), which Node 20.3.0 writes
 * files by: with that, a write to a full disk is sometimes reported as done.
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
import { ensureSandboxImage } from './lib/sandbox-image.mjs';
import { ensureSystemPackages } from './lib/system-packages.mjs';

await runMain(async () => {
  await ensureNpmPackages(root);
  await ensureSystemPackages(root);
  await ensureSandboxImage(root);
  if (staleTargets(root).length > 0) {
    // The build is a process of its own, so that the bundlers' memory is freed before the product starts.
    const { code } = await runCommand(process.execPath, [path.join(root, 'scripts/build.mjs')]);
    if (code !== 0) throw new BootstrapError('The build failed; its message is above.');
  }
});

process.env.NODE_ENV ??= 'production';
/**
 * Functions that only newer versions of Node have.
 * @type {{
 *   readonly setSourceMapsSupport?: (enabled: boolean, options: { nodeModules: boolean, generatedCode: boolean }) => void,
 *   readonly enableCompileCache?: (folder: string) => unknown,
 * }}
 */
const newer = /** @type {object} */ (module);
// Stack traces name the sources, where Node can do that for this product's own files alone: with all packages it would read
// hundreds of source maps before the first request is served.
newer.setSourceMapsSupport?.(true, { nodeModules: false, generatedCode: false });
// Node 22 and newer keep compiled code between starts.
newer.enableCompileCache?.(path.join(root, 'dist/.compile-cache'));
await import(pathToFileURL(path.join(root, 'dist/main.mjs')).href);
