import { toMs } from '../protocol/values.ts';
import { type BufferedStart, type Schedule, SCHEDULE_LIMITS } from './schedule.ts';
import type { ActionTime } from './spec/compiled-spec.ts';

/** A schedule and what its times depend on besides. */
export interface Timed {
  readonly schedule: Schedule;
  /** From the ids of namespace and schedule, so that jitter is the same each time. */
  readonly jitterSeed: string;
}

interface Range {
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly until: number;
}

interface Due {
  /** The next time that was not reached, if there is one. */
  readonly next: number | undefined;
  /** The last time that is done with. */
  readonly last: number;
}

/** Whether a scheduled (not manual) action may be taken now. */
export function mayAct({ state }: Pick<Schedule, 'state'>): boolean {
  return !state.paused && (!state.limitedActions || state.remainingActions > 0);
}

export function catchupWindow({ definition }: Pick<Schedule, 'definition'>): number {
  const given = definition.schedule.policies?.catchupWindow;
  return given ? Math.max(toMs(given), SCHEDULE_LIMITS.shortestCatchupMs) : SCHEDULE_LIMITS.defaultCatchupMs;
}

/**
 * Buffers the scheduled starts of a range. Times before the last update, and those further back than the catch-up
 * window, are passed over; while the schedule may not act, all are.
 */
export function bufferScheduled({ schedule, jitterSeed }: Timed, range: Range): Due {
  const { state, definition } = schedule;
  const following = (after: number): ActionTime | undefined => definition.spec.next(jitterSeed, after);
  if (!mayAct(schedule)) return { next: following(range.until)?.actual, last: range.until };
  const window = catchupWindow(schedule);
  let last = range.after;
  let next = following(sinceUpdate(schedule, range.after));
  for (let count = 0; next && next.actual <= range.until; count++) {
    if (count === SCHEDULE_LIMITS.timesPerStep) break;
    if (next.actual >= (state.updateTime ?? 0)) {
      if (range.until - next.actual > window) state.missedCatchupWindow++;
      else addStart(schedule, { ...next, overlap: 0, manual: false });
    }
    last = next.actual;
    next = following(next.actual);
  }
  return { next: next?.actual, last };
}

/** Buffers the next starts of backfills, as many as one step may. */
export function bufferBackfills({ schedule, jitterSeed }: Timed): void {
  const { state, definition } = schedule;
  let left: number = SCHEDULE_LIMITS.backfillsPerStep;
  for (
    let backfill = state.backfills[0];
    backfill && left > 0 && state.buffered.length < SCHEDULE_LIMITS.bufferedStarts / 2;
    backfill = state.backfills[0]
  ) {
    const next = definition.spec.next(jitterSeed, backfill.after);
    if (!next || next.actual > backfill.end) {
      state.backfills.shift();
      continue;
    }
    addStart(schedule, { ...next, overlap: backfill.overlap, manual: true });
    backfill.after = next.actual;
    left--;
  }
}

export function addStart({ state }: Pick<Schedule, 'state'>, start: BufferedStart): void {
  if (state.buffered.length >= SCHEDULE_LIMITS.bufferedStarts) state.bufferDropped++;
  else state.buffered.push(start);
}

/** Answers the times at which the schedule is going to act, `count` at most. */
export function futureTimes({ schedule, jitterSeed }: Timed, count: number): number[] {
  const { state, definition } = schedule;
  const most = state.limitedActions ? Math.min(state.remainingActions, count) : count;
  const times: number[] = [];
  let next = definition.spec.next(jitterSeed, sinceUpdate(schedule, state.lastProcessed));
  while (next && times.length < most) {
    if (next.actual >= (state.updateTime ?? 0)) times.push(next.actual);
    next = definition.spec.next(jitterSeed, next.actual);
  }
  return times;
}

/** Answers the times in a range, whether or not the schedule would act. */
export function matchingTimes({ schedule, jitterSeed }: Timed, range: Range): number[] {
  const times: number[] = [];
  let next = schedule.definition.spec.next(jitterSeed, range.after);
  while (next && next.actual <= range.until && times.length < SCHEDULE_LIMITS.matchingTimes) {
    times.push(next.actual);
    next = schedule.definition.spec.next(jitterSeed, next.actual);
  }
  return times;
}

/** Answers from where on to look for times that are not before the last update, jitter included. */
function sinceUpdate({ state, definition }: Schedule, after: number): number {
  return Math.max(after, (state.updateTime ?? 0) - definition.spec.longestDelayMs - 1000);
}
