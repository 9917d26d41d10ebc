/**
 * `node scripts/complete-lockfile.mjs`: adds to package-lock.json the prebuilt packages of other systems and processors that npm
 * left out of it. npm writes those alone that it could look up at that moment, and never adds the others by itself, so that a
 * lockfile written on one machine may install too little on another. Run it after a change of dependencies;
 * test/scripts/lockfile.test.ts says when it is due.
 */
import './lib/node-version.mjs';
import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from './lib/command.mjs';
import { missingPlatformPackages } from './lib/platform-packages.mjs';
import { BootstrapError, runMain, say } from './lib/progress.mjs';
import { root } from './lib/root.mjs';

/** @typedef {import('./lib/npm-packages.mjs').LockEntry} LockEntry */

await runMain(async () => {
  const file = path.join(root, 'package-lock.json');
  const lock = /** @type {{ packages: Record<string, LockEntry> }} */ (
    JSON.parse(fs.readFileSync(file, 'utf8'))
  );
  for (const { name, version, dev } of missingPlatformPackages(lock.packages)) {
    const { code, output } = await runCommand('npm', ['view', '--json', `${name}@${version}`], {
      capture: true,
    });
    if (code !== 0) throw new BootstrapError(`npm view ${name}@${version} failed: ${output.trim()}`);
    const found = /** @type {LockEntry & { dist: { integrity: string } }} */ (JSON.parse(output));
    const { os, cpu, libc, engines, dist, license } = found;
    lock.packages[`node_modules/${name}`] = {
      version,
      integrity: dist.integrity,
      ...(cpu && { cpu }),
      ...(dev && { dev }),
      ...(libc && { libc }),
      ...(license !== undefined && { license }),
      optional: true,
      ...(os && { os }),
      ...(engines && { engines }),
    };
    say(`added ${name} ${version}`);
  }
  const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  lock.packages = Object.fromEntries(sorted);
  fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
});
