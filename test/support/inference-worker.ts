import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = path.resolve(__dirname, '../..');
let built = false;

/** Makes the files that `createInference` starts its workers from, where their sources changed; answers its `root`. */
export function inferenceRoot(): string {
  if (!built) {
    const builder = pathToFileURL(path.join(ROOT, 'scripts/lib/build.mjs')).href;
    const names = JSON.stringify(['inference worker', 'inference trial', 'image decoder', 'preprocess']);
    const script = `import { build } from '${builder}'; await build(process.cwd(), { names: ${names} });`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: ROOT, stdio: 'pipe' });
    built = true;
  }
  return ROOT;
}
