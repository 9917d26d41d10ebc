import { decideStarts } from '../../../engine/embedded/schedules/buffer.ts';
import { ScheduleOverlapPolicy } from '../../../engine/embedded/protocol/proto.ts';
import type { BufferedStart } from '../../../engine/embedded/schedules/schedule.ts';

const {
  SCHEDULE_OVERLAP_POLICY_SKIP: SKIP,
  SCHEDULE_OVERLAP_POLICY_BUFFER_ONE: ONE,
  SCHEDULE_OVERLAP_POLICY_BUFFER_ALL: ALL,
  SCHEDULE_OVERLAP_POLICY_CANCEL_OTHER: CANCEL,
  SCHEDULE_OVERLAP_POLICY_TERMINATE_OTHER: TERMINATE,
  SCHEDULE_OVERLAP_POLICY_ALLOW_ALL: ALLOW,
} = ScheduleOverlapPolicy;

/** Starts at 0, 1, 2 …, with the given policies of their own. */
const starts = (...policies: number[]): BufferedStart[] =>
  policies.map((overlap, at) => ({ nominal: at, actual: at, overlap, manual: false }));
const at = (list: readonly BufferedStart[]): number[] => list.map((start) => start.actual);

describe('what becomes of starts', () => {
  test.each([
    // Starts of the schedule's policy while nothing runs: now, later, skipped.
    ['skip, idle', starts(0, 0, 0), false, SKIP, [], 0, [], 2, undefined],
    ['buffer one, idle', starts(0, 0, 0), false, ONE, [], 0, [1], 1, undefined],
    ['buffer all, idle', starts(0, 0, 0), false, ALL, [], 0, [1, 2], 0, undefined],
    ['cancel, idle: the newest counts', starts(0, 0, 0), false, CANCEL, [], 2, [], 0, undefined],
    ['terminate, idle: the newest counts', starts(0, 0, 0), false, TERMINATE, [], 2, [], 0, undefined],
    ['allow, idle', starts(0, 0, 0), false, ALLOW, [0, 1, 2], undefined, [], 0, undefined],
    // The same while a run goes on.
    ['skip, busy', starts(0, 0), true, SKIP, [], undefined, [], 2, undefined],
    ['buffer one, busy', starts(0, 0), true, ONE, [], undefined, [0], 1, undefined],
    ['buffer all, busy', starts(0, 0), true, ALL, [], undefined, [0, 1], 0, undefined],
    ['cancel, busy', starts(0, 0), true, CANCEL, [], undefined, [0, 1], 0, 'cancel'],
    ['terminate, busy', starts(0), true, TERMINATE, [], undefined, [0], 0, 'terminate'],
    ['allow, busy', starts(0, 0), true, ALLOW, [0, 1], undefined, [], 0, undefined],
    // A policy of its own comes before that of the schedule.
    ['own policies, idle', starts(ALLOW, SKIP, ALL, SKIP), false, ONE, [0], 1, [2], 1, undefined],
    [
      'terminating wins over cancelling',
      starts(CANCEL, TERMINATE, CANCEL),
      true,
      SKIP,
      [],
      undefined,
      [0, 1, 2],
      0,
      'terminate',
    ],
    [
      'what would be ended at once is left out',
      starts(ALLOW, CANCEL),
      true,
      SKIP,
      [],
      undefined,
      [1],
      0,
      'cancel',
    ],
    ['nothing', [], false, SKIP, [], undefined, [], 0, undefined],
  ] as const)('%s', (_, given, isRunning, policy, overlapping, single, waiting, skipped, ending) => {
    const decision = decideStarts(given, isRunning, policy);
    expect(at(decision.overlapping)).toEqual(overlapping);
    expect(decision.single?.actual).toBe(single);
    expect(at(decision.waiting)).toEqual(waiting);
    expect(decision.skipped).toBe(skipped);
    expect(decision.ending).toBe(ending);
  });
});
