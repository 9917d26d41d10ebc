import { invalidArgument } from '../protocol/rpc-error.ts';
import { type CronSchedule, parseCron } from './cron-schedule.ts';

/**
 * Answers how long a run waits that closes, or starts, at `now`, in ms: until the first time of the schedule after
 * `since` that has not passed, rounded up to a second. Undefined when there is no such time.
 */
function waitMs(schedule: CronSchedule, since: number, now: number): number | undefined {
  const next = schedule.firstFrom(since, now);
  return next === undefined ? undefined : Math.ceil((next - now) / 1000) * 1000;
}

/** Answers how long the first run of a cron workflow waits, in ms; throws for a schedule that is none. */
export function firstCronWaitMs(schedule: string, now: number): number {
  const parsed = parseCron(schedule);
  if (!parsed) throw invalidArgument('invalid CronSchedule.');
  const wait = waitMs(parsed, now, now);
  if (wait === undefined) {
    throw invalidArgument('invalid CronSchedule, no time can be found to satisfy the schedule');
  }
  return wait;
}

/** Answers how long the run waits that follows one of a cron workflow, in ms; undefined when none follows. */
export function nextCronWaitMs(
  schedule: string | undefined,
  executionTime: number,
  now: number,
): number | undefined {
  const parsed = schedule === undefined ? undefined : parseCron(schedule);
  return parsed && waitMs(parsed, executionTime, now);
}
