import type { temporal } from '@temporalio/proto';
import { LAST_YEAR } from './ranges.ts';
import type { TimeZone } from './time-zone.ts';

type IRange = temporal.api.schedule.v1.IRange;
type Matcher = (value: number) => boolean;

const HOUR = 3600;

/** One calendar of a spec, compiled for a time zone. A time matches when all fields do. Instants are whole seconds. */
export class Calendar {
  readonly #zone: TimeZone;
  readonly #year: Matcher;
  readonly #month: Matcher;
  readonly #dayOfMonth: Matcher;
  readonly #dayOfWeek: Matcher;
  readonly #hour: Matcher;
  readonly #minute: Matcher;
  readonly #second: Matcher;

  constructor(spec: temporal.api.schedule.v1.IStructuredCalendarSpec, zone: TimeZone) {
    this.#zone = zone;
    this.#year = spec.year?.length ? matcher(spec.year) : () => true;
    this.#month = matcher(spec.month);
    this.#dayOfMonth = matcher(spec.dayOfMonth);
    this.#dayOfWeek = matcher(spec.dayOfWeek);
    this.#hour = matcher(spec.hour);
    this.#minute = matcher(spec.minute);
    this.#second = matcher(spec.second);
  }

  matches(instant: number): boolean {
    const { year, month, day, weekday, hour, minute, second } = this.#zone.wallTime(instant);
    return (
      this.#year(year) &&
      this.#month(month) &&
      this.#dayOfMonth(day) &&
      this.#dayOfWeek(weekday) &&
      this.#hour(hour) &&
      this.#minute(minute) &&
      this.#second(second)
    );
  }

  /**
   * Answers the first matching instant after the given one; undefined when there is none until the last year.
   *
   * Times that clocks skip are left out. Of an hour that clocks show twice, both match in zones behind UTC and the second
   * one in zones ahead of it, as on the server.
   */
  next(after: number): number | undefined {
    const zone = this.#zone;
    const wall = zone.wallTime(after);
    let { year, month, day, hour, minute } = wall;
    let second = wall.second + 1;
    // What is added in the second of two hours that clocks show alike.
    let again = zone.wallTime(after - HOUR).hour === hour ? HOUR : 0;
    const at = (): number => zone.instant({ year, month, day, hour, minute, second });
    for (;;) {
      if (second >= 60) [minute, second] = [minute + 1, 0];
      if (minute >= 60) {
        const from = zone.instant({ year, month, day, hour, minute: 0, second: 0 });
        const to = zone.instant({ year, month, day, hour: hour + 1, minute: 0, second: 0 });
        minute = 0;
        if (again === 0 && to - from > HOUR) {
          again = HOUR;
        } else {
          hour++;
          again = 0;
        }
      }
      if (hour >= 24) [day, hour] = [day + 1, 0];
      if (day > daysIn(year, month)) [month, day] = [month + 1, 1];
      if (month > 12) [year, month] = [year + 1, 1];
      if (year > LAST_YEAR) return undefined;
      if (!this.#year(year)) {
        [year, month, day, hour, minute, second, again] = [year + 1, 1, 1, 0, 0, 0, 0];
        continue;
      }
      if (!this.#month(month)) {
        [month, day, hour, minute, second, again] = [month + 1, 1, 0, 0, 0, 0];
        continue;
      }
      if (!this.#dayOfMonth(day) || !this.#dayOfWeek(zone.wallTime(at()).weekday)) {
        [day, hour, minute, second, again] = [day + 1, 0, 0, 0, 0];
        continue;
      }
      if (!this.#hour(hour)) {
        [hour, minute, second, again] = [hour + 1, 0, 0, 0];
        continue;
      }
      if (!this.#minute(minute)) {
        [minute, second] = [minute + 1, 0];
        continue;
      }
      if (!this.#second(second)) {
        second++;
        continue;
      }
      const found = at();
      if (zone.wallTime(found).hour === hour) return found + again;
      // Clocks skip this time.
      [hour, minute, second] = [hour + 1, 0, 0];
    }
  }
}

/** Makes a matcher of ranges; without any nothing matches. */
function matcher(ranges: readonly IRange[] | null | undefined): Matcher {
  const values = new Set<number>();
  for (const range of ranges ?? []) {
    const start = range.start ?? 0;
    const end = Math.max(range.end ?? 0, start);
    for (let value = start; value <= end; value += range.step || 1) values.add(value);
  }
  return (value) => values.has(value);
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
