import type { temporal } from '@temporalio/proto';
import { duration } from '../../protocol/values.ts';
import { parseCalendar } from './parse-calendar.ts';
import { parseGoDuration } from './go-duration.ts';
import { SpecError } from './spec-error.ts';

type ICalendarSpec = temporal.api.schedule.v1.ICalendarSpec;
type IStructuredCalendarSpec = temporal.api.schedule.v1.IStructuredCalendarSpec;
type IIntervalSpec = temporal.api.schedule.v1.IIntervalSpec;

export interface ParsedCron {
  readonly calendar?: IStructuredCalendarSpec;
  readonly interval?: IIntervalSpec;
  /** The zone that the string names; empty when it names none. That of an `@every` does not count. */
  readonly timezoneName: string;
}

const PREDEFINED: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const FIVE = ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'] as const;
const FIELDS: Readonly<Record<number, readonly (keyof ICalendarSpec)[]>> = {
  5: FIVE,
  6: [...FIVE, 'year'],
  7: ['second', ...FIVE, 'year'],
};

/**
 * Reads a cron string: five fields, six with the year, seven with the seconds too; `@hourly` and the like; `@every`
 * with an interval and perhaps a phase behind a slash. `TZ=` or `CRON_TZ=` may stand before it, a comment behind `#`.
 *
 * @throws SpecError with the server's text
 */
export function parseCron(source: string): ParsedCron {
  let text = source.trim();
  let timezoneName = '';
  if (/^(CRON_)?TZ=/.test(text)) {
    const space = text.indexOf(' ');
    if (space < 0) throw new SpecError('CronString has time zone but missing fields');
    timezoneName = text.slice(text.indexOf('=') + 1, space);
    text = text.slice(space + 1);
  }
  const hash = text.indexOf('#');
  const comment = hash < 0 ? '' : text.slice(hash + 1).trim();
  text = (hash < 0 ? text : text.slice(0, hash)).trim();
  if (text.startsWith('@every')) return { interval: parseEvery(text), timezoneName: '' };
  const values = (PREDEFINED[text] ?? text).split(/\s+/).filter((value) => value !== '');
  const fields = FIELDS[values.length];
  if (!fields) throw new SpecError('CronString does not have 5-7 fields');
  const calendar = Object.fromEntries(fields.map((field, index) => [field, values[index]]));
  return { calendar: parseCalendar({ ...calendar, comment }), timezoneName };
}

function parseEvery(text: string): IIntervalSpec {
  const space = text.indexOf(' ');
  if (space < 0) throw new SpecError('CronString does not have interval after @every');
  const rest = text.slice(space + 1);
  const slash = rest.indexOf('/');
  const interval = duration(parseGoDuration(slash < 0 ? rest : rest.slice(0, slash)));
  const phase = slash < 0 ? '' : rest.slice(slash + 1);
  return phase === '' ? { interval } : { interval, phase: duration(parseGoDuration(phase)) };
}
