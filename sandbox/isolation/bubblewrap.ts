import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { packageManagerEnvironment, packageManagerFiles } from '../packages/package-manager-files.ts';
import { layerEtc, overlayCommand } from '../packages/overlay.ts';
import {
  AGENT_HOME,
  AGENT_UID,
  type GuestProcess,
  type GuestStart,
  type IsolationBackend,
  IsolationError,
  PACKAGES_INSIDE,
  guestEnvironment,
} from './backend.ts';
import { type ControlGroup, openControlGroup } from './limits/cgroup.ts';
import { SERVER_PIPE, withLimits } from './limits/ulimits.ts';
import { seccompFilter } from './seccomp/filter.ts';
import { machineName } from '../machine-name.ts';
import { findProgram } from '../find-program.ts';
import { EGRESS_PORT } from '../guest/egress-relay.ts';
import { type ScreenSize, X_SERVER, xServerCommand } from '../guest/x-server.ts';
import { EGRESS_SOCKET } from '../layout.ts';
import { writeDesktopFolder } from './desktop-folder.ts';
import { ETC_FILES, HOSTNAME } from './etc-files.ts';
import { SESSION_FOLDER, sessionMounts } from './session-folder.ts';
import { startedGuest } from './started-guest.ts';
import { SYSTEM_PARENTS, systemArguments } from './system-view.ts';
import { errorText } from '../error-fields.ts';
import { loaderOf } from './dynamic-loader.ts';
import { processesOf } from '../process-tree.ts';

const INSIDE = '/opt/steadyhand';
/** The X display's number. */
const DISPLAY = 1;
const EGRESS_INSIDE = '/run/steadyhand';
/** The path of a program that may be executed but not read. */
const UNREADABLE = `${INSIDE}/guest`;
/** The first descriptor of files that are copied into the sandbox. */
const FIRST_COPY = 7;
/** This shell is the first process: while it waits, bash reaps processes whose parents have ended. */
const FIRST = ['/bin/bash', '--norc', '--noprofile', '-c', '"$@"; exit $?', 'first'];
const START_MS = 20_000;
const MIB = 1024 * 1024;

/**
 * The sandbox has its own user, mount, pid, ipc, uts, network and cgroup namespaces, no new privileges, a read-only
 * system and a private /tmp.
 *
 * When the host user is root, the agent must not be that same user: it could write /proc/sys (the kernel checks the
 * user, not a capability, and a core_pattern written there runs on the host). So the user namespace maps its root to
 * the host's only until `setpriv` has become the agent, a user of the host that nothing else uses. Process limits,
 * which the kernel does not enforce for root, apply to it too.
 */
export const bubblewrap: IsolationBackend = {
  kind: 'bubblewrap',
  start: startGuest,
  processes: (first) => processesOf(first).map(({ pid }) => pid),
  // Everything inside is in one pid namespace and died with its first process.
  cleanUp: () => Promise.resolve(),
};

async function startGuest(start: GuestStart, onStderr: (chunk: Buffer) => void): Promise<GuestProcess> {
  const { config, layout, nodePath, guestEntry, packages } = start;
  const desktop = `${INSIDE}/desktop`;
  writeDesktopFolder(layout.desktop, desktop, packageManagerFiles(desktop, AGENT_HOME));
  const mapped = config.agent_uid;
  const runtime = `/run/user/${AGENT_UID}`;
  const egress = config.networking.type !== 'none';
  const screen = packages?.building === undefined ? config.display : undefined;
  const server = screen && xServer(screen);
  const { NODE_EXTRA_CA_CERTS: authorities, ...managers } = packageManagerEnvironment(desktop, AGENT_HOME);
  const options = {
    authorities,
    home: AGENT_HOME,
    runtime: `${runtime}/guest`,
    display: DISPLAY,
    screen: server === undefined ? screen : { descriptor: SERVER_PIPE },
    endAll: false,
    sized: ['/tmp', '/dev/shm', '/run'],
    ...(egress ? { egress: join(EGRESS_INSIDE, EGRESS_SOCKET) } : {}),
  };
  const mounts = [
    ...ETC_FILES.map((name) => ['--ro-bind', join(layout.etc, name), `/etc/${name}`]),
    ['--ro-bind', nodePath, `${INSIDE}/node`],
    ['--ro-bind', layout.desktop, desktop],
    // Connecting writes nothing, so a read-only mount of the socket is enough.
    egress ? ['--ro-bind', layout.egress, EGRESS_INSIDE] : [],
    ['--bind', layout.x11, '/tmp/.X11-unix'],
    ...homeAndPackages(start),
    ...(packages?.building === undefined ? sessionMounts(layout) : []),
  ].flat();
  const overlay = packages === undefined ? [] : overlayCommand(packages.folder, layout.usr);
  const group = openControlGroup(machineName(layout.folder), config.limits);
  const program = guestProgram(nodePath, mapped, [`${INSIDE}/guest.cjs`, JSON.stringify(options)]);
  // The X server runs as the agent, too.
  const become = mapped === null ? [] : becomeAgent();
  const child = spawnBubblewrap(
    mapped,
    mounts,
    [...become, ...withLimits(program.words, config.limits, group.holds, server)],
    {
      ...managers,
      ...guestEnvironment({
        home: AGENT_HOME,
        runtime,
        desktop,
        egressPort: egress ? EGRESS_PORT : undefined,
        packages: packages === undefined ? undefined : PACKAGES_INSIDE,
      }),
    },
    {
      ...(overlay.length > 0 ? { overlay: { words: overlay, usr: layout.usr } } : {}),
      group,
      // They are copied, so that the agent can read the first and not the second whatever the modes of the files on the
      // host are.
      copies: [
        { from: guestEntry, to: `${INSIDE}/guest.cjs`, mode: '0444' },
        { from: program.closed, to: UNREADABLE, mode: '0111' },
      ],
      ownsFirst: program.ownsFirst,
    },
  );
  const [stdin, stdout, stderr] = child.stdio;
  if (!stdin || !stdout || !stderr) throw new IsolationError('bubblewrap', 'no pipes to the guest');
  const guest = startedGuest(child as GuestProcess['child'], onStderr);
  await readyToRun(child, mapped);
  return { ...guest, xSocketFolder: layout.x11 };
}

