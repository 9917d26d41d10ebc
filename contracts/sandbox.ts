/** Which results the tools give: `default` mends the reference's defects, `reference` reproduces it to the letter. */
export type Compat = 'default' | 'reference';

/** Pixels of the X screen. */
export interface DisplaySize {
  readonly width: number;
  readonly height: number;
}

/**
 * What the programs inside may reach, always through the egress proxy: a sandbox has no other way out. By host name; the
 * host's own addresses, private networks and link-local ones (metadata services) are refused in each, unless the operator of
 * the machine lets sandboxes reach them.
 */
export type Networking =
  | { readonly type: 'unrestricted' }
  | {
      readonly type: 'limited';
      /** Names, `*.example.com` for all below one, with `:port` to allow another port than 80 and 443. */
      readonly allowed_hosts: readonly string[];
      /** Also the public registries of apt, npm, pip, cargo, gem and go. */
      readonly allow_package_managers: boolean;
      readonly allow_mcp_servers: boolean;
    }
  | { readonly type: 'none' };

/** Packages that a sandbox's programs find installed, by package manager; each may carry its manager's version mark. */
export interface Packages {
  readonly apt: readonly string[];
  readonly cargo: readonly string[];
  readonly gem: readonly string[];
  readonly go: readonly string[];
  readonly npm: readonly string[];
  readonly pip: readonly string[];
}

/** What everything inside may take together; null: as much as the machine gives. Held by cgroup where there is one. */
export interface SandboxLimits {
  readonly memory_mib: number | null;
  readonly processes: number | null;
  /** Of the workspace and the outputs. */
  readonly disk_mib: number | null;
  /** Files and folders in them. */
  readonly files: number | null;
  readonly cpus: number | null;
}

/** The window that has the keyboard, in its program's own words: title and X class (`Xterm`, `Chromium`); either may be empty. */
export interface ActiveWindow {
  readonly title: string;
  readonly class: string;
}

/** A file that a caller has mounted: its relative path below `/mnt/session/uploads`, and what names its content. */
export interface MountedFile {
  readonly path: string;
  readonly id: string;
}

/** What keeps a sandbox apart from the machine it runs on; `remote` is a daemon elsewhere, whatever keeps that apart. */
export type IsolationKind = 'bubblewrap' | 'none' | 'container' | 'remote';

/** `failed`: a file of its own is damaged, so it does not start; it can be deleted. */
export type SandboxStatus = 'starting' | 'running' | 'stopped' | 'failed';

export interface SandboxInfo {
  /** `sbx_...` */
  readonly id: string;
  readonly status: SandboxStatus;
  readonly display: DisplaySize;
  readonly compat: Compat;
  readonly isolation: IsolationKind;
  readonly networking: Networking;
  /** Absent where it was created without. */
  readonly policy?: unknown;
  readonly limits: SandboxLimits;
  /** RFC 3339. */
  readonly created_at: string;
  /** Changes whenever the computer inside was started anew: programs and the shell are gone then, files are kept. */
  readonly boot: string | null;
  /** Why it is `failed`; null otherwise. */
  readonly reason: string | null;
}

/** A sandbox whose record is damaged: what it was created with cannot be read. It can be deleted. */
export interface DamagedSandboxInfo {
  readonly id: string;
  readonly status: 'failed';
  readonly display: null;
  readonly compat: null;
  readonly isolation: null;
  readonly networking: null;
  readonly limits: null;
  /** RFC 3339; as its folder says. */
  readonly created_at: string;
  readonly boot: null;
  /** Names the file and what is wrong with it. */
  readonly reason: string;
}
