import { build } from 'esbuild';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundling } from '../../support/bundling.ts';

const ROOT = join(__dirname, '../../..');
/** Below the repository, so that the daemon finds the npm packages. */
const ALL = join(ROOT, '.tmp/sandbox-bundles');

export interface Bundles {
  readonly daemonEntry: string;
  readonly guestEntry: string;
  readonly memberEntry: string;
}

/**
 * The daemon and the guest as production runs them, bundled from the sources of now. The test files of one process share them:
 * most of the sandbox's tests need them, and each would bundle the same.
 */
export async function bundleSandbox(): Promise<Bundles> {
  const folder = join(ALL, `${process.pid}-${performance.timeOrigin}`);
  const bundles = {
    daemonEntry: join(folder, 'sandbox-daemon.mjs'),
    guestEntry: join(folder, 'sandbox-guest.cjs'),
    memberEntry: join(folder, 'sandbox-member.mjs'),
  };
  if (existsSync(folder)) return bundles;
  removeOfEnded();
  const partial = `${folder}.partial`;
  mkdirSync(partial, { recursive: true });
  const common = {
    platform: 'node',
    target: 'node20.3',
    ...bundling(),
    alias: { sharp: join(ROOT, 'scripts/lib/sharp-cjs.mjs') },
    logLevel: 'error',
  } as const;
  await build({
    ...common,
    format: 'esm',
    entryPoints: {
      'sandbox-daemon': join(ROOT, 'sandbox/daemon/main.ts'),
      'sandbox-member': join(ROOT, 'sandbox/pool-machine/main.ts'),
    },
    outdir: partial,
    outExtension: { '.js': '.mjs' },
  });
  await build({
    ...common,
    format: 'cjs',
    entryPoints: [join(ROOT, 'sandbox/guest/main.ts')],
    outfile: join(partial, 'sandbox-guest.cjs'),
  });
  renameSync(partial, folder);
  return bundles;
}

/** Removes what processes made that have ended; nothing runs at their end. */
function removeOfEnded(): void {
  if (!existsSync(ALL)) return;
  for (const name of readdirSync(ALL)) {
    if (!isRunning(Number(name.split('-')[0]))) rmSync(join(ALL, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
