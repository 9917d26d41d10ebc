import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = path.resolve(__dirname, '../..');
let built: string | undefined;

/** The file that `loadPreprocessor` takes, made anew when its sources changed. */
export function preprocessWasm(): string {
  if (built === undefined) {
    const builder = pathToFileURL(path.join(ROOT, 'scripts/lib/build.mjs')).href;
    const script = `import { build } from '${builder}'; await build(process.cwd(), { names: ['preprocess'] });`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: ROOT, stdio: 'pipe' });
    built = path.join(ROOT, 'dist/preprocess.wasm');
  }
  return built;
}
