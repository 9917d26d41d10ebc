import type { BatchRunner } from '../batches/batch-runner.ts';
import type { BatchStore } from '../batches/batch-store.ts';
import type { HistoryStore } from '../history/history-store.ts';
import type { HistoryWatch } from '../history/history-watch.ts';
import type { CommitGroup } from '../persistence/commit-group.ts';
import type { Limits } from '../primitives/limits.ts';
import type { QueryServices } from '../queries/dispatch.ts';
import type { VisibilityStore } from '../visibility/visibility-store.ts';
import type { ActivityRegistry } from '../standalone-activities/activity-registry.ts';
import type { ScheduleRegistry } from '../schedules/schedule-registry.ts';
import type { TimeSkipper } from '../time-skipping/time-skipper.ts';
import type { WorkerRegistry } from '../workers/worker-registry.ts';
import type { CompletionServices } from '../workflow-tasks/complete.ts';

/** Everything that the handlers use; each of them takes a part of it. */
export interface HandlerServices extends CompletionServices, QueryServices {
  /** Identifies the database; it stays the same over restarts. */
  readonly clusterId: string;
  readonly group: Pick<CommitGroup, 'flush'>;
  readonly history: HistoryStore;
  readonly watch: HistoryWatch;
  readonly visibility: VisibilityStore;
  readonly batches: BatchStore;
  readonly batchRunner: BatchRunner;
  readonly limits: Limits;
  readonly schedules: ScheduleRegistry;
  readonly activities: ActivityRegistry;
  readonly workers: WorkerRegistry;
  /** Undefined where time is not skipped. */
  readonly skipper: TimeSkipper | undefined;
}
