import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The product's version. @param root its folder */
export function versionOf(root: string): string {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