/**
 * Returns how the guest is started so that the agent, whose user it is, cannot inspect it; see `loaderOf`. Where the host's
 * user is an ordinary one, the first process is the agent's user too, so it is made unreadable as well.
 */
function guestProgram(
  nodePath: string,
  mapped: number | null,
  words: readonly string[],
): { readonly words: readonly string[]; readonly closed: string; readonly ownsFirst: boolean } {
  const loader = loaderOf(nodePath);
  // A program without a loader is copied itself.
  const guest = [UNREADABLE, ...(loader === null ? [] : [`${INSIDE}/node`]), ...words];
  const closed = loader ?? nodePath;
  if (mapped !== null) return { words: guest, closed, ownsFirst: false };
  const ownsFirst = loader !== null && loaderOf('/bin/bash') === loader;
  return { words: ownsFirst ? [UNREADABLE, ...FIRST, ...guest] : guest, closed, ownsFirst };
}

/**
 * The X server, which starts before the guest; undefined when there is none. It is the host's own program by its full
 * path: one of the agent's could look into the guest before that is closed.
 */
function xServer(size: ScreenSize): readonly string[] | undefined {
  const program = findProgram(X_SERVER);
  return program === null ? undefined : xServerCommand(DISPLAY, size, program);
}

/** Becomes the agent and gives up every right for good. */
function becomeAgent(): readonly string[] {
  const none = '-setuid,-setgid,-setpcap';
  return [
    ['/usr/bin/setpriv', '--reuid', `${AGENT_UID}`, '--regid', `${AGENT_UID}`, '--clear-groups'],
    ['--inh-caps', none, '--bounding-set', none],
  ].flat();
}

/** Installed packages are mounted read-only. A builder has a temporary home in place of the agent's. */
function homeAndPackages({ layout, packages }: GuestStart): readonly (readonly string[])[] {
  if (packages === undefined) return [['--bind', layout.workspace, AGENT_HOME]];
  const { folder, building } = packages;
  if (building === undefined) {
    return [
      ['--bind', layout.workspace, AGENT_HOME],
      ['--ro-bind', folder, PACKAGES_INSIDE],
      layerEtc(folder),
    ];
  }
  const root = join(folder, 'root');
  return [
    ['--bind', join(folder, 'home'), AGENT_HOME],
    ['--bind', folder, PACKAGES_INSIDE],
    // Code of packages runs while the others are installed, so Debian's files are read-only then.
    ...(building === 'others' ? [['--ro-bind', root, `${PACKAGES_INSIDE}/root`]] : []),
  ];
}

/** Runs `true` the way a guest would be started. Returns null when that works, else the reason. */
export async function probeBubblewrap(agentUid: number | null): Promise<string | null> {
  const child = spawnBubblewrap(agentUid, [], ['/bin/true'], { PATH: '/usr/bin:/bin' });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const log = collect(child.stdio[2]);
  try {
    await readyToRun(child, agentUid);
    const code = await ended;
    return code === 0 ? null : `bwrap ended with code ${code}: ${log()}`;
  } catch (error) {
    return errorText(error).replace(/^.*is not possible: /, '');
  }
}

