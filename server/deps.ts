import type { Duplex, Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Batches } from '../batches/batches.ts';
import type { EngineKind } from '../engine/index.ts';
import type { Inference } from '../inference/inference.ts';
import type { ModelCatalog, ProviderRegistry } from '../messages/providers/registry.ts';
import type { SandboxFiles } from '../sandbox/client/files.ts';
import type { NetworkLogPage } from '../sandbox/client/network-log.ts';
import type {
  ActionOutcome,
  ActionRequest,
  Compat,
  DisplaySize,
  Networking,
  DamagedSandboxInfo,
  SandboxInfo,
  SandboxLimits,
  ScreenRecording,
  Takeover,
  TakeoverPage,
  TakeoverStart,
} from '../sandbox/protocol.ts';
import type { ActionPolicy } from '../sessions/policy/action-policy.ts';
import type { SnapshotInfo } from '../sandbox/protocol.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Files } from '../sessions/files/files.ts';
import type { Blobs } from '../store/blobs.ts';
import type { StorageState } from '../store/storage-guard.ts';
import type { Access } from './auth/access.ts';
import type { StreamPatience } from './message-stream.ts';
import type { Scrub } from './redaction.ts';

/** What the server is made of. Everything that acts comes in from outside; the server only speaks HTTP. */
export interface ServerDeps {
  /** 0 takes a free port. */
  readonly port: number;
  readonly host: string;
  readonly access: Access;
  /** A UUID: what the answers under /v1 say in `anthropic-organization-id`. */
  readonly organization: string;
  readonly log: Logger;
  /** Takes secrets out of errors' texts; default: the clients' keys, and whatever looks like one. */
  readonly scrub?: Scrub;
  /** Milliseconds since the epoch, for rate limits; default: the clock. */
  readonly now?: () => number;
  /** How answers to wrong keys are delayed; default: a timer. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` tells the client's address; default: none. */
  readonly trustedProxies?: readonly string[];
  /** The folder of `index.html`, served under /static. */
  readonly staticDir: string;
  readonly newId: (prefix: string) => string;
  readonly health: () => Health;
  readonly providers: ProviderRegistry;
  readonly catalog: ModelCatalog;
  readonly sessions: Sessions;
  readonly blobs: Blobs;
  readonly files: Files;
  readonly runtime: SessionRuntime;
  readonly batches: Batches;
  readonly batchRuntime: BatchRuntime;
  readonly sandboxes: SandboxService;
  /** Rules for every action on this server's sandboxes; default: none. */
  readonly policy?: ActionPolicy | undefined;
  readonly sandboxFiles: SandboxFileService;
  /** Machines elsewhere that lend themselves for a sandbox each; without one they cannot register. */
  readonly sandboxPool?: SandboxPoolService;
  readonly snapshots: SnapshotService;
  /** Throws StorageFull where nothing more is to be put on the disk; default: there is always room. */
  readonly requireRoom?: () => void;
  readonly watching: WatchingService;
  readonly screenRecording: ScreenRecordingService;
  readonly inference: Inference;
  /** Whether the pages of the API's description are served: /docs, /redoc and the descriptions themselves. */
  readonly docs: boolean;
  /** The largest request body of the inference routes, in bytes. */
  readonly uploadLimitBytes: number;
  /** Pixels of an image at most, where no model is asked; default: that of the decoder. */
  readonly pixelLimit?: number;
  /** How long a body may take to arrive, in ms; default 60 s, of a batch 280 s. */
  readonly uploadTimeoutMs?: number;
  /** How long a streamed reply may be silent; default 10 s before its first event, 5 s between two. */
  readonly streaming?: StreamPatience;
}

/** What `/health` tells beside `status`, `version` and `uptime_s`. */
export interface Health {
  readonly version: string;
  readonly engine: { readonly kind: EngineKind; readonly address: string; readonly namespace: string };
  /** Whether sandboxes can have a desktop here, behind which isolation, and why not. */
  readonly desktop: {
    readonly available: boolean;
    readonly isolation: SandboxInfo['isolation'] | null;
    readonly reason: string | null;
    /** Machines of the sandbox pool that were heard of lately; null without a pool. */
    readonly pool?: { readonly members: number; readonly free: number } | null;
  };
  /** Default: all is well. */
  readonly store?: StoreHealth;
}

