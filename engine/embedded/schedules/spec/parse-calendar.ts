import type { temporal } from '@temporalio/proto';
import { type CalendarField, parseRanges } from './ranges.ts';
import { SpecError } from './spec-error.ts';

/** The order in which the server names what is wrong. */
const ORDER: readonly CalendarField[] = [
  'second',
  'minute',
  'hour',
  'dayOfWeek',
  'dayOfMonth',
  'month',
  'year',
];

/**
 * Turns a calendar whose fields are texts into one of ranges.
 *
 * @throws SpecError with the texts of all fields that are wrong
 */
export function parseCalendar(
  calendar: temporal.api.schedule.v1.ICalendarSpec,
): temporal.api.schedule.v1.IStructuredCalendarSpec {
  const structured: temporal.api.schedule.v1.IStructuredCalendarSpec = {};
  const errors: string[] = [];
  for (const field of ORDER) {
    try {
      const ranges = parseRanges(field, calendar[field]);
      if (ranges.length > 0) structured[field] = ranges;
    } catch (error) {
      if (!(error instanceof SpecError)) throw error;
      errors.push(error.message);
    }
  }
  if (errors.length > 0) throw new SpecError(errors.join(', '));
  if (calendar.comment) structured.comment = calendar.comment;
  return structured;
}
