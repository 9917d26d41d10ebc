import path from 'node:path';
import { buildTargets } from './built.ts';

const ROOT = path.resolve(__dirname, '../..');
let built = false;

/** Makes the files that `createInference` starts its workers from, where their sources changed; answers its `root`. */
export function inferenceRoot(): string {
  if (!built) {
    buildTargets(['inference worker', 'inference trial', 'image decoder', 'preprocess']);
    built = true;
  }
  return ROOT;
}
