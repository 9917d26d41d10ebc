import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = path.resolve(__dirname, '../..');
/** `npm test` has built all that is stale before it runs jest, so that no test file has to look again. */
const isBuilt = process.env['STEADYHAND_BUILT'] === '1';

/** Builds what is stale. Whether every part can be built is not the affair of a test that needs one of them. */
export function buildStale(): void {
  if (!isBuilt) spawnSync(process.execPath, [path.join(ROOT, 'scripts/build.mjs')]);
}

/** Builds those of these targets that are stale, and throws when one cannot be built. */
export function buildTargets(names: readonly string[]): void {
  if (isBuilt) return;
  const builder = pathToFileURL(path.join(ROOT, 'scripts/lib/build.mjs')).href;
  const script = `import { build } from '${builder}'; await build(process.cwd(), { names: ${JSON.stringify(names)} });`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: ROOT, stdio: 'pipe' });
}
