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
} from '@steadyhand/contracts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import type { Capabilities, IsolationChoice } from './capabilities.ts';
import { HostedSandboxes } from './hosted-sandboxes.ts';
import type { SandboxLink } from './connection/link.ts';
import type { HostsOptions } from './hosts/hosts.ts';

export interface SandboxesOptions extends HostsOptions {
  /** `auto` is bubblewrap where it works and an error where it does not; the others must be asked for. */
  readonly isolation: IsolationChoice;
  /** For sandboxes that are created without saying. */
  readonly defaults?: {
    readonly display?: DisplaySize;
    readonly compat?: Compat;
    /** Default 120,000. */
    readonly bashTimeoutMs?: number;
    /** Default: unrestricted. */
    readonly networking?: Networking;
    /** Default: 4,096 processes and nothing else. */
    readonly limits?: SandboxLimits;
  };
}

export interface CreateSandbox {
  /** `sbx_` and letters, digits, `_` or `-`. Default: a new one. */
  readonly id?: string;
  /**
   * In place of an id: the sandbox that this key made before, as long as it exists. `request` tells the same request from
   * another one, for which the key is refused (SandboxError `key_reused`).
   */
  readonly idempotency?: { readonly key: string; readonly request: string } | undefined;
  readonly display?: DisplaySize;
  readonly compat?: Compat;
  readonly networking?: Networking | undefined;
  /** Default: none. */
  readonly packages?: Packages;
  /** What its workspace is at first; for sandboxes on this machine. Default: nothing. */
  readonly snapshotId?: string | undefined;
  /** Rules that whoever hands in actions holds them against; kept as they are. */
  readonly policy?: unknown;
  /** Those that are left out are the default's; null holds none. */
  readonly limits?: Partial<SandboxLimits> | undefined;
}

/** What an interrupt has met. */
export interface Interrupted {
  /** An action under the key was under way, or waited for its turn; its outcome is still to be had by `perform`. */
  readonly running: boolean;
  /** False when the daemon could not be asked in time: whether anything was running is then not known. */
  readonly answered: boolean;
}

/** All sandboxes of a data folder. Their daemons outlive this process; any process may use them, several at once too. */
export interface Sandboxes {
  /** Makes a sandbox and starts it; for an id that exists, starts that one and leaves it as it is. */
  create(options?: CreateSandbox): Promise<SandboxInfo>;
  /** What is known of a sandbox; starts nothing. */
  get(id: string): Promise<SandboxInfo | DamagedSandboxInfo>;
  list(): Promise<readonly (SandboxInfo | DamagedSandboxInfo)[]>;
  /** Starts the sandbox's daemon when none runs. */
  ensure(id: string): Promise<SandboxInfo>;
  /**
   * The outcome of the action under its key: performed now, or what is recorded. Reconnects by the key when the daemon
   * goes away. `signal` ends the waiting, not the action.
   */
  perform(
    id: string,
    request: ActionRequest,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ActionOutcome>;
  /**
   * Does some work with the sandbox's daemon, which is started when need be. The work is done again when the connection is
   * lost, so it must be one that may be repeated.
   */
  reach<T>(
    id: string,
    work: (link: SandboxLink) => Promise<T>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<T>;
  /**
   * Stops the action that runs or waits under this key, and keeps one that has not begun from ever being begun. Answers within
   * about a second, also when the daemon is away, is being started or hangs; it stops the action when it can be reached again.
   */
  interrupt(id: string, key: string): Promise<Interrupted>;
  /** PNG bytes of the screen as it is now. */
  screenshot(id: string): Promise<Uint8Array>;
  /** Leaves no process, socket, lock file, mount or folder; an id that does not exist is no error. */
  delete(id: string): Promise<void>;
  /** At a server's start: finds running daemons and finishes deletions and creations that were cut short. */
  adopt(): Promise<readonly SandboxInfo[]>;
  /** What this machine allows, tried once. */
  capabilities(): Promise<Capabilities>;
  /** Those on this machine, of whatever sandbox. */
  readonly snapshots: Pick<Snapshots, 'find' | 'list' | 'remove'>;
  /** Closes this process's connections; sandboxes go on. */
  close(): void;
}

export function createSandboxes(options: SandboxesOptions): Sandboxes {
  return new HostedSandboxes(options);
}

export type { Capabilities } from './capabilities.ts';
