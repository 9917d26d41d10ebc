import fs from 'node:fs';
import path from 'node:path';
import { manifests } from './packages.mjs';
import { BootstrapError } from './progress.mjs';

const OWN = '@steadyhand/';

/**
 * A manifest's text with another version, in which it also names the workspace's other packages.
 * @param {import('./packages.mjs').Manifest} manifest
 * @param {string} version
 */
export function withVersion(manifest, version) {
  const dependencies = Object.fromEntries(
    Object.entries(manifest.dependencies ?? {}).map(([name, wanted]) => [
      name,
      name.startsWith(OWN) ? version : wanted,
    ]),
  );
  const named = manifest.dependencies === undefined ? {} : { dependencies };
  return `${JSON.stringify({ ...manifest, version, ...named }, null, 2)}\n`;
}

/**
 * The changelogs of the repository and of its packages, relative to the root.
 * @param {string} root
 */
export function changelogFiles(root) {
  return [...manifests(root).keys()]
    .map((folder) => path.join(folder, 'CHANGELOG.md'))
    .filter((file) => fs.existsSync(path.join(root, file)));
}

/**
 * A changelog in which what was not released yet stands under the version and its date.
 * @param {string} text
 * @param {string} version
 * @param {string} date YYYY-MM-DD
 */
export function releasedChangelog(text, version, date) {
  const parts = text.split(/^## Unreleased\n/m);
  if (parts.length !== 2) throw new BootstrapError('A changelog needs one heading "## Unreleased".');
  const [head = '', rest = ''] = parts;
  const body = /^(?:(?!## ).*\n)*/.exec(rest)?.[0]?.trim() ?? '';
  // A package without changes is released with the others all the same.
  const entry = body === '' ? '- No changes.' : body;
  const older = rest.slice(/^(?:(?!## ).*\n)*/.exec(rest)?.[0]?.length ?? 0);
  return `${head}## Unreleased\n\n## ${version} (${date})\n\n${entry}\n${older === '' ? '' : `\n${older}`}`;
}
