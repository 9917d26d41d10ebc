import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isThorough } from '../../support/sampled.ts';
import { FaultSchedule, type Tally } from './fault-schedule.ts';

/** What is tested is the order of operations, not the disk. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const PARTS = 5;
const SCHEDULES = Number(process.env['STEADYHAND_FAULT_SCHEDULES'] ?? (isThorough ? 300 : 100));
const FIRST = Number(process.env['STEADYHAND_FAULT_SEED'] ?? 0);

describe(`no action is done twice, none is lost, over ${SCHEDULES} schedules of faults`, () => {
  it.each(Array.from({ length: PARTS }, (_, index) => index))('part %i', async (part) => {
    const tally: Tally = { deaths: 0, unknown: 0, refused: 0, old: 0 };
    const each = Math.ceil(SCHEDULES / PARTS);
    const failures: string[] = [];
    for (let index = 0; index < each; index += 1) {
      const seed = FIRST + part * each + index;
      await new FaultSchedule(seed, MEMORY, tally)
        .run()
        .catch((error: unknown) => failures.push(`seed ${seed}: ${String(error)}`));
    }
    expect(failures).toEqual([]);
    // The schedules come to what they are about.
    const least = Math.min(tally.deaths, tally.unknown, tally.refused, tally.old);
    expect(least).toBeGreaterThanOrEqual(SCHEDULES < 100 ? 0 : 1);
  });
});
