import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  rmdirSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { xLockPath, xSocketPath } from '../guest/display-service.ts';
import { endProcesses, processesOfUser } from '../guest/process-tree.ts';
import { removeTree } from '../remove-tree.ts';
import {
  AGENT_HOME,
  AGENT_UID,
  type GuestStart,
  type IsolationBackend,
  IsolationError,
  guestEnvironment,
} from './backend.ts';
import { writeDesktopFolder } from './desktop-folder.ts';

const DISPLAY = 1;
const X_SOCKETS = '/tmp/.X11-unix';
const RUNTIME = `/run/user/${AGENT_UID}`;
/** In memory, and not below the daemon's folder, which the agent may not enter. */
const DESKTOP = '/run/desktop';

/**
 * The daemon and its guest in a container of their own, which is the wall to the machine: see sandbox/image. Between the two
 * stand users: the daemon is the container's root with the few rights that its work needs, the guest and all that the agent
 * runs are another user without any, who cannot signal the daemon, read its folder or become somebody else.
 */
export const insideContainer: IsolationBackend = {
  kind: 'container',
  start: startGuest,
  cleanUp: async () => {
    await endProcesses(() => processesOfUser(AGENT_UID), 0);
    for (const path of [xSocketPath(DISPLAY), xLockPath(DISPLAY)]) rmSync(path, { force: true });
  },
};

/** Removes what the agent has in its home: the folder itself may be a volume. */
export async function emptyAgentHome(): Promise<void> {
  for (const name of namesIn(AGENT_HOME)) await removeTree(join(AGENT_HOME, name));
}

async function startGuest({
  config,
  layout,
  nodePath,
  guestEntry,
}: GuestStart): ReturnType<IsolationBackend['start']> {
  if (process.getuid?.() !== 0)
    throw new IsolationError(
      'container',
      'the daemon has to be root in its container, with few capabilities',
    );
  makeFolders(layout.workspace);
  writeDesktopFolder(DESKTOP, DESKTOP);
  const options = {
    home: AGENT_HOME,
    runtime: `${RUNTIME}/guest`,
    display: DISPLAY,
    become: { uid: AGENT_UID, gid: AGENT_UID },
    // Nobody ends what is left but the daemon, by its user.
    endAll: false,
  };
  const child = spawn(nodePath, [guestEntry, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...guestEnvironment({ home: AGENT_HOME, runtime: RUNTIME, desktop: DESKTOP }),
      STEADYHAND_SANDBOX: config.id,
    },
    cwd: '/',
    detached: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new IsolationError('container', error.message)));
  });
  return { child, xSocketFolder: X_SOCKETS };
}

function makeFolders(workspace: string): void {
  for (const [path, mode, owner] of [
    [AGENT_HOME, 0o755, AGENT_UID],
    ['/run/user', 0o755, 0],
    [RUNTIME, 0o700, AGENT_UID],
    [X_SOCKETS, 0o1777, 0],
  ] as const) {
    mkdirSync(path, { recursive: true });
    chownSync(path, owner, owner);
    chmodSync(path, mode);
  }
  // The daemon's way to the files is the agent's: its folder is out of the agent's reach, its home is not.
  if (lstatSync(workspace).isSymbolicLink()) return;
  rmdirSync(workspace);
  symlinkSync(AGENT_HOME, workspace);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
