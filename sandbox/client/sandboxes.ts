import type {
  ActionOutcome,
  ActionRequest,
  Compat,
  DamagedSandboxInfo,
  DisplaySize,
  Networking,
  Packages,
  SandboxInfo,
  SandboxLimits,
  Tracing,
} from '@steadyhand/contracts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import type { Capabilities, IsolationChoice } from './capabilities.ts';
import type { SandboxLink } from './connection/link.ts';
import type { HostsOptions } from './hosts/hosts.ts';
import type { MachineWait } from './hosts/machines.ts';
import type { SnapshotArchives } from './snapshot-archives.ts';

/** By default the daemon and the guest are those of the installed package, and nothing is logged. */
type Defaulted = 'daemonEntry' | 'guestEntry' | 'logger';

export interface SandboxesOptions
  extends Omit<HostsOptions, Defaulted>, Partial<Pick<HostsOptions, Defaulted>> {
  /**
   * `auto` is bubblewrap where that works, a container on macOS and under WSL, and an error elsewhere; the other kinds have to be
   * chosen explicitly.
   */
  readonly isolation: IsolationChoice;
  /** Keeps snapshots of containers and pool machines; default: they belong to their sandboxes. */
  readonly archives?: SnapshotArchives | undefined;
  /** Tells of actions and of where their time went; default: nobody. */
  readonly tracing?: Tracing | undefined;
  /** Values for sandboxes whose request does not name them. */
  readonly defaults?: {
    readonly display?: DisplaySize;
    readonly compat?: Compat;
    /** Default 120,000. */
    readonly bashTimeoutMs?: number;
    /** Default: unrestricted. */
    readonly networking?: Networking;
    /** Default: `DEFAULT_LIMITS`. */
    readonly limits?: SandboxLimits;
  };
}

export interface CreateSandbox {
  /** `sbx_` and letters, digits, `_` or `-`. Default: a new one. */
  readonly id?: string;
  /**
   * Used instead of an id: names the sandbox that this key made before, as long as it exists. `request` distinguishes
   * the same request from another one, for which the key is refused (SandboxError `key_reused`).
   */
  readonly idempotency?: { readonly key: string; readonly request: string } | undefined;
  readonly display?: DisplaySize;
  readonly compat?: Compat;
  readonly networking?: Networking | undefined;
  /** Default: none. */
  readonly packages?: Packages;
  /**
   * The snapshot that the workspace starts with. A sandbox that is not on this machine can be given one of the archives. Default: an
   * empty workspace.
   */
  readonly snapshotId?: string | undefined;
  /** Rules for those who send actions; stored unchanged. */
  readonly policy?: unknown;
  /** Limits that are left out have the default; null means no limit. */
  readonly limits?: Partial<SandboxLimits> | undefined;
  /**
   * How long to wait for a place on a pool machine, and for a machine that is away; it is no part of the sandbox.
   * Default: 30 seconds for a place.
   */
  readonly wait?: MachineWait | undefined;
}

/** What an interrupt found. */
export interface Interrupted {
  /** An action under the key was running or waiting; its outcome can still be had by `perform`. */
  readonly running: boolean;
  /** False when the daemon could not be asked in time, so that it is not known whether an action was running. */
  readonly answered: boolean;
}

/** All sandboxes of a data folder. Their daemons outlive this process, and several processes may use them at once. */
export interface Sandboxes {
  /**
   * Makes and starts a sandbox. For an id that exists, starts that sandbox and leaves it unchanged. Rejects with
   * SandboxError `no_place` when no pool machine had room for it in time, and `lost` when its machine is gone.
   */
  create(options?: CreateSandbox): Promise<SandboxInfo>;
  /** What is known of a sandbox. Starts nothing. */
  get(id: string): Promise<SandboxInfo | DamagedSandboxInfo>;
  list(): Promise<readonly (SandboxInfo | DamagedSandboxInfo)[]>;
  /** How many sandboxes this process has found to be damaged and not deleted or found whole since. */
  readonly damaged: number;
  /** Starts the sandbox's daemon when none runs. */
  ensure(id: string): Promise<SandboxInfo>;
  /**
   * The outcome of the action under its key, which is performed now or was recorded. Reconnects and asks by the key
   * when the daemon goes away. `signal` ends the waiting, not the action.
   */
  perform(
    id: string,
    request: ActionRequest,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ActionOutcome>;
  /**
   * Does some work with the sandbox's daemon, which is started when it does not run. The work is repeated when the
   * connection is lost, so it has to be repeatable.
   */
  reach<T>(
    id: string,
    work: (link: SandboxLink) => Promise<T>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<T>;
  /**
   * Stops the action that runs or waits under this key; one that has not begun is never begun. Resolves within about a
   * second, even when the daemon is away, is being started or hangs; the action is then stopped as soon as it can be
   * reached.
   */
  interrupt(id: string, key: string): Promise<Interrupted>;
  /** The screen as it is now, as PNG bytes. */
  screenshot(id: string): Promise<Uint8Array>;
  /** Leaves no process, socket, lock file, mount or folder; an id that does not exist is no error. */
  delete(id: string): Promise<void>;
  /** Finds running daemons and finishes interrupted deletions and creations. To be called when a server starts. */
  adopt(): Promise<readonly SandboxInfo[]>;
  /** What this machine can run; it is tried once. */
  capabilities(): Promise<Capabilities>;
  /** The snapshots on this machine, of all sandboxes. */
  readonly snapshots: Pick<Snapshots, 'find' | 'list' | 'remove'>;
  /** Where snapshots of sandboxes on other machines are kept; null where they belong to their sandboxes. */
  readonly archives: SnapshotArchives | null;
  /** Closes this process's connections. The sandboxes go on. */
  close(): void;
}

export type { Capabilities } from './capabilities.ts';
