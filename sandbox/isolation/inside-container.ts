import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  renameSync,
  readdirSync,
  rmSync,
  rmdirSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { EGRESS_PORT } from '../guest/egress-relay.ts';
import { xLockPath, xSocketPath } from '../guest/display-service.ts';
import type { SandboxLayout } from '../layout.ts';
import { endProcesses, processesOfUser } from '../process-tree.ts';
import { removeTree } from '../remove-tree.ts';
import {
  AGENT_HOME,
  AGENT_UID,
  type GuestProcess,
  type GuestStart,
  type IsolationBackend,
  IsolationError,
  guestEnvironment,
} from './backend.ts';
import { writeDesktopFolder } from './desktop-folder.ts';
import { withLimits } from './limits/ulimits.ts';
import { spawnedGuest } from './started-guest.ts';

const DISPLAY = 1;
const X_SOCKETS = '/tmp/.X11-unix';
/**
 * `/mnt/session` is a link to this folder in the image. Like the home it is on the volume, and not below the daemon's
 * closed folder.
 */
const SESSION = '/home/session';
const RUNTIME = `/run/user/${AGENT_UID}`;
/** This folder is in memory, and not below the daemon's folder, which the agent may not enter. */
const DESKTOP = '/run/desktop';

/**
 * The daemon and its guest run in a container of their own, which isolates them from the machine: see sandbox/image.
 * Users separate the two: the daemon is the container's root with the few rights that its work needs. The guest and all
 * that the agent runs are another user without any, who cannot signal the daemon, read its folder or become somebody
 * else.
 */
export const insideContainer: IsolationBackend = {
  kind: 'container',
  start: startGuest,
  processes: () => processesOfUser(AGENT_UID).map(({ pid }) => pid),
  cleanUp: async () => {
    await endProcesses(() => processesOfUser(AGENT_UID), 0);
    for (const path of [xSocketPath(DISPLAY), xLockPath(DISPLAY)]) rmSync(path, { force: true });
  },
};

/** Removes the files in the agent's home, which may be a volume itself, and the session's files. */
export async function removeAgentFiles(): Promise<void> {
  await removeTree(SESSION);
  for (const name of namesIn(AGENT_HOME)) await removeTree(join(AGENT_HOME, name));
}

async function startGuest(
  { config, layout, nodePath, guestEntry }: GuestStart,
  onStderr: (chunk: Buffer) => void,
): Promise<GuestProcess> {
  if (process.getuid?.() !== 0)
    throw new IsolationError(
      'container',
      'the daemon has to be root in its container, with few capabilities',
    );
  makeFolders(layout);
  writeDesktopFolder(DESKTOP, DESKTOP);
  const options = {
    home: AGENT_HOME,
    runtime: `${RUNTIME}/guest`,
    display: DISPLAY,
    screen: config.display,
    become: { uid: AGENT_UID, gid: AGENT_UID },
    // Only the daemon ends what is left, by its user.
    endAll: false,
    sized: ['/tmp', '/var/tmp', '/dev/shm', '/run'],
  };
  const program = [nodePath, guestEntry, JSON.stringify(options)];
  // Memory and processes are limited by the container: to the kernel, other containers' agents are the same user.
  const limits = { ...config.limits, processes: null };
  const [shell = '', ...words] = withLimits(program, limits, ['memory_mib']);
  const child = spawn(shell, words, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...guestEnvironment({
        home: AGENT_HOME,
        runtime: RUNTIME,
        desktop: DESKTOP,
        egressPort: config.networking.type === 'none' ? undefined : EGRESS_PORT,
      }),
      STEADYHAND_SANDBOX: config.id,
    },
    cwd: '/',
    detached: true,
  });
  const guest = await spawnedGuest('container', child, onStderr);
  return { ...guest, xSocketFolder: X_SOCKETS };
}

function makeFolders({ workspace, session }: SandboxLayout): void {
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
  // The daemon reaches the files through links, because its own folder is out of the agent's reach and these are not.
  if (!lstatSync(session).isSymbolicLink()) {
    rmSync(SESSION, { recursive: true, force: true });
    renameSync(session, SESSION);
    symlinkSync(SESSION, session);
  }
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
