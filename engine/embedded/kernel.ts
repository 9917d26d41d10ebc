import type { HistoryStore } from './history/history-store.ts';
import type { HistoryWatch } from './history/history-watch.ts';
import type { Limits } from './limits.ts';
import type { Matching } from './matching/matching.ts';
import type { RunRegistry } from './mutable-state/run-registry.ts';
import type { NamespaceRegistry } from './namespaces/namespace-registry.ts';
import type { CommitGroup } from './persistence/commit-group.ts';
import type { QueryRegistry } from './queries/query-registry.ts';
import type { TimerQueue } from './timer-queue/timer-queue.ts';
import type { TransferRecord } from './mutable-state/record.ts';
import type { Clock, EngineLogger, RunRef } from './types.ts';
import type { UpdateRegistry } from './updates/update-registry.ts';
import type { SearchAttributeRegistry } from './visibility/search-attribute-registry.ts';
import type { VisibilityStore } from './visibility/visibility-store.ts';

/** The parts of a running engine, passed to the functions that make up its behaviour. */
export interface Kernel {
  readonly now: Clock;
  readonly logger: EngineLogger;
  /** Identifies this database; the same after every restart. */
  readonly clusterId: string;
  readonly limits: Limits;
  readonly group: CommitGroup;
  readonly runs: RunRegistry;
  readonly history: HistoryStore;
  readonly watch: HistoryWatch;
  readonly matching: Matching;
  readonly timers: TimerQueue;
  readonly queries: QueryRegistry;
  readonly updates: UpdateRegistry;
  readonly namespaces: NamespaceRegistry;
  readonly visibility: VisibilityStore;
  readonly searchAttributes: SearchAttributeRegistry;
  performTransfer(this: void, ref: RunRef, transfer: TransferRecord): void;
}
