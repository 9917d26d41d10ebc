import { ScheduleOverlapPolicy } from '../protocol/proto.ts';
import type { BufferedStart } from './schedule.ts';

interface BufferDecision {
  /** Starts that may overlap with anything: all happen now. */
  readonly overlapping: readonly BufferedStart[];
  /** The one other start that happens now. */
  readonly single: BufferedStart | undefined;
  /** What waits for a run to end. */
  readonly waiting: readonly BufferedStart[];
  /** What happens to the runs that are in the way. */
  readonly ending: 'cancel' | 'terminate' | undefined;
  readonly skipped: number;
}

/**
 * Decides by overlap policy what becomes of the starts that are due, oldest first.
 *
 * @param isRunning whether a run is going on that others must not overlap
 * @param defaultPolicy that of the schedule, for starts without one of their own
 */
export function decideStarts(
  starts: readonly BufferedStart[],
  isRunning: boolean,
  defaultPolicy: number,
): BufferDecision {
  const overlapping: BufferedStart[] = [];
  const waiting: BufferedStart[] = [];
  let single: BufferedStart | undefined;
  let ending: BufferDecision['ending'];
  let skipped = 0;
  for (const start of starts) {
    const policy = start.overlap || defaultPolicy;
    if (policy === ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL) {
      overlapping.push(start);
      continue;
    }
    if (!isRunning && single === undefined) {
      single = start;
      continue;
    }
    switch (policy) {
      case ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_BUFFER_ONE:
        if (waiting.length === 0) waiting.push(start);
        else skipped++;
        break;
      case ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_BUFFER_ALL:
        waiting.push(start);
        break;
      case ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_CANCEL_OTHER:
      case ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_TERMINATE_OTHER:
        if (!isRunning) {
          single = start;
          break;
        }
        waiting.push(start);
        if (policy === ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_TERMINATE_OTHER) ending = 'terminate';
        else ending ??= 'cancel';
        break;
      default:
        skipped++;
    }
  }
  // A start that may overlap would be ended at once together with the others.
  return { overlapping: ending === undefined ? overlapping : [], single, waiting, ending, skipped };
}
