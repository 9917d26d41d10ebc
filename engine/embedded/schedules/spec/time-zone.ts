import { SpecError } from './spec-error.ts';

/** A date and a time of day as clocks show them; the month counts from 1, and each part may lie outside its range. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** How far apart the offset is looked up, in seconds: no zone has changed its offset twice within six days. */
const STEP = 6 * 86_400;

/** How many steps are remembered for a zone: some sixteen years. */
const REMEMBERED_STEPS = 1000;

/** The offsets within one step; `change` is the first second of the second one. */
interface Step {
  readonly before: number;
  readonly after: number;
  readonly change: number;
}

/**
 * A time zone: what its clocks show at an instant, and which instant a wall time means. Instants are whole seconds
 * since the epoch.
 */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat | undefined;
  readonly #steps = new Map<number, Step>();

  /**
   * @param name is of the IANA database; '' means UTC
   * @throws SpecError for a name that is not in the database
   */
  constructor(name: string) {
    this.#format = name === '' || name === 'UTC' ? undefined : formatOf(name);
  }

  /** Answers how many seconds the zone's clocks are ahead of UTC. */
  offset(instant: number): number {
    if (!this.#format) return 0;
    const index = Math.floor(instant / STEP);
    let step = this.#steps.get(index);
    if (!step) {
      step = this.#findStep(this.#format, index);
      if (this.#steps.size >= REMEMBERED_STEPS) this.#steps.clear();
      this.#steps.set(index, step);
    }
    return instant < step.change ? step.before : step.after;
  }

  wallTime(instant: number): WallTime & { readonly weekday: number } {
    const date = new Date((instant + this.offset(instant)) * 1000);
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
      weekday: date.getUTCDay(),
    };
  }

  /**
   * Answers the instant that a wall time means. The server's rule for times that do not exist or exist twice: the
   * offset is that which holds where the wall time would be with the offset found for it as if it were UTC.
   */
  instant({ year, month, day, hour, minute, second }: WallTime): number {
    const asUtc = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
    const guess = this.offset(asUtc);
    return guess === 0 ? asUtc : asUtc - this.offset(asUtc - guess);
  }

  #findStep(format: Intl.DateTimeFormat, index: number): Step {
    let low = index * STEP;
    let high = low + STEP;
    const before = offsetOf(format, low);
    const after = offsetOf(format, high);
    if (before === after) return { before, after, change: high };
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetOf(format, middle) === before) low = middle;
      else high = middle;
    }
    return { before, after, change: high };
  }
}

function formatOf(name: string): Intl.DateTimeFormat {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      // The server's word for the zone of its machine.
      timeZone: name === 'Local' ? undefined : name,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    if (isNameAsWritten(name, format.resolvedOptions().timeZone)) return format;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new SpecError(`unknown time zone ${name}`);
}

/** The database's names have upper and lower case, and offsets such as `+01:00`, which Node takes from version 22 on, are none. */
function isNameAsWritten(name: string, canonical: string): boolean {
  if (/^[+-]/.test(name)) return false;
  if (name.toLowerCase() === canonical.toLowerCase()) return name === canonical;
  return name.split('/').every((part) => /^[A-Z]/.test(part));
}

function offsetOf(format: Intl.DateTimeFormat, instant: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(instant * 1000)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - instant;
}
