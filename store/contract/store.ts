import type { BatchRecords } from './batches.ts';
import type { Blobs } from './blobs.ts';
import type { Effects } from './effects.ts';
import type { EventLog } from './events.ts';
import type { StoreFigures } from './figures.ts';
import type { FileRecords } from './files.ts';
import type { Leases } from './leases.ts';
import type { OnceOnly } from './once-only.ts';
import type { Rates } from './rates.ts';
import type { Relay } from './relay.ts';
import type { SandboxRecords } from './sandboxes.ts';
import type { AgentRecords, EnvironmentRecords, SessionRecords } from './records.ts';
import type { Settings } from './settings.ts';

/** Everything durable but the engine's own state. Several processes may have the same store open. */
export interface Store {
  /** A random id that was made when the store was first opened. It never changes. */
  readonly installation: string;
  readonly settings: Settings;
  readonly blobs: Blobs;
  readonly events: EventLog;
  readonly sessions: SessionRecords;
  readonly agents: AgentRecords;
  readonly environments: EnvironmentRecords;
  readonly effects: Effects;
  readonly batches: BatchRecords;
  readonly files: FileRecords;
  /** Counts what operators watch, over all processes that use the store. */
  figures(): Promise<StoreFigures>;
  readonly onceOnly: OnceOnly;
  /** Null where each part of the product runs in one process, so that it knows by itself what it is at. */
  readonly leases: Leases | null;
  /** Null where one server alone has the store, which counts in its memory. */
  readonly rates: Rates | null;
  /** Null where processes with the store do not hear each other. */
  readonly relay: Relay | null;
  /** Null where the sandboxes' folders on the store's disk say all of this. */
  readonly sandboxes: SandboxRecords | null;
  /**
   * Removes what belongs to nothing: blobs without a reference, rows of deleted sessions, half-written bytes. It works
   * in small transactions and is safe beside all other work, in other processes too.
   */
  sweep(): Promise<void>;
  /** Ends subscriptions and closes the files. The store may not be used afterwards; closing it again does nothing. */
  close(): Promise<void>;
}

/** The part of an installation that a process runs. `all` is both of the others. */
export type StorePart = 'all' | 'server' | 'worker';
