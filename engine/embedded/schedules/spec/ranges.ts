import type { temporal } from '@temporalio/proto';
import { SpecError, parseInteger } from './spec-error.ts';

type IRange = temporal.api.schedule.v1.IRange;
export type CalendarField = 'second' | 'minute' | 'hour' | 'dayOfMonth' | 'month' | 'year' | 'dayOfWeek';

/** What the text of a calendar's field may hold. */
export interface FieldRule {
  /** The field's name in error texts. */
  readonly label: string;
  readonly min: number;
  readonly max: number;
  /** What an empty text means. */
  readonly fallback: string;
  /** Names for the values from `min` on, of which a beginning is enough. */
  readonly names?: { readonly list: readonly string[]; readonly shortest: number };
}

/** The last year in which calendars match anything. */
export const LAST_YEAR = 2100;

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

export const FIELD_RULES: Readonly<Record<CalendarField, FieldRule>> = {
  second: { label: 'Second', min: 0, max: 59, fallback: '0' },
  minute: { label: 'Minute', min: 0, max: 59, fallback: '0' },
  hour: { label: 'Hour', min: 0, max: 23, fallback: '0' },
  dayOfWeek: { label: 'DayOfWeek', min: 0, max: 7, fallback: '*', names: { list: DAYS, shortest: 2 } },
  dayOfMonth: { label: 'DayOfMonth', min: 1, max: 31, fallback: '*' },
  month: { label: 'Month', min: 1, max: 12, fallback: '*', names: { list: MONTHS, shortest: 3 } },
  year: { label: 'Year', min: 2000, max: LAST_YEAR, fallback: '*' },
};

/**
 * Reads the text of a field: `*`, `x`, `x-z`, `x-z/y`, `x/y` (from x to the end) and lists of these with commas. All
 * years are no range at all, and a Sunday written as 7 becomes 0.
 *
 * @throws SpecError with the server's text
 */
export function parseRanges(field: CalendarField, text: string | null | undefined): IRange[] {
  const rule = FIELD_RULES[field];
  const source = text?.trim() || rule.fallback;
  if (source === '*' && field === 'year') return [];
  return source.split(',').flatMap((part) => parsePart(field, rule, part));
}

function parsePart(field: CalendarField, rule: FieldRule, part: string): IRange[] {
  const [value = '', stepText, ...more] = part.split('/');
  if (more.length > 0) throw new SpecError(`${rule.label} has too many slashes`);
  if (stepText === '') throw new SpecError(`${rule.label} missing step value`);
  const step = stepText === undefined ? 1 : parseInteger(stepText);
  if (step < 1) throw new SpecError(`${rule.label} has invalid Step`);
  const { start, end } = parseBounds(rule, value, stepText !== undefined);
  return field === 'dayOfWeek' && end === 7 ? withoutSeven(start, step) : [compact(start, end, step)];
}

function parseBounds(rule: FieldRule, text: string, hasStep: boolean): { start: number; end: number } {
  const { label, min, max } = rule;
  if (text === '*') return { start: min, end: max };
  if (!text.includes('-')) {
    const start = parseValue(rule, text, min);
    if (start === undefined) throw new SpecError(`${label} is not in range [${min}-${max}]`);
    return { start, end: hasStep ? max : start };
  }
  const [from = '', to = '', ...more] = text.split('-');
  if (more.length > 0) throw new SpecError(`${label} has too many dashes`);
  const start = parseValue(rule, from, min);
  if (start === undefined) throw new SpecError(`${label} Start is not in range [${min}-${max}]`);
  const end = parseValue(rule, to, start);
  if (end === undefined) throw new SpecError(`${label} End is before Start or not in range [${min}-${max}]`);
  return { start, end };
}

/** Reads a number or a name; undefined when it is neither or out of range. */
function parseValue(rule: FieldRule, text: string, min: number): number | undefined {
  const named = text.length >= (rule.names?.shortest ?? Infinity) ? nameIndex(rule, text.toLowerCase()) : -1;
  const value = named >= 0 ? named + rule.min : /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= rule.max ? value : undefined;
}

function nameIndex(rule: FieldRule, text: string): number {
  return rule.names?.list.findIndex((name) => name.startsWith(text)) ?? -1;
}

/** A range that ends with day 7 matches Sunday when its steps reach it; days then go from 0 to 6. */
function withoutSeven(start: number, step: number): IRange[] {
  const reachesSunday = (7 - start) % step === 0;
  const isCovered = step === 1 && start <= 1;
  const sunday: IRange[] = reachesSunday && !isCovered ? [{ start: 0 }] : [];
  if (start === 7) return sunday.length > 0 ? sunday : [compact(7, 6, step)];
  return [...sunday, compact(start, 6, step)];
}

/** Leaves out what is the default: an end that is the start, and a step of one. */
function compact(start: number, end: number, step: number): IRange {
  return { start, ...(end !== start && { end }), ...(step !== 1 && { step }) };
}
