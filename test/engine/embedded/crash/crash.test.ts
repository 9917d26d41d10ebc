import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createParts } from '../../../../engine/embedded/engine-parts.ts';
import { openDatabase } from '../../../../engine/embedded/persistence/database.ts';
import { isThorough } from '../../../support/sampled.ts';
import { seeded } from '../../../support/seeded.ts';
import {
  CrashSchedule,
  FIRST_WITH_OPERATOR,
  FIRST_WITH_STANDALONE,
  FIRST_WITH_WAITING,
  type Strike,
  type Tally,
} from './crash-schedule.ts';
import type { Fault } from './fault-database.ts';
import { type FileImage, readImage } from './file-image.ts';

/** What is tested is the order of writes, not the disk. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const PARTS = 6;
const SCHEDULES = Number(process.env['STEADYHAND_SCHEDULES'] ?? (isThorough ? 1500 : 18));
const FIRST = Number(process.env['STEADYHAND_SCHEDULES_SEED'] ?? 0);

let folder: string;
let empty: FileImage;

beforeAll(() => {
  jest.useFakeTimers({
    now: 1_800_000_000_000,
    doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
  });
  folder = mkdtempSync(join(MEMORY, 'steadyhand-crashes-'));
  const path = join(folder, 'empty.db');
  const db = openDatabase(path, 'full');
  const quiet = (): void => undefined;
  const parts = createParts(db, { logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } });
  parts.namespaces.ensure('default');
  parts.timers.stop();
  parts.activityTimers.stop();
  db.close();
  empty = readImage(path);
});
afterAll(() => {
  jest.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** A life without a fault. */
const NEVER: Strike = { fault: 'before', at: Infinity };

const newTally = (): Tally => ({
  before: 0,
  after: 0,
  torn: 0,
  full: 0,
  refused: 0,
  untold: 0,
  answers: 0,
  commits: 0,
  pauses: 0,
  imports: 0,
});

/** What went wrong in a schedule, as a list of one text at most. */
async function failuresOf(seed: number, tally: Tally, strike?: Strike): Promise<string[]> {
  try {
    await new CrashSchedule(seed, folder, empty, tally, strike).run();
    return [];
  } catch (error) {
    const what = strike === undefined ? '' : `, ${strike.fault} at commit ${strike.at}`;
    return [`seed ${seed}${what}: ${error instanceof Error ? error.stack : String(error)}`];
  }
}

const KINDS = [0, FIRST_WITH_WAITING, FIRST_WITH_STANDALONE];

/** Every other part has an operator; in the later ones workers wait, and then there are activities without a workflow. */
const seedOf = (part: number, index: number): number =>
  FIRST + index + (part % 2 === 0 ? 0 : FIRST_WITH_OPERATOR) + (KINDS[Math.floor(part / 2)] ?? 0);

describe(`nothing that was answered is lost and nothing is done twice, over ${SCHEDULES} schedules of faults`, () => {
  test.each(Array.from({ length: PARTS }, (_, part) => part))(
    'part %i',
    async (part) => {
      const tally = newTally();
      const each = Math.ceil(SCHEDULES / PARTS);
      const failures: string[] = [];
      for (let index = 0; index < each && failures.length < 5; index += 1) {
        failures.push(...(await failuresOf(seedOf(part, part * each + index), tally)));
      }
      expect(failures).toEqual([]);
      // The schedules come to what they are about.
      const { pauses, imports, ...others } = tally;
      const counts = [...Object.values(others), ...(part % 2 === 0 ? [] : [pauses, imports])];
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(each < 20 ? 0 : 1);
    },
    SCHEDULES * 1000 + 60_000,
  );
});

test('schedules that once failed', async () => {
  // A run was changed by an effect of the commit of its change before, and then read from the file too early.
  expect(await failuresOf(103_227, newTally())).toEqual([]);
  // A commit of the recovery failed, and the answer of a worker from before the restart came before the next try.
  expect(await failuresOf(506_101, newTally())).toEqual([]);
  // An import was not answered, its run was deleted, and the same import was sent again.
  expect(await failuresOf(1_009_802, newTally())).toEqual([]);
}, 120_000);

test('the engine may die at every single commit of a life', async () => {
  // Not every life is long enough.
  let seed = FIRST + 7;
  let commits = 0;
  for (; commits <= 20; seed += 1) {
    commits = await new CrashSchedule(seed, folder, empty, newTally(), NEVER).run();
  }
  seed -= 1;
  const deaths: readonly Fault[] = ['before', 'after', 'torn'];
  const random = seeded(seed);
  const strikes = Array.from({ length: commits }, (_, index) => {
    const all = deaths.map((fault): Strike => ({ fault, at: index + 1 }));
    return SCHEDULES < 1500 ? [all[Math.floor(random() * all.length)] ?? NEVER] : all;
  }).flat();
  const order = new Map(strikes.map((strike) => [strike, random()]));
  const tally = newTally();
  const failures: string[] = [];
  for (const strike of strikes.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))) {
    failures.push(...(await failuresOf(seed, tally, strike)));
  }
  expect(failures).toEqual([]);
  expect(tally.before + tally.after + tally.torn).toBe(strikes.length);
}, 120_000);
