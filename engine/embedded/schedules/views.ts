import type { temporal } from '@temporalio/proto';
import { duration, long, timestamp } from '../protocol/values.ts';
import { catchupWindow, futureTimes, type Timed } from './due-times.ts';
import { type ActionResult, type Schedule, SCHEDULE_LIMITS } from './schedule.ts';
import { withFullRanges } from './spec/canonical.ts';

type Describe = temporal.api.workflowservice.v1.IDescribeScheduleResponse;
type ListInfo = temporal.api.schedule.v1.IScheduleListInfo;

/** Makes the answer of DescribeSchedule. */
export function describeSchedule(
  timed: Timed,
  searchAttributes: temporal.api.common.v1.ISearchAttributes | null,
): Describe {
  const { definition, state } = timed.schedule;
  const { schedule, memo } = definition;
  return {
    schedule: {
      spec: withFullRanges(schedule.spec ?? {}),
      action: schedule.action ?? {},
      policies: { ...schedule.policies, catchupWindow: duration(catchupWindow(timed.schedule)) },
      state: {
        ...(state.notes && { notes: state.notes }),
        ...(state.paused && { paused: true }),
        ...(state.limitedActions && { limitedActions: true }),
        ...(state.remainingActions > 0 && { remainingActions: long(state.remainingActions) }),
      },
    },
    info: {
      ...(state.actionCount > 0 && { actionCount: long(state.actionCount) }),
      ...(state.missedCatchupWindow > 0 && { missedCatchupWindow: long(state.missedCatchupWindow) }),
      ...(state.overlapSkipped > 0 && { overlapSkipped: long(state.overlapSkipped) }),
      ...(state.bufferDropped > 0 && { bufferDropped: long(state.bufferDropped) }),
      ...(state.buffered.length > 0 && { bufferSize: long(state.buffered.length) }),
      runningWorkflows: state.running,
      recentActions: state.recent.map(actionResult),
      futureActionTimes: futureTimes(timed, SCHEDULE_LIMITS.futureActions).map(timestamp),
      ...(definition.invalid !== undefined && { invalidScheduleError: definition.invalid }),
      createTime: timestamp(state.createTime),
      ...(state.updateTime !== undefined && { updateTime: timestamp(state.updateTime) }),
    },
    conflictToken: conflictToken(timed.schedule),
    memo,
    searchAttributes,
  };
}

/** Makes what ListSchedules shows of a schedule. */
export function listInfo(timed: Timed): ListInfo {
  const { definition, state } = timed.schedule;
  const { timezoneData: _data, ...spec } = withFullRanges(definition.schedule.spec ?? {});
  const { listedActions, listedSpecFields } = SCHEDULE_LIMITS;
  return {
    spec: {
      ...spec,
      structuredCalendar: spec.structuredCalendar?.slice(0, listedSpecFields) ?? [],
      excludeStructuredCalendar: spec.excludeStructuredCalendar?.slice(0, listedSpecFields) ?? [],
      interval: spec.interval?.slice(0, listedSpecFields) ?? [],
    },
    workflowType: definition.schedule.action?.startWorkflow?.workflowType ?? null,
    ...(state.notes && { notes: state.notes }),
    ...(state.paused && { paused: true }),
    recentActions: state.recent.slice(-listedActions).map(actionResult),
    futureActionTimes: futureTimes(timed, listedActions).map(timestamp),
  };
}

/** Makes the token that says which version of the schedule somebody has seen. */
export function conflictToken({ state }: Pick<Schedule, 'state'>): Uint8Array {
  const token = Buffer.alloc(8);
  token.writeBigUInt64BE(BigInt(state.conflictToken));
  return token;
}

function actionResult(action: ActionResult): temporal.api.schedule.v1.IScheduleActionResult {
  return {
    scheduleTime: timestamp(action.scheduleTime),
    actualTime: timestamp(action.actualTime),
    startWorkflowResult: { workflowId: action.workflowId, runId: action.runId },
    startWorkflowStatus: action.status,
  };
}
