import type { BatchRecords } from './batches.ts';
import type { Blobs } from './blobs.ts';
import type { Effects } from './effects.ts';
import type { EventLog } from './events.ts';
import type { FileRecords } from './files.ts';
import type { AgentRecords, EnvironmentRecords, SessionRecords } from './records.ts';

/** Everything durable, but for the engine's own state. Several processes may have the same one open. */
export interface Store {
  readonly blobs: Blobs;
  readonly events: EventLog;
  readonly sessions: SessionRecords;
  readonly agents: AgentRecords;
  readonly environments: EnvironmentRecords;
  readonly effects: Effects;
  readonly batches: BatchRecords;
  readonly files: FileRecords;
  /**
   * Removes what nobody has: blobs that no row names, rows of sessions that are gone, half-written bytes. In small turns, and
   * safe beside everything else, in other processes too.
   */
  sweep(): Promise<void>;
  /** Ends subscriptions and gives the files up. Nothing of the store may be used after it; twice does no harm. */
  close(): Promise<void>;
}

/** What of an installation a process is. `all` is both of the others. */
export type StorePart = 'all' | 'server' | 'worker';
