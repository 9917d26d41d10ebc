import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { draws, fc } from '../../support/fast-check.ts';
import { CompiledSpec } from '../../../engine/embedded/schedules/spec/compiled-spec.ts';
import { canonicalSpec, withFullRanges } from '../../../engine/embedded/schedules/spec/canonical.ts';
import { SpecError } from '../../../engine/embedded/schedules/spec/spec-error.ts';
import { TimeZone } from '../../../engine/embedded/schedules/spec/time-zone.ts';
import { temporal } from '../../../engine/embedded/protocol/proto.ts';
import { specCases, toSpec, wrongSpecs } from './specs.ts';

/** What the real server answered, by test/oracle/record-schedules.ts. */
interface Golden {
  namespaceId: string;
  times: Record<string, { scheduleId: string; canonical: object; times: number[] }>;
  errors: Record<string, string>;
}
const golden = JSON.parse(readFileSync(join(__dirname, '../../oracle/schedules.json'), 'utf8')) as Golden;
const { ScheduleSpec } = temporal.api.schedule.v1;
const plain = (spec: object): unknown => JSON.parse(JSON.stringify(ScheduleSpec.fromObject(spec)));

/** The times that are listed at most. */
const MOST = 1000;

function times(spec: CompiledSpec, seed: string, from: number, to: number): number[] {
  const found: number[] = [];
  let after = from;
  while (found.length < MOST) {
    const next = spec.next(seed, after);
    if (!next || next.actual > to) break;
    found.push(next.actual / 1000);
    after = next.actual;
  }
  return found;
}

describe('the times of a spec are those of the real server', () => {
  test.each(specCases)('$name', ({ name, spec, from, to }) => {
    const recorded = golden.times[name];
    const canonical = canonicalSpec(toSpec(spec));
    const seed = `${golden.namespaceId}-${recorded?.scheduleId}`;
    const found = times(new CompiledSpec(canonical), seed, Date.parse(from), Date.parse(to));
    expect(found).toEqual(recorded?.times);
    expect(plain(withFullRanges(canonical))).toEqual(plain(recorded?.canonical ?? {}));
    // What a schedule keeps means the same as what was given.
    expect(plain(canonicalSpec(canonical))).toEqual(plain(canonical));
  });

  test.each(wrongSpecs)('refused: $name', ({ name, spec }) => {
    const compile = (): CompiledSpec => new CompiledSpec(canonicalSpec(toSpec(spec)));
    expect(compile).toThrow(SpecError);
    expect(compile).toThrow((golden.errors[name] ?? '').replace('Invalid schedule spec: ', ''));
  });

  test('every recorded case is compared', () => {
    expect(Object.keys(golden.times)).toEqual(specCases.map((c) => c.name));
    expect(Object.keys(golden.errors)).toEqual(wrongSpecs.map((c) => c.name));
  });
});

const ZONES = [
  '',
  'Europe/Berlin',
  'America/Havana',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Asia/Kathmandu',
];

test('times of any cron string match it, grow, and leave nothing out', () => {
  const field = (max: number): fc.Arbitrary<string> =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min: 0, max }).map(String),
      fc.integer({ min: 1, max }).map((step) => `*/${step}`),
    );
  const instant = fc.integer({ min: Date.UTC(2001, 0) / 1000, max: Date.UTC(2060, 0) / 1000 });
  fc.assert(
    fc.property(field(59), field(23), fc.constantFrom(...ZONES), instant, (minute, hour, zone, start) => {
      const calendar = { minute, hour };
      const spec = new CompiledSpec(canonicalSpec({ calendar: [calendar], timezoneName: zone }));
      const clock = new TimeZone(zone);
      const matches = (text: string, value: number): boolean =>
        text === '*' ||
        (text.startsWith('*/') ? value % Number(text.slice(2)) === 0 : value === Number(text));
      const isMatch = (second: number): boolean => {
        const wall = clock.wallTime(second);
        return matches(minute, wall.minute) && matches(hour, wall.hour) && wall.second === 0;
      };
      const next = spec.next('', start * 1000);
      const found = (next?.nominal ?? 0) / 1000;
      expect(found).toBeGreaterThan(start);
      expect(isMatch(found)).toBe(true);
      const year = clock.wallTime(start).year;
      const isSteady =
        clock.offset(start) === clock.offset(found) && clock.offset(start - 7200) === clock.offset(found);
      // Where clocks change, some times are left out on purpose.
      if (isSteady && year > 2000) {
        for (let second = start + 1; second < found; second++) {
          if (isMatch(second)) throw new Error(`${second} was left out`);
        }
      }
    }),
    { numRuns: draws(60) },
  );
});

test('any interval keeps its grid', () => {
  const seconds = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(seconds, seconds, fc.integer({ min: 1e9, max: 2e9 }), (interval, offset, start) => {
      const phase = offset % interval;
      const spec = new CompiledSpec(
        canonicalSpec(toSpec({ interval: [{ interval: `${interval}s`, phase: `${phase}s` }] })),
      );
      const found = (spec.next('', start * 1000)?.nominal ?? 0) / 1000;
      expect((found - phase) % interval).toBe(0);
      expect(found).toBeGreaterThan(start);
      expect(found - start).toBeLessThanOrEqual(interval);
    }),
  );
});

test('jitter stays within its bound and is the same each time', () => {
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.integer({ min: 1, max: 90 }),
      fc.integer({ min: 1e9, max: 2e9 }),
      (seed, jitter, start) => {
        const spec = new CompiledSpec(
          canonicalSpec(toSpec({ interval: [{ interval: '60s' }], jitter: `${jitter}s` })),
        );
        const next = spec.next(`${seed}-s`, start * 1000);
        expect(next).toEqual(spec.next(`${seed}-s`, start * 1000));
        const delay = (next?.actual ?? 0) - (next?.nominal ?? 0);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThan(Math.min(jitter, 60) * 1000);
      },
    ),
  );
});

test('a spec that excludes everything has no times, and is not looked through to the last year', () => {
  const whole = { second: '*', minute: '*', hour: '*' };
  const spec = new CompiledSpec(
    canonicalSpec({ ...toSpec({ interval: [{ interval: '1s' }] }), excludeCalendar: [whole] }),
  );
  expect(spec.next('', Date.UTC(2026, 0))).toBeUndefined();
});