/** How the store is. */
export interface StoreHealth {
  readonly status: StorageState['status'];
  /** One line: what cannot be written and why; null where all is well. */
  readonly reason: string | null;
  /** Sessions whose record or log was found to be damaged. */
  readonly broken_sessions: number;
}

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
    terms: TakeoverTerms,
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

/** The pool of machines elsewhere. */
export interface SandboxPoolService {
  /** Takes a member's word; answers the body to send back and its proof. ApiError when it is not to be believed. */
  register(signed: {
    readonly time: string;
    readonly nonce: string;
    readonly proof: string;
    readonly body: string;
    /** The address that it came from. */
    readonly from: string;
  }): { readonly body: string; readonly proof: string };
  members(): readonly SandboxPoolMember[];
}

export interface SandboxPoolMember {
  readonly id: string;
  readonly status: 'free' | 'used' | 'away';
  readonly sandbox_id: string | null;
  /** host:port */
  readonly address: string;
  readonly isolation: SandboxInfo['isolation'];
  readonly desktop: boolean;
  /** RFC 3339. */
  readonly last_seen_at: string;
}

export type TakeoverTerms = TakeoverStart;

/** Screens and who acts on them. Rejects with the API's errors. */
export interface WatchingService {
  /** A viewer's line to the screen: RFB. View-only unless `takeover` is the takeover whose hand it is. */
  watch(sandbox: string, takeover: string | null): Promise<Duplex>;
  takeOver(
    sandbox: string,
    terms: TakeoverTerms,
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
  /** With an idempotency key: the sandbox that it made before; an ApiError `conflict_error` for another request under it. */
  create(options: {
    readonly idempotency?: { readonly key: string; readonly request: string } | undefined;
    readonly display: DisplaySize;
    readonly compat: Compat;
    readonly networking?: Networking | undefined;
    /** What its workspace is at first. */
    readonly snapshotId?: string | undefined;
    readonly limits?: Partial<SandboxLimits> | undefined;
  }): Promise<SandboxInfo>;
  /** What the programs inside asked the egress proxy for, with numbers above `after`, oldest first. */
  networkLog(id: string, page: { readonly after: number; readonly limit: number }): Promise<NetworkLogPage>;
  list(): Promise<readonly (SandboxInfo | DamagedSandboxInfo)[]>;
  get(id: string): Promise<SandboxInfo | DamagedSandboxInfo>;
  /** PNG bytes. */
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

/** The files inside sandboxes. Rejects with the API's errors. */
export type SandboxFileService = Pick<
  SandboxFiles,
  'list' | 'describe' | 'read' | 'write' | 'remove' | 'makeFolder' | 'move'
>;

/** Snapshots of sandboxes' workspaces. Rejects with the API's errors. */
export interface SnapshotService {
  take(sandbox: string): Promise<SnapshotInfo>;
  /** Those of the sandbox. */
  listOf(sandbox: string): Promise<readonly SnapshotInfo[]>;
  restore(sandbox: string, id: string): Promise<SnapshotInfo>;
  /** False when the sandbox has no such snapshot. */
  removeOf(sandbox: string, id: string): Promise<boolean>;
  /** Those on this machine. */
  list(): Promise<readonly SnapshotInfo[]>;
  find(id: string): Promise<SnapshotInfo | null>;
  remove(id: string): Promise<boolean>;
}

/** Videos of sandboxes' screens. Rejects with the API's errors. */
export interface ScreenRecordingService {
  read(sandbox: string): Promise<ScreenRecording>;
  switch(sandbox: string, action: 'start' | 'stop'): Promise<ScreenRecording>;
  /** WebM. */
  segment(sandbox: string, number: number): Promise<{ readonly sizeBytes: number; readonly body: Readable }>;
}
