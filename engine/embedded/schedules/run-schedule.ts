import type { temporal } from '@temporalio/proto';
import type { Clock } from '../primitives/clock.ts';
import {
  Failure,
  Payloads,
  ScheduleOverlapPolicy,
  WorkflowExecutionStatus,
  toEncoded,
} from '../protocol/proto.ts';
import { RpcError } from '../protocol/rpc-error.ts';
import { timestampMs } from '../protocol/values.ts';
import { decideStarts } from './buffer.ts';
import { type Timed, addStart, bufferBackfills, bufferScheduled, mayAct } from './due-times.ts';
import { type Schedule, type ScheduleDefinition, SCHEDULE_LIMITS } from './schedule.ts';
import {
  type Outcome,
  type ScheduledRunServices,
  endScheduledRun,
  outcomeOf,
  startScheduledRun,
} from './scheduled-runs.ts';

export interface ScheduleServices extends ScheduledRunServices {
  readonly now: Clock;
}

type Patch = temporal.api.schedule.v1.ISchedulePatch;

/** What somebody asks of a schedule, besides what its time brings. */
export interface ScheduleRequest {
  readonly patch?: Patch | null;
  readonly update?: {
    readonly definition: ScheduleDefinition;
    readonly state: temporal.api.schedule.v1.IScheduleState | null;
  };
}

/** When the schedule has to be looked at again, if ever; `expired` says that it is over and done with. */
export interface NextStep {
  readonly wakeup: number | undefined;
  readonly expired: boolean;
}

/**
 * Does what is due, within the current transaction, in the server's order: times that have passed are buffered, then
 * the request applies, then backfills continue, then buffered starts happen as their overlap policies allow.
 *
 * @param timed has a draft of the schedule, which this changes
 */
export function runSchedule(
  services: ScheduleServices,
  timed: Timed,
  request: ScheduleRequest = {},
): NextStep {
  const { schedule } = timed;
  const { state } = schedule;
  const now = Math.max(services.now(), state.lastProcessed);
  refresh(services, schedule);
  let due = bufferScheduled(timed, { after: state.lastProcessed, until: now });
  state.lastProcessed = due.last;
  if (request.patch) applyPatch(schedule, request.patch, now);
  if (request.update) {
    applyUpdate(schedule, request.update, now);
    due = bufferScheduled(timed, { after: state.lastProcessed, until: now });
    state.lastProcessed = due.last;
  }
  bufferBackfills(timed);
  while (startBuffered(services, schedule, now));
  return nextStep(schedule, due.next, now);
}

function applyPatch(schedule: Schedule, patch: Patch, now: number): void {
  const { state } = schedule;
  const trigger = patch.triggerImmediately;
  if (trigger) {
    const at = timestampMs(trigger.scheduledTime) ?? now;
    addStart(schedule, { nominal: at, actual: at, overlap: trigger.overlapPolicy ?? 0, manual: true });
  }
  for (const { startTime, endTime, overlapPolicy } of patch.backfillRequest ?? []) {
    if (state.backfills.length >= SCHEDULE_LIMITS.bufferedStarts) {
      state.bufferDropped++;
      continue;
    }
    // The start of a backfill belongs to it.
    const after = (timestampMs(startTime) ?? 0) - 1;
    state.backfills.push({ after, end: timestampMs(endTime) ?? 0, overlap: overlapPolicy ?? 0 });
  }
  if (patch.pause) pause(schedule, true, patch.pause);
  if (patch.unpause) pause(schedule, false, patch.unpause);
}

function pause({ state }: Schedule, paused: boolean, notes: string): void {
  state.paused = paused;
  state.notes = notes;
  state.conflictToken++;
}

function applyUpdate(schedule: Schedule, update: NonNullable<ScheduleRequest['update']>, now: number): void {
  const { state } = schedule;
  schedule.definition = update.definition;
  state.paused = update.state?.paused ?? false;
  state.notes = update.state?.notes ?? '';
  state.limitedActions = update.state?.limitedActions ?? false;
  state.remainingActions = Number(update.state?.remainingActions ?? 0);
  state.updateTime = now;
  state.conflictToken++;
}

