import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

/** Builds the daemon and the guest from the sources as they are now, if they are not built yet, and says where they lie. */
export function buildSandbox(): { readonly daemonEntry: string; readonly guestEntry: string } {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  return {
    daemonEntry: resolve('dist/sandbox-daemon.mjs'),
    guestEntry: resolve('dist/sandbox-guest.cjs'),
  };
}
