import { build } from 'esbuild';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundling } from '../../support/bundling.ts';

const ROOT = join(__dirname, '../../..');

export interface Bundles {
  readonly daemonEntry: string;
  readonly guestEntry: string;
  readonly memberEntry: string;
  remove(): void;
}

/** The daemon and the guest as production runs them, bundled from the sources of now into a folder of this process. */
export async function bundleSandbox(): Promise<Bundles> {
  // Below the repository, so that the daemon finds the npm packages.
  const folder = join(ROOT, '.tmp', `sandbox-bundles-${process.pid}-${Date.now()}`);
  mkdirSync(folder, { recursive: true });
  const common = {
    platform: 'node',
    target: 'node20.3',
    ...bundling(),
    alias: { sharp: join(ROOT, 'scripts/lib/sharp-cjs.mjs') },
    logLevel: 'error',
  } as const;
  const daemonEntry = join(folder, 'sandbox-daemon.mjs');
  const guestEntry = join(folder, 'sandbox-guest.cjs');
  await build({
    ...common,
    format: 'esm',
    entryPoints: [join(ROOT, 'sandbox/daemon/main.ts')],
    outfile: daemonEntry,
  });
  const memberEntry = join(folder, 'sandbox-member.mjs');
  await build({
    ...common,
    format: 'esm',
    entryPoints: [join(ROOT, 'sandbox/pool-machine/main.ts')],
    outfile: memberEntry,
  });
  await build({
    ...common,
    format: 'cjs',
    entryPoints: [join(ROOT, 'sandbox/guest/main.ts')],
    outfile: guestEntry,
  });
  return {
    daemonEntry,
    guestEntry,
    memberEntry,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