/** Takes note of the runs that have ended. */
function refresh({ runs }: ScheduleServices, schedule: Schedule): void {
  const { ref, state } = schedule;
  for (const execution of state.running) {
    const outcome = outcomeOf(runs, ref.namespace, execution);
    if (!outcome) continue;
    state.running = state.running.filter((running) => running !== execution);
    const action = state.recent.find(({ workflowId }) => workflowId === execution.workflowId);
    if (action) action.status = outcome.status;
    pauseOnFailure(schedule, execution.workflowId, outcome);
    if (outcome.result) {
      state.lastCompletionResult = toEncoded(Payloads, Payloads.create(outcome.result));
      delete state.continuedFailure;
    } else if (outcome.failure) {
      state.continuedFailure = toEncoded(Failure, Failure.create(outcome.failure));
    }
  }
}

function pauseOnFailure(schedule: Schedule, workflowId: string, { status, failure }: Outcome): void {
  if (!schedule.definition.schedule.policies?.pauseOnFailure || schedule.state.paused) return;
  if (status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED) {
    pause(schedule, true, `paused due to workflow failure: ${workflowId}: ${failure?.message ?? ''}`);
  } else if (status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT) {
    pause(schedule, true, `paused due to workflow timeout: ${workflowId}`);
  }
}

/** Starts what may start now. Answers whether something could not, so that what is left has to be decided again. */
function startBuffered(services: ScheduleServices, schedule: Schedule, now: number): boolean {
  const { state, definition, ref } = schedule;
  if (!definition.schedule.action?.startWorkflow || state.buffered.length === 0) {
    state.buffered = [];
    return false;
  }
  const policy = definition.schedule.policies?.overlapPolicy ?? 0;
  const decision = decideStarts(state.buffered, state.running.length > 0, policy);
  state.buffered = [...decision.waiting];
  state.overlapSkipped += decision.skipped;
  let again = false;
  for (const start of [...decision.overlapping, ...(decision.single ? [decision.single] : [])]) {
    if (!start.manual && !takeAction(schedule)) {
      again = true;
      continue;
    }
    try {
      const execution = startScheduledRun(services, schedule, start);
      state.actionCount++;
      const status = WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
      state.recent.push({ ...execution, scheduleTime: start.actual, actualTime: now, status });
      state.recent = state.recent.slice(-SCHEDULE_LIMITS.recentActions);
      if (start === decision.single) state.running.push(execution);
    } catch (error) {
      // The action is given up, as on the server: its workflow id is taken, or the request is not valid any more.
      if (!(error instanceof RpcError)) throw error;
      again = true;
    }
  }
  const { ending } = decision;
  if (ending) for (const execution of state.running) endScheduledRun(services.runs, ref, execution, ending);
  return again;
}

/** Uses one of the actions that are left; answers whether there was one. */
function takeAction(schedule: Schedule): boolean {
  const { state } = schedule;
  if (!mayAct(schedule)) return false;
  if (state.limitedActions) {
    state.remainingActions--;
    state.conflictToken++;
  }
  return true;
}

function nextStep(schedule: Schedule, next: number | undefined, now: number): NextStep {
  const { state } = schedule;
  const [backfill] = state.backfills;
  if (backfill && mayOverlap(schedule, backfill.overlap)) return { wakeup: now + 1000, expired: false };
  if (next !== undefined && mayAct(schedule)) return { wakeup: next, expired: false };
  if (state.paused) return { wakeup: undefined, expired: false };
  const lastEvent = Math.max(state.createTime, state.updateTime ?? 0, state.recent.at(-1)?.actualTime ?? 0);
  const wakeup = lastEvent + SCHEDULE_LIMITS.retentionMs;
  return { wakeup, expired: wakeup <= now };
}

function mayOverlap({ definition }: Schedule, overlap: number): boolean {
  const policy = overlap || (definition.schedule.policies?.overlapPolicy ?? 0);
  return policy === ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL;
}
