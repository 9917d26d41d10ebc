import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { IsolationKind } from '@steadyhand/contracts';
import type { SandboxConfig } from '../config.ts';
import { desktopEnvironment } from '../desktop/desktop-files.ts';
import type { SandboxLayout } from '../layout.ts';
import { layerEnvironment } from '../packages/environment.ts';

/** How a sandbox is kept apart from the machine it runs on. */
export interface IsolationBackend {
  readonly kind: IsolationKind;
  /**
   * Starts the guest; rejects with IsolationError when it cannot be started. `onStderr` gets all that comes on its standard
   * error, from the first byte on.
   */
  start(options: GuestStart, onStderr: (chunk: Buffer) => void): Promise<GuestProcess>;
  /** The processes inside, by the first one's id; ids are this process's. */
  processes(first: number): readonly number[];
  /** Ends whatever a guest may have left behind; safe to call at any time. */
  cleanUp(): Promise<void>;
}

export interface GuestStart {
  readonly config: SandboxConfig;
  readonly layout: SandboxLayout;
  /** Node's executable and the bundled guest, as paths on the host. */
  readonly nodePath: string;
  readonly guestEntry: string;
  /** The layer of installed packages; while it is built the guest may write it, and sees nothing of the workspace. */
  readonly packages?: { readonly folder: string; readonly building?: 'debian' | 'others' };
}

export interface GuestProcess {
  /** Standard input and output carry the guest's protocol. */
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when it has ended and all that it said was heard. */
  readonly closed: Promise<void>;
  /** The folder, as the daemon sees it, in which the X server makes its socket. */
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

/** Where the layer of packages is seen inside. */
export const PACKAGES_INSIDE = '/opt/steadyhand/packages';
/** Where the agent lives inside every sandbox that has its own view of the file system. */
export const AGENT_HOME = '/home/agent';
/** The agent's user and group inside. */
export const AGENT_UID = 1000;

/** Where programs of the system are looked for, inside and out. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/games';

/** The whole environment inside: nothing of the host's is passed on. All are paths as they are seen inside. */
export function guestEnvironment(folders: {
  readonly home: string;
  readonly runtime: string;
  /** Configuration of the desktop; see `desktop-folder.ts`. */
  readonly desktop: string;
  /** The egress proxy's port on the loopback inside; without it there is no network, or the machine's own. */
  readonly egressPort?: number | undefined;
  /** The layer of packages, when there is one. */
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
    // The agent's own folder last: what it leaves there must not stand in for the programs that the tools run.
    PATH: [desktop.path, layer?.path, SYSTEM_PATH, `${home}/.local/bin`].filter(Boolean).join(':'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    TMPDIR: '/tmp',
    XDG_RUNTIME_DIR: runtime,
    ...(egressPort === undefined ? {} : proxyEnvironment(egressPort)),
  };
}

/** In both spellings: curl reads http_proxy in lower case alone, others only the upper one. */
function proxyEnvironment(port: number): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const env = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: 'localhost,127.0.0.1,::1' };
  const lower = Object.entries(env).map(([name, value]) => [name.toLowerCase(), value] as const);
  // Node's own fetch looks at them when it is told to.
  return { ...env, ...Object.fromEntries(lower), NODE_USE_ENV_PROXY: '1' };
}
