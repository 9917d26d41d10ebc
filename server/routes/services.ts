import type { Duplex, Readable } from 'node:stream';
import type {
  ActionOutcome,
  ActionRequest,
  Compat,
  DamagedSandboxInfo,
  DisplaySize,
  Networking,
  SandboxInfo,
  SandboxLimits,
  ScreenRecording,
  SnapshotInfo,
  Takeover,
  TakeoverPage,
  TakeoverStart,
} from '@steadyhand/contracts';
import type { NetworkLogPage, SandboxFiles } from '@steadyhand/sandbox/client';

/** The parts that act, which the server is given; the server itself only speaks HTTP. */

/** The running side of a session: its workflow, and the sandbox that this made. */
export interface SessionRuntime {
  /**
   * Events stand in the session's outbox: the workflow is to take them, and is started when there is none. They are
   * durable already, so this may only be late, never lost; calling it for nothing does nothing.
   */
  deliver(session: string): Promise<void>;
  /** The machine's state, e.g. `tool_use` or `awaiting_approval`; null when the session has never run. */
  state(session: string): Promise<string | null>;
  /**
   * Makes the agent wait and gives its computer to a person, once the action under way has ended; with `interrupt` that is
   * stopped. Answers when the person may act, or null when that is not so within some seconds: it comes by itself then.
   * Rejects with a `conflict_error` while somebody else has it.
   */
  takeOver(
    session: string,
    terms: TakeoverStart,
    options: { readonly interrupt: boolean },
  ): Promise<Takeover | null>;
  /**
   * Ends a takeover, or withdraws one that has not begun: null then. Rejects with a `not_found_error` where there is none of
   * this id.
   */
  handBack(session: string, takeover: string): Promise<Takeover | null>;
  /**
   * Removes a session whose deletion has begun: its workflow, its sandbox, its log. What fails is tried again until it is
   * done; never rejects.
   */
  end(session: string): Promise<void>;
}

/** The running side of batches: their workflows. */
export interface BatchRuntime {
  /**
   * The batch stands in the store, new or canceling: its workflow is to know. It may only be late, never lost; calling it for
   * nothing does nothing. Never rejects.
   */
  deliver(batch: string): Promise<void>;
}

/** Screens and who acts on them. The methods reject with the API's errors. */
export interface WatchingService {
  /** A viewer's connection to the screen, in RFB. It is view-only unless `takeover` names the takeover that it acts in. */
  watch(sandbox: string, takeover: string | null): Promise<Duplex>;
  takeOver(
    sandbox: string,
    terms: TakeoverStart,
    options: { readonly interrupt: boolean },
  ): Promise<Takeover>;
  handBack(sandbox: string, takeover: string): Promise<Takeover>;
  /** The newest takeover and its inputs from number `after` on. */
  read(sandbox: string, after: number): Promise<TakeoverPage>;
  /** The session whose agent uses the sandbox, null for one of its own. */
  sessionOf(sandbox: string): Promise<string | null>;
}

/** Sandboxes for people who bring their own loop. Unknown ids reject with an ApiError `not_found_error`. */
export interface SandboxService {
  /**
   * Creates a sandbox. With an idempotency key it answers the sandbox that the key made before, and rejects with an ApiError
   * `conflict_error` for another request under it.
   */
  create(options: {
    readonly idempotency?: { readonly key: string; readonly request: string } | undefined;
    readonly display: DisplaySize;
    readonly compat: Compat;
    readonly networking?: Networking | undefined;
    /** The snapshot that its workspace is made from. */
    readonly snapshotId?: string | undefined;
    readonly limits?: Partial<SandboxLimits> | undefined;
  }): Promise<SandboxInfo>;
  /** What the programs inside asked the egress proxy for, with numbers above `after`, oldest first. */
  networkLog(id: string, page: { readonly after: number; readonly limit: number }): Promise<NetworkLogPage>;
  list(): Promise<readonly (SandboxInfo | DamagedSandboxInfo)[]>;
  get(id: string): Promise<SandboxInfo | DamagedSandboxInfo>;
  /** The screen as a PNG. */
  screenshot(id: string): Promise<Uint8Array>;
  /**
   * Acts in order, once under each request's key. When `signal` is aborted the action that runs is not stopped, and no
   * other is begun.
   */
  performAll(
    id: string,
    requests: readonly ActionRequest[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly ActionOutcome[]>;
  /** Title of the window that has the keyboard; null where there is none. */
  windowTitle(id: string): Promise<string | null>;
  /** Whether an action was begun under this key. */
  isKnown(id: string, key: string): Promise<boolean>;
  /** Ends its processes and removes its files. */
  delete(id: string): Promise<void>;
}

/** The files inside sandboxes. The methods reject with the API's errors. */
export type SandboxFileService = Pick<
  SandboxFiles,
  'list' | 'describe' | 'read' | 'write' | 'remove' | 'makeFolder' | 'move'
>;

/** Snapshots of sandboxes' workspaces. The methods reject with the API's errors. */
export interface SnapshotService {
  take(sandbox: string): Promise<SnapshotInfo>;
  /** The snapshots of the sandbox. */
  listOf(sandbox: string): Promise<readonly SnapshotInfo[]>;
  restore(sandbox: string, id: string): Promise<SnapshotInfo>;
  /** False when the sandbox has no such snapshot. */
  removeOf(sandbox: string, id: string): Promise<boolean>;
  /** The snapshots on this machine, and those of sandboxes elsewhere. */
  list(): Promise<readonly SnapshotInfo[]>;
  find(id: string): Promise<SnapshotInfo | null>;
  remove(id: string): Promise<boolean>;
}

/** Videos of sandboxes' screens. The methods reject with the API's errors. */
export interface ScreenRecordingService {
  read(sandbox: string): Promise<ScreenRecording>;
  switch(sandbox: string, action: 'start' | 'stop'): Promise<ScreenRecording>;
  /** The segment's bytes, as WebM. */
  segment(sandbox: string, number: number): Promise<{ readonly sizeBytes: number; readonly body: Readable }>;
}
