import { type LocalTime, TimeZone } from './time-zone.ts';

/** When a cron workflow runs. Times are in ms since the epoch. */
export interface CronSchedule {
  /** Answers the first time after `since` that is not before `now`; undefined when there is none. */
  firstFrom(since: number, now: number): number | undefined;
}

/** A field's range, and the names that may stand for its numbers. */
interface FieldRange {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

interface Field {
  readonly values: ReadonlySet<number>;
  /** Whether it leaves the choice of days to the other field of days: `*` and `?`, but not with a step. */
  readonly isAny: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const RANGES: readonly FieldRange[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/**
 * Reads the cron schedule of a workflow: five fields (minute, hour, day of the month, month, day of the week), a word
 * such as `@daily`, or `@every` with a duration such as `1h30m`. `CRON_TZ=Europe/Berlin ` before it sets the time zone,
 * which is UTC otherwise. Answers undefined for what is none.
 */
export function parseCron(text: string): CronSchedule | undefined {
  const zoned = /^(?:CRON_)?TZ=(\S*) +(.*)$/s.exec(text);
  const zone = TimeZone.named(zoned?.[1] || 'UTC');
  const spec = zoned ? (zoned[2] ?? '').trim() : text;
  if (!zone) return undefined;
  if (spec.startsWith('@every ')) return everyInterval(spec.slice('@every '.length));
  const written = spec.startsWith('@') ? DESCRIPTORS[spec] : spec;
  const parts = written?.split(/\s+/).filter((part) => part !== '');
  if (parts?.length !== RANGES.length) return undefined;
  const [minute, hour, day, month, weekday] = RANGES.map((range, at) => readField(parts[at] ?? '', range));
  if (!minute || !hour || !day || !month || !weekday) return undefined;
  return calendar(zone, { minute, hour, day, month, weekday });
}

const UNITS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};

/** Makes the schedule of `@every`, whose times are whole seconds, at least one apart. */
function everyInterval(text: string): CronSchedule | undefined {
  const signed = /^([-+]?)((?:(?:\d+\.?\d*|\.\d+)(?:h|ms|m|s|us|µs|ns))+|0)$/.exec(text);
  if (!signed) return undefined;
  let ms = 0;
  for (const [, count = '0', unit = ''] of (signed[2] ?? '').matchAll(/([\d.]+)(h|ms|m|s|us|µs|ns)/g)) {
    ms += Number(count) * (UNITS[unit] ?? 0);
  }
  const interval = signed[1] === '-' ? 1000 : Math.max(1000, Math.floor(ms / 1000) * 1000);
  return {
    firstFrom: (since, now) => {
      const first = Math.floor(since / 1000) * 1000 + interval;
      return first >= now ? first : first + Math.ceil((now - first) / interval) * interval;
    },
  };
}

function readField(text: string, range: FieldRange): Field | undefined {
  const values = new Set<number>();
  let isAny = false;
  for (const part of text.split(',')) {
    const read = readPart(part, range);
    if (!read) return undefined;
    for (let value = read.from; value <= read.to; value += read.step) values.add(value);
    isAny ||= read.isAny;
  }
  return { values, isAny };
}

function readPart(
  text: string,
  range: FieldRange,
): { from: number; to: number; step: number; isAny: boolean } | undefined {
  const [span = '', stepText, ...moreSteps] = text.split('/');
  const [low = '', high, ...moreBounds] = span.split('-');
  if (moreSteps.length > 0 || moreBounds.length > 0) return undefined;
  const step = stepText === undefined ? 1 : numberOf(stepText);
  const isStar = low === '*' || low === '?';
  if (isStar && high !== undefined) return undefined;
  const from = isStar ? range.min : valueOf(low, range);
  // `5/10` goes on to the greatest value.
  const only = stepText === undefined ? from : range.max;
  const to = isStar ? range.max : high === undefined ? only : valueOf(high, range);
  if (from === undefined || to === undefined || !step) return undefined;
  if (from < range.min || to > range.max || from > to) return undefined;
  return { from, to, step, isAny: isStar && step === 1 };
}

function valueOf(text: string, { names, min }: FieldRange): number | undefined {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  return named >= 0 ? named + min : numberOf(text);
}

function numberOf(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** A schedule that has no time within so many years has none. */
const YEARS_AHEAD = 5;

type Unit = 'month' | 'day' | 'hour' | 'minute';

type Fields = Readonly<Record<'minute' | 'hour' | 'day' | 'month' | 'weekday', Field>>;

function calendar(zone: TimeZone, fields: Fields): CronSchedule {
  return {
    firstFrom: (since, now) => {
      const first = nextTime(zone, fields, since);
      // The times between are passed over, because a run that lasted for long misses them.
      return first === undefined || first >= now ? first : nextTime(zone, fields, now - 1);
    },
  };
}

function nextTime(zone: TimeZone, fields: Fields, after: number): number | undefined {
  let at = (Math.floor(after / 60_000) + 1) * 60_000;
  const lastYear = zone.local(at).year + YEARS_AHEAD;
  for (;;) {
    const local = zone.local(at);
    if (local.year > lastYear) return undefined;
    const wrong = firstMismatch(fields, local);
    if (wrong === undefined) return at;
    at = advance(zone, at, local, wrong);
  }
}

function firstMismatch(fields: Fields, local: LocalTime): Unit | undefined {
  if (!fields.month.values.has(local.month)) return 'month';
  if (!hasDay(fields, local)) return 'day';
  if (!fields.hour.values.has(local.hour)) return 'hour';
  return fields.minute.values.has(local.minute) ? undefined : 'minute';
}

/** With both fields of days given, either of them is enough. */
function hasDay({ day, weekday }: Fields, local: LocalTime): boolean {
  const byDay = day.values.has(local.day);
  const byWeekday = weekday.values.has(local.weekday);
  return day.isAny || weekday.isAny ? byDay && byWeekday : byDay || byWeekday;
}

/** Goes to the begin of the next month, day or hour, or to the next minute, on the clocks of the zone. */
function advance(zone: TimeZone, at: number, { year, month, day, minute }: LocalTime, unit: Unit): number {
  switch (unit) {
    case 'month':
      return zone.instant(year, month + 1, 1);
    case 'day':
      return zone.instant(year, month, day + 1);
    case 'hour':
      return at + (60 - minute) * 60_000;
    case 'minute':
      return at + 60_000;
  }
}
