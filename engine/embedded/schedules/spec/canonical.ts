import type { temporal } from '@temporalio/proto';
import { toMs } from '../../protocol/values.ts';
import { parseCron } from './cron.ts';
import { parseCalendar } from './parse-calendar.ts';
import { type CalendarField, FIELD_RULES } from './ranges.ts';
import { SpecError } from './spec-error.ts';

type ISpec = temporal.api.schedule.v1.IScheduleSpec;
type IStructured = temporal.api.schedule.v1.IStructuredCalendarSpec;
type IInterval = temporal.api.schedule.v1.IIntervalSpec;

const LONGEST_COMMENT = 200;
const CONFLICTING_ZONES = 'conflicting timezone names';

/**
 * Answers the spec with calendars and cron strings turned into structured calendars and intervals, which is the form
 * that a schedule keeps and shows. A spec in that form stays as it is.
 *
 * @throws SpecError with the server's text when something in it is wrong
 */
export function canonicalSpec(spec: ISpec): ISpec {
  const calendars = [...(spec.structuredCalendar ?? []), ...(spec.calendar ?? []).map(parseCalendar)];
  const excluded = [
    ...(spec.excludeStructuredCalendar ?? []),
    ...(spec.excludeCalendar ?? []).map(parseCalendar),
  ];
  const intervals = [...(spec.interval ?? [])];
  let zone: string | undefined;
  for (const text of spec.cronString ?? []) {
    const cron = parseCron(text);
    if (zone !== undefined && zone !== cron.timezoneName) throw new SpecError(CONFLICTING_ZONES);
    zone = cron.timezoneName;
    if (cron.calendar) calendars.push(cron.calendar);
    if (cron.interval) intervals.push(cron.interval);
  }
  const timezoneName = zone ? agreedZone(spec, zone) : (spec.timezoneName ?? '');
  for (const calendar of calendars) validateCalendar(calendar);
  for (const interval of intervals) validateInterval(interval);
  return {
    structuredCalendar: calendars,
    excludeStructuredCalendar: excluded,
    interval: intervals,
    startTime: spec.startTime ?? null,
    endTime: spec.endTime ?? null,
    jitter: spec.jitter ?? null,
    timezoneName,
    ...(spec.timezoneData?.length ? { timezoneData: spec.timezoneData } : {}),
  };
}

function agreedZone(spec: ISpec, zone: string): string {
  const named = spec.timezoneName ?? '';
  if ((named !== '' && named !== zone) || spec.timezoneData?.length) throw new SpecError(CONFLICTING_ZONES);
  return zone;
}

const CHECKED: readonly CalendarField[] = [
  'second',
  'minute',
  'hour',
  'dayOfMonth',
  'month',
  'year',
  'dayOfWeek',
];

function validateCalendar(calendar: IStructured): void {
  const errors: string[] = [];
  for (const field of CHECKED) {
    const { label, min } = FIELD_RULES[field];
    const max = field === 'dayOfWeek' ? 6 : FIELD_RULES[field].max;
    for (const range of calendar[field] ?? []) {
      const { start, end, step } = { start: range.start ?? 0, end: range.end ?? 0, step: range.step ?? 0 };
      if (start < min || start > max) errors.push(`${label} Start is not in range [${min}-${max}]`);
      if (end !== 0 && (end < start || end > max)) {
        errors.push(`${label} End is before Start or not in range [${min}-${max}]`);
      }
      if (step < 0) errors.push(`${label} has invalid Step`);
    }
  }
  if ((calendar.comment ?? '').length > LONGEST_COMMENT) errors.push('comment is too long');
  if (errors.length > 0) throw new SpecError(`invalid calendar spec: ${errors.join(', ')}`);
}

function validateInterval(spec: IInterval): void {
  const interval = toMs(spec.interval);
  const phase = toMs(spec.phase);
  if (interval < 1000) throw new SpecError('interval is too small');
  if (phase < 0) throw new SpecError('phase is negative');
  if (phase >= interval) throw new SpecError('phase cannot be greater than Interval');
}

/** Answers the spec with the ends and steps of all ranges filled in, which is how it is shown. */
export function withFullRanges(spec: ISpec): ISpec {
  return {
    ...spec,
    structuredCalendar: (spec.structuredCalendar ?? []).map(fullCalendar),
    excludeStructuredCalendar: (spec.excludeStructuredCalendar ?? []).map(fullCalendar),
  };
}

function fullCalendar(calendar: IStructured): IStructured {
  const full: IStructured = { ...calendar };
  for (const field of CHECKED) {
    full[field] = (calendar[field] ?? []).map((range) => {
      const start = range.start ?? 0;
      return { start, end: Math.max(range.end ?? 0, start), step: range.step || 1 };
    });
  }
  return full;
}
