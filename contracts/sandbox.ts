/**
 * Which results the tools give: `default` repairs the reference implementation's defects, `reference` reproduces them.
 */
export type Compat = 'default' | 'reference';

/** Pixels of the X screen. */
export interface DisplaySize {
  readonly width: number;
  readonly height: number;
}

/**
 * Which hosts the programs in a sandbox may reach. All connections go through the egress proxy. The host's own
 * addresses, private networks and link-local addresses (metadata services) are refused in each case, unless the
 * operator of the machine permits them.
 */
export type Networking =
  | { readonly type: 'unrestricted' }
  | {
      readonly type: 'limited';
      /** Host names; `*.example.com` covers all subdomains, and `:port` allows another port than 80 and 443. */
      readonly allowed_hosts: readonly string[];
      /** Allows the public registries of apt, npm, pip, cargo, gem and go as well. */
      readonly allow_package_managers: boolean;
      readonly allow_mcp_servers: boolean;
    }
  | { readonly type: 'none' };

/** Packages that are installed in a sandbox, by package manager; each may carry a version in its manager's syntax. */
export interface Packages {
  readonly apt: readonly string[];
  readonly cargo: readonly string[];
  readonly gem: readonly string[];
  readonly go: readonly string[];
  readonly npm: readonly string[];
  readonly pip: readonly string[];
}

/** What all programs in a sandbox may use together; null for no limit. A cgroup enforces it where there is one. */
export interface SandboxLimits {
  readonly memory_mib: number | null;
  readonly processes: number | null;
  /** The size of the workspace and the outputs. */
  readonly disk_mib: number | null;
  /** The number of files and folders in the workspace and the outputs. */
  readonly files: number | null;
  readonly cpus: number | null;
}

/**
 * The window that has the keyboard: title and X class (`Xterm`, `Chromium`) as its program set them; either may be
 * empty.
 */
export interface ActiveWindow {
  readonly title: string;
  readonly class: string;
}

/** A file that a caller has mounted: its path relative to `/mnt/session/uploads`, and the id of its content. */
export interface MountedFile {
  readonly path: string;
  readonly id: string;
}

/**
 * What isolates a sandbox from the machine it runs on; `remote` is a daemon on another machine, however it isolates.
 */
export type IsolationKind = 'bubblewrap' | 'none' | 'container' | 'remote';

/** `failed`: one of the sandbox's own files is damaged, so it does not start; it can be deleted. */
export type SandboxStatus = 'starting' | 'running' | 'stopped' | 'failed';

export interface SandboxInfo {
  /** `sbx_...` */
  readonly id: string;
  readonly status: SandboxStatus;
  readonly display: DisplaySize;
  readonly compat: Compat;
  readonly isolation: IsolationKind;
  readonly networking: Networking;
  /** The action policy that it was created with; absent where there was none. */
  readonly policy?: unknown;
  readonly limits: SandboxLimits;
  /** RFC 3339. */
  readonly created_at: string;
  /** Changes whenever the sandbox is started anew: its programs and shell are gone then, and its files are kept. */
  readonly boot: string | null;
  /** Why it is `failed`; null otherwise. */
  readonly reason: string | null;
}

/** A sandbox whose record is damaged, so that its settings cannot be read. It can be deleted. */
export interface DamagedSandboxInfo {
  readonly id: string;
  readonly status: 'failed';
  readonly display: null;
  readonly compat: null;
  readonly isolation: null;
  readonly networking: null;
  readonly limits: null;
  /** RFC 3339, taken from its folder. */
  readonly created_at: string;
  readonly boot: null;
  /** Names the file and what is wrong with it. */
  readonly reason: string;
}
