import { build } from 'esbuild';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The daemon and the guest bundled from the sources of now into `folder`, below the repository for the npm packages. */
export async function bundleSandbox(folder: string): Promise<{
  readonly entries: { readonly daemonEntry: string; readonly guestEntry: string };
  remove(): void;
}> {
  mkdirSync(folder, { recursive: true });
  const daemonEntry = join(folder, 'sandbox-daemon.mjs');
  const guestEntry = join(folder, 'sandbox-guest.cjs');
  const common = { bundle: true, platform: 'node', packages: 'external', logLevel: 'error' } as const;
  await build({ ...common, format: 'esm', entryPoints: ['sandbox/daemon/main.ts'], outfile: daemonEntry });
  await build({ ...common, format: 'cjs', entryPoints: ['sandbox/guest/main.ts'], outfile: guestEntry });
  return {
    entries: { daemonEntry, guestEntry },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
