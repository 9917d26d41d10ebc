import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createSandboxes } from '../../sandbox/client/hosted-sandboxes.ts';
import type { Sandboxes } from '../../sandbox/client/sandboxes.ts';

export interface BenchSandboxes {
  readonly folder: string;
  readonly sandboxes: Sandboxes;
  /** Closes the connections and removes the folder. */
  readonly close: () => void;
}

/** Sandboxes in a folder of their own, of the daemon and the guest as their sources are now. Warnings are printed. */
export function openSandboxes(isolation = 'auto', { quiet = false } = {}): BenchSandboxes {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const folder = mkdtempSync(join(tmpdir(), 'bench-sandboxes-'));
  const sandboxes = createSandboxes({
    dir: folder,
    daemonEntry: resolve('dist/sandbox-daemon.mjs'),
    guestEntry: resolve('dist/sandbox-guest.cjs'),
    isolation: isolation === 'none' ? 'none' : 'auto',
    logger: {
      info: () => undefined,
      warn: (fields, message) => {
        if (!quiet) console.error(message, fields);
      },
    },
  });
  const close = (): void => {
    sandboxes.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, sandboxes, close };
}
