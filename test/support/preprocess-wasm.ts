import path from 'node:path';
import { buildTargets } from './built.ts';

const ROOT = path.resolve(__dirname, '../..');
let built: string | undefined;

/** The file that `loadPreprocessor` takes, made anew when its sources changed. */
export function preprocessWasm(): string {
  if (built === undefined) {
    buildTargets(['preprocess']);
    built = path.join(ROOT, 'dist/preprocess.wasm');
  }
  return built;
}
