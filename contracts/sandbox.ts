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

/**
 * `waiting`: no machine of the pool has been free for it yet. `failed`: one of the sandbox's own files is damaged, so it
 * does not start. `lost`: its machine is gone, and with it its files. The last two can only be deleted.
 */
export type SandboxStatus = 'waiting' | 'starting' | 'running' | 'stopped' | 'failed' | 'lost';

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
  /** Why it is `waiting`, `failed` or `lost`; null otherwise. */
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

/** One connection, or one plain HTTP request, that a program in a sandbox made or tried to make. */
export interface NetworkRequest {
  /** Counts this sandbox's requests from 1, in the order in which they ended; never given twice. */
  readonly number: number;
  /** When it began, as RFC 3339. */
  readonly at: string;
  readonly host: string;
  readonly port: number;
  /** `CONNECT`, or the HTTP method of a plain request. */
  readonly method: string;
  readonly verdict: 'allowed' | 'denied';
  /** Why it was denied, or how it failed; null when neither. */
  readonly reason: string | null;
  readonly bytes_sent: number;
  readonly bytes_received: number;
  readonly duration_ms: number;
}

/** A copy of a sandbox's whole workspace. */
export interface SnapshotInfo {
  /** `snap_...` */
  readonly id: string;
  /** The sandbox that was copied, which may be gone; empty where that cannot be read. */
  readonly sandbox_id: string;
  /** `failed`: its record is damaged, so only its id is known; it can be deleted. */
  readonly status: 'ready' | 'failed';
  /** Why it is `failed`; null otherwise. */
  readonly reason: string | null;
  /** RFC 3339. */
  readonly created_at: string;
  readonly entries: number;
  /** The size of the regular files, with their holes. */
  readonly size_bytes: number;
  /**
   * How many entries were left out: FIFOs, sockets, unreadable files, and entries that changed their kind meanwhile.
   */
  readonly skipped: number;
  /** The first hundred entries that were left out, relative to the workspace. */
  readonly skipped_paths: readonly string[];
}

/** One file of a screen recording, in WebM with VP8. */
export interface RecordingSegment {
  /** Counts up from 1. */
  readonly number: number;
  /** RFC 3339. */
  readonly started_at: string;
  readonly size_bytes: number;
  /** Whether the file is still being written. */
  readonly active: boolean;
}

/** The recording of a sandbox's screen. */
export interface ScreenRecording {
  readonly status: 'recording' | 'stopped';
  /** Why nothing is written although the recording is on; null where it is written. */
  readonly error: string | null;
  /** The size of all segments together; above it the oldest are deleted. */
  readonly limit_bytes: number;
  /** The segments, oldest first. */
  readonly segments: readonly RecordingSegment[];
}
