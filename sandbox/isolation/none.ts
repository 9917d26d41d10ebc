import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freeDisplayNumber, xLockPath, xSocketPath } from '../guest/display-service.ts';
import { endProcesses, markedProcesses } from '../process-tree.ts';
import type { SandboxLayout } from '../layout.ts';
import { machineName } from '../machine-name.ts';
import { writeWholeSync } from '../whole-file.ts';
import { writeDesktopFolder } from './desktop-folder.ts';
import { spawnedGuest } from './started-guest.ts';
import { type GuestProcess, type GuestStart, type IsolationBackend, guestEnvironment } from './backend.ts';

/**
 * No isolation, for machines where the agent may do all that its host user may. The agent reads and writes every file
 * of that user and reaches the network. Its home is the workspace folder itself (there is no `/home/agent`), `/tmp` is
 * shared, and the X display has a number of its own. Processes are found by a mark in their environment, so one that
 * clears its environment outlives the sandbox. No limits apply. This backend must be asked for by name.
 */
export function noIsolation(layout: SandboxLayout): IsolationBackend {
  const marked = () => markedProcesses(machineName(layout.folder));
  return {
    kind: 'none',
    start: startGuest,
    processes: () => marked().map(({ pid }) => pid),
    cleanUp: async () => {
      await endProcesses(marked, 0);
      const number = rememberedDisplay(layout);
      if (number === null) return;
      for (const path of [xSocketPath(number), xLockPath(number)]) rmSync(path, { force: true });
    },
  };
}

async function startGuest(
  { config, layout, nodePath, guestEntry }: GuestStart,
  onStderr: (chunk: Buffer) => void,
): Promise<GuestProcess> {
  const runtime = join(layout.folder, 'run');
  rmSync(runtime, { recursive: true, force: true });
  writeDesktopFolder(layout.desktop, layout.desktop);
  const display = freeDisplayNumber();
  // The number is kept on disk: whoever cleans up after a killed daemon must know it too.
  writeWholeSync(displayFile(layout), `${display}`);
  const options = {
    home: layout.workspace,
    runtime: join(runtime, 'guest'),
    display,
    screen: config.display,
    endAll: true,
  };
  const child = spawn(nodePath, [guestEntry, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...guestEnvironment({ home: layout.workspace, runtime, desktop: layout.desktop }),
      STEADYHAND_SANDBOX: machineName(layout.folder),
    },
    cwd: layout.workspace,
    detached: true,
  });
  const guest = await spawnedGuest('none', child, onStderr);
  return { ...guest, xSocketFolder: '/tmp/.X11-unix' };
}

function rememberedDisplay(layout: SandboxLayout): number | null {
  try {
    return Number(readFileSync(displayFile(layout), 'latin1')) || null;
  } catch {
    return null;
  }
}

function displayFile(layout: SandboxLayout): string {
  return join(layout.folder, 'display-number');
}
