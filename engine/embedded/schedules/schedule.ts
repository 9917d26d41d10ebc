import type { temporal } from '@temporalio/proto';
import type { WorkflowExecutionRef } from '../primitives/run-ref.ts';
import type { EncodedMessage } from '../protocol/proto.ts';
import type { CompiledSpec } from './spec/compiled-spec.ts';

/** A start that is due but has not happened yet. In all of these records times are ms since the epoch. */
export interface BufferedStart {
  readonly nominal: number;
  /** The nominal time with its jitter. */
  readonly actual: number;
  /** A `ScheduleOverlapPolicy`; 0 for that of the schedule when the start is decided upon. */
  readonly overlap: number;
  /** Whether somebody asked for it (trigger, backfill), so that pauses and limits do not apply. */
  readonly manual: boolean;
}

export interface ActionResult extends WorkflowExecutionRef {
  readonly scheduleTime: number;
  readonly actualTime: number;
  /** A `WorkflowExecutionStatus`; that of runs which may overlap stays as it was when they started. */
  status: number;
}

interface Backfill {
  /** The last time that is done with. */
  after: number;
  readonly end: number;
  readonly overlap: number;
}

/** What changes while a schedule runs. It is plain JSON. */
export interface ScheduleState {
  readonly createRequestId: string;
  /** The requests that were served, so that a repeated one changes nothing. */
  requestIds: string[];
  conflictToken: number;
  paused: boolean;
  notes: string;
  limitedActions: boolean;
  remainingActions: number;
  readonly createTime: number;
  updateTime?: number;
  /** Times up to this one are done with. */
  lastProcessed: number;
  actionCount: number;
  missedCatchupWindow: number;
  overlapSkipped: number;
  bufferDropped: number;
  /** The runs that others must not overlap. */
  running: WorkflowExecutionRef[];
  /** The newest last. */
  recent: ActionResult[];
  buffered: BufferedStart[];
  backfills: Backfill[];
  /** The `Payloads` of the last run that completed. */
  lastCompletionResult?: EncodedMessage;
  /** The `Failure` of the last run, if it failed. */
  continuedFailure?: EncodedMessage;
}

/** What a schedule is asked to do, in the form in which it is kept. */
export interface ScheduleDefinition {
  /** Canonical spec, action, and policies with their defaults; the state stands elsewhere. */
  readonly schedule: temporal.api.schedule.v1.ISchedule;
  readonly spec: CompiledSpec;
  /** Why the spec has no times, when it cannot be used any more: its time zone is not known to this machine. */
  readonly invalid?: string;
  readonly memo: temporal.api.common.v1.IMemo | null;
  /** Custom attributes by alias, as `SearchAttributeRegistry.validate` returned them. */
  readonly searchAttributes: Readonly<Record<string, temporal.api.common.v1.IPayload>>;
}

export interface ScheduleRef {
  readonly namespace: string;
  readonly scheduleId: string;
  /** Is new for each schedule, also for one under the id of a deleted one. */
  readonly runId: string;
}

export interface Schedule {
  /** Primary key of the schedule's row. */
  readonly key: number;
  readonly ref: ScheduleRef;
  definition: ScheduleDefinition;
  readonly state: ScheduleState;
}

/** In listings a schedule has the place of a workflow with this prefix, as on the real server. */
export const WORKFLOW_ID_PREFIX = 'temporal-sys-scheduler:';

/** The real server's bounds. */
export const SCHEDULE_LIMITS = {
  defaultCatchupMs: 365 * 86_400_000,
  shortestCatchupMs: 10_000,
  /** How long a schedule without anything left to do is kept. */
  retentionMs: 7 * 86_400_000,
  futureActions: 10,
  recentActions: 10,
  listedActions: 5,
  listedSpecFields: 10,
  bufferedStarts: 1000,
  backfillsPerStep: 10,
  matchingTimes: 1000,
  notesLength: 1000,
  rememberedRequests: 256,
  /** How many times of a long absence are looked at before others have their turn. */
  timesPerStep: 10_000,
} as const;
