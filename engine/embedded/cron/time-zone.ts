/** A time on the clocks of a zone. Months begin with 1, weekdays with Sunday as 0. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly weekday: number;
}

/** A zone of the IANA database. */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat | undefined;

  private constructor(format: Intl.DateTimeFormat | undefined) {
    this.#format = format;
  }

  /** Answers the zone with this name; undefined when there is none. */
  static named(name: string): TimeZone | undefined {
    if (name === 'UTC') return new TimeZone(undefined);
    // An offset such as `+01:00` is a zone to JavaScript but none to the server.
    if (!/^[A-Za-z]/.test(name)) return undefined;
    try {
      return new TimeZone(
        new Intl.DateTimeFormat('en-US', {
          timeZone: name,
          hourCycle: 'h23',
          year: 'numeric',
          month: 'numeric',
          day: 'numeric',
          hour: 'numeric',
          minute: 'numeric',
          second: 'numeric',
        }),
      );
    } catch {
      return undefined;
    }
  }

  local(at: number): LocalTime {
    const clock = new Date(at + this.#offset(at));
    return {
      year: clock.getUTCFullYear(),
      month: clock.getUTCMonth() + 1,
      day: clock.getUTCDate(),
      hour: clock.getUTCHours(),
      minute: clock.getUTCMinutes(),
      weekday: clock.getUTCDay(),
    };
  }

  /** Answers the begin of a day, which is later than midnight where that is skipped. Days and months may overflow. */
  instant(year: number, month: number, day: number): number {
    const clock = Date.UTC(year, month - 1, day);
    const guess = clock - this.#offset(clock);
    const at = clock - this.#offset(guess);
    return this.local(at).hour > 12 ? at + 3_600_000 : at;
  }

  /** How far the clocks are ahead of UTC at a time, in ms. */
  #offset(at: number): number {
    if (!this.#format) return 0;
    const parts = Object.fromEntries(
      this.#format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
    ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
    const { year, month, day, hour, minute, second } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
  }
}
