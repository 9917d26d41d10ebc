import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { IsolationKind } from '@steadyhand/contracts';
import type { SandboxConfig } from '../config.ts';
import { desktopEnvironment } from '../desktop/desktop-files.ts';
import type { SandboxLayout } from '../layout.ts';
import { layerEnvironment } from '../packages/install.ts';

/** How a sandbox is kept apart from the machine it runs on. */
export interface IsolationBackend {
  readonly kind: IsolationKind;
  /**
   * Starts the guest; rejects with IsolationError when it cannot be started. `onStderr` gets everything that comes on
   * its standard error, from the first byte on.
   */
  start(options: GuestStart, onStderr: (chunk: Buffer) => void): Promise<GuestProcess>;
  /** Returns the ids of the processes inside, given the id of the first one. Ids are those that this process sees. */
  processes(first: number): readonly number[];
  /** Ends whatever a guest may have left behind. It is safe to call at any time. */
  cleanUp(): Promise<void>;
}

export interface GuestStart {
  readonly config: SandboxConfig;
  readonly layout: SandboxLayout;
  /** Node's executable and the bundled guest, as paths on the host. */
  readonly nodePath: string;
  readonly guestEntry: string;
  /** The layer of installed packages. While it is built the guest may write it, and sees nothing of the workspace. */
  readonly packages?: { readonly folder: string; readonly building?: 'debian' | 'others' };
}

export interface GuestProcess {
  /** Standard input and output carry the guest's protocol. */
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when the guest has ended and all of its standard error was read. */
  readonly closed: Promise<void>;
  /** The folder, as the daemon sees it, in which the X server creates its socket. */
  readonly xSocketFolder: string;
}

export class IsolationError extends Error {
  override readonly name = 'IsolationError';
  readonly kind: IsolationKind;
  constructor(kind: IsolationKind, reason: string) {
    super(`isolation by ${kind} is not possible: ${reason}`);
    this.kind = kind;
  }
}

/** The layer of packages is mounted here inside. */
export const PACKAGES_INSIDE = '/opt/steadyhand/packages';
/** The agent's home inside every sandbox that has its own view of the file system. */
export const AGENT_HOME = '/home/agent';
/** The agent's user and group inside. */
export const AGENT_UID = 1000;

/** Programs of the system are searched here, inside and outside. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/games';

/** Returns the whole environment inside: nothing of the host's is passed on. All paths are as they are seen inside. */
export function guestEnvironment(folders: {
  readonly home: string;
  readonly runtime: string;
  /** The folder of the desktop's configuration; see `desktop-folder.ts`. */
  readonly desktop: string;
  /** The egress proxy's port on the loopback inside. Without it there is no network, or the machine's own. */
  readonly egressPort?: number | undefined;
  /** The path of the layer of packages, when there is one. */
  readonly packages?: string | undefined;
}): Record<string, string> {
  const { home, runtime, egressPort, packages } = folders;
  const layer = packages === undefined ? null : layerEnvironment(packages);
  const desktop = desktopEnvironment(folders.desktop);
  return {
    ...desktop.env,
    ...layer?.env,
    HOME: home,
    USER: 'agent',
    LOGNAME: 'agent',
    SHELL: '/bin/bash',
    // The agent's own folder comes last: its programs must not replace those that the tools run.
    PATH: [desktop.path, layer?.path, SYSTEM_PATH, `${home}/.local/bin`].filter(Boolean).join(':'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    TMPDIR: '/tmp',
    XDG_RUNTIME_DIR: runtime,
    ...(egressPort === undefined ? {} : proxyEnvironment(egressPort)),
  };
}

/** Sets both spellings: curl reads http_proxy in lower case only, others only the upper one. */
function proxyEnvironment(port: number): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const env = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: 'localhost,127.0.0.1,::1' };
  const lower = Object.entries(env).map(([name, value]) => [name.toLowerCase(), value] as const);
  // Node's own fetch uses them only with this variable.
  return { ...env, ...Object.fromEntries(lower), NODE_USE_ENV_PROXY: '1' };
}