function spawnBubblewrap(
  agentUid: number | null,
  mounts: readonly string[],
  program: readonly string[],
  env: Record<string, string>,
  more: {
    /** The command prefix that mounts the overlay, and the path of the overlaid /usr. */
    readonly overlay?: { readonly words: readonly string[]; readonly usr: string };
    readonly group?: ControlGroup;
    readonly copies?: readonly { readonly from: string; readonly to: string; readonly mode: string }[];
    /** The program is the first process itself and reaps orphaned processes. */
    readonly ownsFirst?: boolean;
  } = {},
): ChildProcess {
  const { overlay = { words: [], usr: '/usr' }, group, copies = [], ownsFirst = false } = more;
  const user =
    agentUid === null
      ? ['--uid', `${AGENT_UID}`, '--gid', `${AGENT_UID}`, '--cap-drop', 'ALL']
      : ['--userns-block-fd', '5', '--info-fd', '4', '--cap-drop', 'ALL'].concat(
          // CAP_SETPCAP is needed to drop all of them.
          ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((capability) => ['--cap-add', capability]),
        );
  const tmpfs = (path: string, mib: number): string[] => [
    '--perms',
    '1777',
    '--size',
    `${mib * MIB}`,
    '--tmpfs',
    path,
  ];
  const filter = seccompFilter();
  const args = [
    ['--unshare-all', '--unshare-user', '--die-with-parent', '--new-session', '--hostname', HOSTNAME],
    user,
    ownsFirst ? ['--as-pid-1'] : [],
    filter === null ? [] : ['--seccomp', '6'],
    [...SYSTEM_PARENTS, '/home', '/opt', INSIDE, '/mnt', SESSION_FOLDER].flatMap((folder) => [
      '--perms',
      '0755',
      '--dir',
      folder,
    ]),
    systemArguments(overlay.usr),
    ['--proc', '/proc', '--dev', '/dev'],
    tmpfs('/dev/shm', 256),
    tmpfs('/tmp', 1024),
    tmpfs('/run', 64),
    ['--symlink', '/tmp', '/var/tmp'],
    mounts,
    copies.flatMap(({ to, mode }, index) => ['--perms', mode, '--ro-bind-data', `${FIRST_COPY + index}`, to]),
    ['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', '/'],
  ].flat();
  // The arguments go through a pipe, because everybody can read a command line, inside too. The program is looked up on
  // this process's PATH: the PATH in `env` is the agent's, and so are the programs on it.
  const bwrap = [findProgram('bwrap') ?? '/usr/bin/bwrap', '--args', '3', '--', ...program];
  const [first = '', ...rest] = [...overlay.words, ...bwrap];
  const files = copies.map(({ from }) => openSync(from, 'r'));
  const child = spawn(first, rest, {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', ...files],
    env,
    cwd: '/',
  });
  child.on('error', () => undefined);
  for (const file of files) closeSync(file);
  // Nothing runs before the arguments have arrived, so everything that bwrap starts is in the group.
  try {
    if (child.pid !== undefined) group?.add(child.pid);
  } catch (error) {
    child.kill('SIGKILL');
    throw new IsolationError('bubblewrap', `no control group takes it: ${errorText(error)}`);
  }
  const filterPipe = pipeOf(child, 6) as Writable | undefined;
  filterPipe?.on('error', () => undefined);
  filterPipe?.end(filter ?? '');
  const argumentPipe = pipeOf(child, 3) as Writable | undefined;
  argumentPipe?.on('error', () => undefined);
  argumentPipe?.end(args.map((arg) => `${arg}\0`).join(''));
  return child;
}

async function readyToRun(child: ChildProcess, agentUid: number | null): Promise<void> {
  const failed = new Promise<never>((_, reject) => {
    const log = collect(child.stdio[2]);
    child.once('error', (error) => reject(new IsolationError('bubblewrap', error.message)));
    child.once('close', (code) => {
      if (code !== 0) reject(new IsolationError('bubblewrap', log() || `bwrap ended with code ${code}`));
    });
    setTimeout(
      () => reject(new IsolationError('bubblewrap', 'bwrap did not start in 20 s')),
      START_MS,
    ).unref();
  });
  // The guest client notices later failures.
  failed.catch(() => undefined);
  if (agentUid === null) return;
  const info = pipeOf(child, 4) as Readable;
  const text = await Promise.race([readJson(info), failed]);
  const pid = (JSON.parse(text) as { readonly 'child-pid': number })['child-pid'];
  const map = `0 0 1\n${AGENT_UID} ${agentUid} 1\n`;
  try {
    await writeFile(`/proc/${pid}/uid_map`, map);
    await writeFile(`/proc/${pid}/gid_map`, map);
  } catch (error) {
    child.kill('SIGKILL');
    throw new IsolationError('bubblewrap', `the user namespace could not be mapped: ${String(error)}`);
  }
  const block = pipeOf(child, 5) as Writable;
  block.on('error', () => undefined);
  block.end('x');
}

function pipeOf(child: ChildProcess, fd: number): unknown {
  return (child.stdio as readonly unknown[])[fd] ?? undefined;
}

/** Reads bubblewrap's info, which is one JSON object on a pipe that stays open. */
function readJson(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.trimEnd().endsWith('}')) resolve(text);
    });
  });
}

function collect(stream: unknown): () => string {
  const chunks: string[] = [];
  (stream as Readable | null)?.on('data', (chunk: Buffer) => {
    if (chunks.length < 20) chunks.push(chunk.toString('utf8'));
  });
  return () => chunks.join('').trim();
}
